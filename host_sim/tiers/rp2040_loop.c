/* The emulated core's inner loop: what rp2040py's execute_batch(engine, 1) does, to the bit, some ten times as fast.
 *
 * rp2040py calls a handler for each instruction, asks Python whether to stop and hands the clock eight nanoseconds at
 * a time. Here the instructions that only touch registers, RAM, flash, the divider, a spinlock or the time are executed
 * in one function. Whatever else there is (a peripheral, an exception, a rare instruction) is left to rp2040py's own
 * execute_instruction, before anything of it was done. So this file decides nothing about the chip: it must only do
 * what the handlers of _cortex_m0_core.pyx do, quirks included, which tests/test_rp2040_loop.py compares.
 *
 * Compiled by host_sim/emulator_core.py together with the core, whose structures it takes from rp2040py's generated C
 * (core_layout.h). For little-endian machines, as the emulated one is.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#ifndef PY_LONG_LONG
#define PY_LONG_LONG long long
#endif
#include "core_layout.h"

typedef struct __pyx_obj_8rp2040py_6native_15_cortex_m0_core_CortexM0Core Core;
typedef struct __pyx_obj_8rp2040py_6native_7_rp2040_RP2040 Chip;
typedef struct __pyx_obj_8rp2040py_6native_17_simulation_clock_SimulationClock Clock;

#define CYCLE_NANOS 8.0
#define MOST 4000000 /* instructions until Python may look at signals and other threads: a tenth of a second */
#define FLASH 0x10000000u
#define RAM 0x20000000u
#define SIO 0xD0000000u
#define TIME_HIGH 0x40054024u /* TIMERAWH and TIMERAWL */
#define TIME_LOW 0x40054028u

static PyObject *s_rp2040, *s_core, *s_clock, *s_sio, *s_timer, *s_stopped, *s_spin_lock, *s_epoch;
static PyObject *s_dividend, *s_divisor, *s_quotient, *s_remainder, *s_csr;

/* -- registers that are attributes of rp2040py's RPSIO and RPTimer -------------------------------------------------
 *
 * 1: done. 0: not done, nothing happened. -1: an exception.
 */

static int word_of(PyObject *block, PyObject *name, uint32_t *value) {
    PyObject *is = PyDict_GetItemWithError(block, name);
    if (!is)
        return 0;
    if (PyFloat_CheckExact(is)) {
        double number = PyFloat_AS_DOUBLE(is);
        if (!(fabs(number) < 9e18))
            return 0;
        *value = (uint32_t)(int64_t)number;
        return 1;
    }
    if (!PyLong_CheckExact(is))
        return 0;
    *value = (uint32_t)PyLong_AsUnsignedLongLongMask(is);
    return 1;
}

static int put(PyObject *block, PyObject *name, PyObject *value) {
    int done = value ? PyDict_SetItem(block, name, value) : -1;
    Py_XDECREF(value);
    return done < 0 ? -1 : 1;
}

static int sio_load(PyObject *sio, uint32_t offset, uint32_t *value) {
    uint32_t other;
    if (offset >= 0x100 && offset < 0x180 && !(offset & 3)) { /* a spinlock is taken */
        uint32_t bit = 1u << (offset >> 2 & 31);
        if (!word_of(sio, s_spin_lock, &other))
            return 0;
        *value = other & bit ? 0 : bit;
        return other & bit ? 1 : put(sio, s_spin_lock, PyLong_FromUnsignedLong(other | bit));
    }
    switch (offset) {
    case 0x00: /* CPUID */
        *value = 0;
        return 1;
    case 0x60:
    case 0x68:
        return word_of(sio, s_dividend, value);
    case 0x64:
    case 0x6C:
        return word_of(sio, s_divisor, value);
    case 0x70:
        if (!word_of(sio, s_csr, &other) || !word_of(sio, s_quotient, value))
            return 0;
        return put(sio, s_csr, PyLong_FromUnsignedLong(other & ~2u));
    case 0x74:
        return word_of(sio, s_remainder, value);
    case 0x78:
        return word_of(sio, s_csr, value);
    }
    return 0;
}

static int sio_store(PyObject *sio, Core *core, uint32_t offset, uint32_t value) {
    uint32_t dividend, divisor;
    PyObject *quotient, *remainder;
    if (offset & 3)
        return 0;
    if (offset >= 0x100 && offset < 0x180) /* a spinlock is let go */
        return !word_of(sio, s_spin_lock, &dividend)
                   ? 0
                   : put(sio, s_spin_lock, PyLong_FromUnsignedLong(dividend & ~(1u << (offset >> 2 & 31))));
    if (offset == 0x70 || offset == 0x74) {
        if (put(sio, offset == 0x70 ? s_quotient : s_remainder, PyLong_FromUnsignedLong(value)) < 0)
            return -1;
        return put(sio, s_csr, PyLong_FromLong(3));
    }
    if (offset < 0x60 || offset > 0x6C || !word_of(sio, s_dividend, &dividend) || !word_of(sio, s_divisor, &divisor))
        return 0;
    if (offset & 4)
        divisor = value;
    else
        dividend = value;
    if (!divisor)
        return 0;
    if (offset & 8) {
        int64_t a = (int32_t)dividend, b = (int32_t)divisor;
        quotient = PyFloat_FromDouble((double)a / (double)b);
        remainder = PyLong_FromLongLong(a % b);
    } else {
        quotient = PyFloat_FromDouble((double)dividend / (double)divisor);
        remainder = PyLong_FromUnsignedLong(dividend % divisor);
    }
    int failed = put(sio, s_quotient, quotient) < 0;
    failed |= put(sio, s_remainder, remainder) < 0;
    failed |= put(sio, offset & 4 ? s_divisor : s_dividend, PyLong_FromUnsignedLong(value)) < 0;
    failed |= put(sio, s_csr, PyLong_FromLong(3)) < 0;
    core->cycles += 8; /* of which rp2040py does not tell the clock */
    return failed ? -1 : 1;
}

static int time_load(PyObject *timer, double nanos, int high, uint32_t *value) {
    PyObject *epoch = PyDict_GetItemWithError(timer, s_epoch);
    if (!epoch || !PyFloat_CheckExact(epoch))
        return 0;
    double time = (nanos - PyFloat_AS_DOUBLE(epoch)) / 1000;
    if (!(time >= 0 && time < 9e18))
        return 0;
    *value = high ? (uint32_t)(uint64_t)floor(time / 4294967296.0) : (uint32_t)(uint64_t)time;
    return 1;
}

/* -- the loop ----------------------------------------------------------------------------------------------------- */

#define NZ(value) (n = (value) >> 31, z = !(value))
#define ADD(left, right)                                                                                              \
    do {                                                                                                              \
        int64_t a_ = (left), b_ = (right), raw_ = a_ + b_;                                                            \
        result = (uint32_t)raw_;                                                                                      \
        NZ(result);                                                                                                   \
        c = raw_ != (int64_t)result;                                                                                  \
        v = (int64_t)(int32_t)result != (int64_t)(int32_t)(uint32_t)a_ + (int32_t)(uint32_t)b_;                       \
    } while (0)
#define SUB(left, right)                                                                                              \
    do {                                                                                                              \
        int64_t a_ = (left), b_ = (right);                                                                            \
        result = (uint32_t)(a_ - b_);                                                                                 \
        NZ(result);                                                                                                   \
        c = a_ >= b_;                                                                                                 \
        v = ((uint32_t)((uint32_t)a_ ^ (uint32_t)b_) & (result ^ (uint32_t)a_)) >> 31;                                \
    } while (0)

/* Where `size` bytes at an address are read or written directly, NULL if not. */
#define IN_RAM(address, size) ((address) - RAM <= ram_size - (size))
#define READABLE(address, size)                                                                                       \
    (IN_RAM(address, size)                      ? ram + ((address) - RAM)                                             \
     : (address) - FLASH <= flash_size - (size) ? flash + ((address) - FLASH)                                         \
                                                : NULL)
#define WRITABLE(address, size) (IN_RAM(address, size) ? ram + ((address) - RAM) : NULL)

#define LOAD(type, address)                                                                                           \
    do {                                                                                                              \
        type read_;                                                                                                   \
        const uint8_t *at_ = READABLE(address, sizeof(type));                                                         \
        if (!at_)                                                                                                     \
            goto other;                                                                                               \
        memcpy(&read_, at_, sizeof(type));                                                                            \
        R[op & 7] = (uint32_t)read_;                                                                                  \
        cycles = 2;                                                                                                   \
    } while (0)
#define STORE(type, address)                                                                                          \
    do {                                                                                                              \
        type written_ = (type)R[op & 7];                                                                              \
        uint8_t *at_ = WRITABLE(address, sizeof(type));                                                               \
        if (!at_)                                                                                                     \
            goto other;                                                                                               \
        memcpy(at_, &written_, sizeof(type));                                                                         \
        cycles = 2;                                                                                                   \
    } while (0)
#define LOAD_WORD(rt, address)                                                                                        \
    do {                                                                                                              \
        uint32_t from_ = (address);                                                                                   \
        const uint8_t *at_ = READABLE(from_, 4);                                                                      \
        if (at_) {                                                                                                    \
            memcpy(&R[rt], at_, 4);                                                                                   \
            cycles = 2;                                                                                               \
        } else {                                                                                                      \
            int done_ = 0;                                                                                            \
            if (from_ - SIO < 0x180)                                                                                  \
                done_ = sio_load(sio, from_ - SIO, &R[rt]);                                                           \
            else if (from_ == TIME_LOW || from_ == TIME_HIGH) {                                                       \
                done_ = time_load(timer, nanos, from_ == TIME_HIGH, &R[rt]);                                          \
                cycles = 4;                                                                                           \
            }                                                                                                         \
            if (done_ < 0 || PyErr_Occurred())                                                                        \
                goto failed;                                                                                          \
            if (!done_)                                                                                               \
                goto other;                                                                                           \
        }                                                                                                             \
    } while (0)
#define STORE_WORD(rt, address)                                                                                       \
    do {                                                                                                              \
        uint32_t to_ = (address);                                                                                     \
        uint8_t *at_ = WRITABLE(to_, 4);                                                                              \
        if (at_) {                                                                                                    \
            memcpy(at_, &R[rt], 4);                                                                                   \
            cycles = 2;                                                                                               \
        } else {                                                                                                      \
            int done_ = to_ - SIO < 0x180 ? sio_store(sio, core, to_ - SIO, R[rt]) : 0;                               \
            if (done_ < 0 || PyErr_Occurred())                                                                        \
                goto failed;                                                                                          \
            if (!done_)                                                                                               \
                goto other;                                                                                           \
        }                                                                                                             \
    } while (0)

/* The registers 0 to 7 that an instruction lists, with their words at `place`, one after the other. */
#define EACH_LOW(copy)                                                                                                \
    for (unsigned i = 0; i < 8; i++)                                                                                  \
        if (op >> i & 1) {                                                                                            \
            copy;                                                                                                     \
            place += 4;                                                                                               \
            cycles++;                                                                                                 \
        }

#define RM R[op >> 3 & 7]
#define RD R[op & 7]
#define HIGH(number, at) ((number) == 15 ? (at) + 4 : R[number])

#define LEAVE() (core->n = n, core->z = z, core->c = c, core->v = v, clock->_nanos_counter = nanos)
#define COME()                                                                                                        \
    (n = core->n, z = core->z, c = core->c, v = core->v, nanos = clock->_nanos_counter,                               \
     next = clock->_next_alarm ? clock->_next_alarm->nanos : INFINITY)

static PyObject *run(PyObject *self, PyObject *engine) {
    PyObject *chip_ = NULL, *core_ = NULL, *clock_ = NULL, *sio_ = NULL, *timer_ = NULL, *sio = NULL, *timer = NULL;
    PyObject *answer = NULL;
    chip_ = PyObject_GetAttr(engine, s_rp2040);
    if (chip_)
        core_ = PyObject_GetAttr(chip_, s_core);
    if (core_)
        clock_ = PyObject_GetAttr(engine, s_clock);
    if (clock_)
        sio_ = PyObject_GetAttr(chip_, s_sio);
    if (sio_)
        timer_ = PyObject_GetAttr(chip_, s_timer);
    if (timer_)
        sio = PyObject_GenericGetDict(sio_, NULL);
    if (sio)
        timer = PyObject_GenericGetDict(timer_, NULL);
    if (!timer)
        goto end;
    Chip *chip = (Chip *)chip_;
    Core *core = (Core *)core_;
    Clock *clock = (Clock *)clock_;
    if ((size_t)Py_TYPE(chip_)->tp_basicsize != sizeof(Chip) || (size_t)Py_TYPE(core_)->tp_basicsize != sizeof(Core) ||
        (size_t)Py_TYPE(clock_)->tp_basicsize != sizeof(Clock)) {
        PyErr_SetString(PyExc_TypeError, "this loop was compiled for another rp2040py");
        goto end;
    }

    uint32_t *R = (uint32_t *)core->registers.data;
    uint8_t *ram = (uint8_t *)chip->_sram.data;
    const uint8_t *flash = (const uint8_t *)chip->_flash.data;
    const uint32_t ram_size = chip->ram_byte_size, flash_size = chip->flash_byte_size;
    unsigned n, z, c, v;
    double nanos, next;
    long left = MOST;
    COME();

    for (;;) {
        int cycles = 1;
        uint32_t result;
        if (--left < 0)
            break;
        if (core->waiting) {
            LEAVE();
            PyObject *done = clock->__pyx_vtab->tick(clock, clock->_next_alarm ? next - nanos : 0.0, 0);
            if (!done)
                goto end;
            Py_DECREF(done);
            goto look;
        }
        if (core->interrupts_updated) {
            if (core->pending_nmi || !(core->pm || !(core->pending_svcall || core->pending_pend_sv ||
                                                     core->pending_systick ||
                                                     (core->pending_interrupts & core->enabled_interrupts))))
                goto other;
            core->interrupts_updated = 0; /* none that may come now: what check_for_interrupts would find */
        }
        const uint32_t at = R[15] & ~1u;
        const uint8_t *code = at - FLASH <= flash_size - 4 ? flash + (at - FLASH)
                              : IN_RAM(at, 4)              ? ram + (at - RAM)
                              : at <= chip->bootrom_byte_size - 4 ? (const uint8_t *)chip->_bootrom.data + at
                                                                  : NULL;
        if (!code)
            goto other;
        uint16_t op;
        memcpy(&op, code, 2);

        /* The program counter moves last: until then `other` can take the whole instruction over. */
        switch (op >> 6) {
        case 0x000 ... 0x01F: { /* LSLS (immediate) */
            uint32_t by = op >> 6 & 31, value = RM;
            result = value << by;
            RD = result;
            NZ(result);
            if (by)
                c = value >> (32 - by) & 1;
            break;
        }
        case 0x020 ... 0x03F: { /* LSRS (immediate) */
            uint32_t by = op >> 6 & 31, value = RM;
            result = by ? value >> by : 0;
            RD = result;
            NZ(result);
            c = value >> (by ? by - 1 : 31) & 1;
            break;
        }
        case 0x040 ... 0x05F: { /* ASRS (immediate) */
            uint32_t by = op >> 6 & 31, value = RM;
            result = by ? (uint32_t)((int32_t)value >> by) : value >> 31 ? ~0u : 0;
            RD = result;
            NZ(result);
            c = value >> (by ? by - 1 : 31) & 1;
            break;
        }
        case 0x060 ... 0x067: /* ADDS (register) */
            ADD(RM, R[op >> 6 & 7]);
            RD = result;
            break;
        case 0x068 ... 0x06F: /* SUBS (register) */
            SUB(RM, R[op >> 6 & 7]);
            RD = result;
            break;
        case 0x070 ... 0x077: /* ADDS (3 bits) */
            ADD(RM, op >> 6 & 7);
            RD = result;
            break;
        case 0x078 ... 0x07F: /* SUBS (3 bits) */
            SUB(RM, op >> 6 & 7);
            RD = result;
            break;
        case 0x080 ... 0x09F: /* MOVS */
            result = op & 0xFF;
            R[op >> 8 & 7] = result;
            NZ(result);
            break;
        case 0x0A0 ... 0x0BF: /* CMP (immediate) */
            SUB(R[op >> 8 & 7], op & 0xFF);
            break;
        case 0x0C0 ... 0x0DF: /* ADDS (8 bits) */
            ADD(R[op >> 8 & 7], op & 0xFF);
            R[op >> 8 & 7] = result;
            break;
        case 0x0E0 ... 0x0FF: /* SUBS (8 bits) */
            SUB(R[op >> 8 & 7], op & 0xFF);
            R[op >> 8 & 7] = result;
            break;
        case 0x100: /* ANDS */
            result = RD & RM;
            RD = result;
            NZ(result);
            break;
        case 0x101: /* EORS */
            result = RD ^ RM;
            RD = result;
            NZ(result);
            break;
        case 0x102: { /* LSLS (register) */
            uint32_t by = RM & 0xFF, value = RD;
            result = by >= 32 ? 0 : value << by;
            RD = result;
            NZ(result);
            if (by)
                c = value >> ((32 - by) & 31) & 1;
            break;
        }
        case 0x103: { /* LSRS (register) */
            uint32_t by = RM & 0xFF, value = RD;
            result = by < 32 ? value >> by : 0;
            RD = result;
            NZ(result);
            c = by <= 32 ? value >> ((by - 1) & 31) & 1 : 0;
            break;
        }
        case 0x104: { /* ASRS (register) */
            uint32_t by = RM & 0xFF, value = RD;
            by = by < 32 ? by : 32;
            result = by < 32 ? (uint32_t)((int32_t)value >> by) : value >> 31 ? ~0u : 0;
            RD = result;
            NZ(result);
            c = value >> ((by - 1) & 31) & 1;
            break;
        }
        case 0x108: /* TST */
            result = RD & RM;
            NZ(result);
            break;
        case 0x109: /* RSBS */
            SUB(0, RM);
            RD = result;
            break;
        case 0x10A: /* CMP (register) */
            SUB(RD, RM);
            break;
        case 0x10B: /* CMN */
            ADD(RD, RM);
            break;
        case 0x10C: /* ORRS */
            result = RD | RM;
            RD = result;
            NZ(result);
            break;
        case 0x10D: /* MULS */
            result = RD * RM;
            RD = result;
            NZ(result);
            break;
        case 0x10E: /* BICS */
            result = RD & ~RM;
            RD = result;
            NZ(result);
            break;
        case 0x10F: /* MVNS */
            result = ~RM;
            RD = result;
            NZ(result);
            break;
        case 0x105: /* ADCS */
            ADD(RM, (int64_t)RD + c);
            RD = result;
            break;
        case 0x106: /* SBCS */
            SUB(RD, (int64_t)RM + (c ? 0 : 1));
            RD = result;
            break;
        case 0x110 ... 0x113: { /* ADD (register) */
            uint32_t rm = op >> 3 & 15, rd = (op >> 4 & 8) | (op & 7);
            result = HIGH(rd, R[15]) + HIGH(rm, R[15]);
            if (rd == 15) {
                R[15] = result & ~1u;
                cycles = 2;
                goto executed;
            }
            R[rd] = rd == 13 ? result & ~3u : result;
            break;
        }
        case 0x114 ... 0x117: { /* CMP (any registers) */
            uint32_t rm = op >> 3 & 15, rn = (op >> 4 & 8) | (op & 7);
            if (rm == 15 || rn == 15)
                goto other;
            SUB(R[rn], R[rm]);
            break;
        }
        case 0x118 ... 0x11B: { /* MOV */
            uint32_t rm = op >> 3 & 15, rd = (op >> 4 & 8) | (op & 7);
            result = HIGH(rm, R[15]);
            if (rd == 15) {
                R[15] = result & ~1u;
                cycles = 2;
                goto executed;
            }
            R[rd] = rd == 13 ? result & ~3u : result;
            break;
        }
        case 0x11C ... 0x11D: { /* BX */
            uint32_t rm = op >> 3 & 15;
            if (op & 7 || rm == 15 || (core->current_mode == 1 && R[rm] >> 28 == 0xF))
                goto other;
            R[15] = R[rm] & ~1u;
            cycles = 2;
            goto executed;
        }
        case 0x11E ... 0x11F: { /* BLX */
            uint32_t rm = op >> 3 & 15;
            if (op & 7 || rm >= 14)
                goto other;
            R[14] = (R[15] + 2) | 1;
            R[15] = R[rm] & ~1u;
            cycles = 2;
            goto executed;
        }
        case 0x120 ... 0x13F: /* LDR (literal) */
            LOAD_WORD(op >> 8 & 7, ((R[15] + 4) & ~3u) + ((op & 0xFF) << 2));
            break;
        case 0x140 ... 0x147: /* STR (register) */
            STORE_WORD(op & 7, RM + R[op >> 6 & 7]);
            break;
        case 0x148 ... 0x14F: /* STRH (register) */
            STORE(uint16_t, RM + R[op >> 6 & 7]);
            break;
        case 0x150 ... 0x157: /* STRB (register) */
            STORE(uint8_t, RM + R[op >> 6 & 7]);
            break;
        case 0x158 ... 0x15F: /* LDRSB */
            LOAD(int8_t, RM + R[op >> 6 & 7]);
            break;
        case 0x160 ... 0x167: /* LDR (register) */
            LOAD_WORD(op & 7, RM + R[op >> 6 & 7]);
            break;
        case 0x168 ... 0x16F: /* LDRH (register) */
            LOAD(uint16_t, RM + R[op >> 6 & 7]);
            break;
        case 0x170 ... 0x177: /* LDRB (register) */
            LOAD(uint8_t, RM + R[op >> 6 & 7]);
            break;
        case 0x178 ... 0x17F: /* LDRSH */
            LOAD(int16_t, RM + R[op >> 6 & 7]);
            break;
        case 0x180 ... 0x19F: /* STR (immediate) */
            STORE_WORD(op & 7, RM + (op >> 4 & 0x7C));
            break;
        case 0x1A0 ... 0x1BF: /* LDR (immediate) */
            LOAD_WORD(op & 7, RM + (op >> 4 & 0x7C));
            break;
        case 0x1C0 ... 0x1DF: /* STRB (immediate) */
            STORE(uint8_t, RM + (op >> 6 & 31));
            break;
        case 0x1E0 ... 0x1FF: /* LDRB (immediate) */
            LOAD(uint8_t, RM + (op >> 6 & 31));
            break;
        case 0x200 ... 0x21F: /* STRH (immediate) */
            STORE(uint16_t, RM + (op >> 5 & 0x3E));
            break;
        case 0x220 ... 0x23F: /* LDRH (immediate) */
            LOAD(uint16_t, RM + (op >> 5 & 0x3E));
            break;
        case 0x240 ... 0x25F: /* STR (SP) */
            STORE_WORD(op >> 8 & 7, R[13] + ((op & 0xFF) << 2));
            break;
        case 0x260 ... 0x27F: /* LDR (SP) */
            LOAD_WORD(op >> 8 & 7, R[13] + ((op & 0xFF) << 2));
            break;
        case 0x280 ... 0x29F: /* ADR */
            R[op >> 8 & 7] = (at & ~3u) + 4 + ((op & 0xFF) << 2);
            break;
        case 0x2A0 ... 0x2BF: /* ADD (SP, to a register) */
            R[op >> 8 & 7] = R[13] + ((op & 0xFF) << 2);
            break;
        case 0x2C0 ... 0x2C1: /* ADD (SP) */
            R[13] = (R[13] + ((op & 0x7F) << 2)) & ~3u;
            break;
        case 0x2C2 ... 0x2C3: /* SUB (SP) */
            R[13] = (R[13] - ((op & 0x7F) << 2)) & ~3u;
            break;
        case 0x2C8: /* SXTH */
            RD = (uint32_t)(int16_t)RM;
            break;
        case 0x2C9: /* SXTB */
            RD = (uint32_t)(int8_t)RM;
            break;
        case 0x2CA: /* UXTH */
            RD = RM & 0xFFFF;
            break;
        case 0x2CB: /* UXTB */
            RD = RM & 0xFF;
            break;
        case 0x2D0 ... 0x2D7: { /* PUSH */
            uint32_t size = 4 * (uint32_t)__builtin_popcount(op & 0x1FF), to = R[13] - size;
            if (!size || !IN_RAM(to, size))
                goto other;
            uint8_t *place = ram + (to - RAM);
            EACH_LOW(memcpy(place, &R[i], 4));
            if (op & 0x100)
                memcpy(place, &R[14], 4);
            R[13] = to & ~3u;
            break;
        }
        case 0x2D9: /* CPSID, CPSIE */
            if (op == 0xB672)
                core->pm = 1;
            else if (op == 0xB662) {
                core->pm = 0;
                core->interrupts_updated = 1;
            } else
                goto other;
            break;
        case 0x2E8: /* REV */
            RD = __builtin_bswap32(RM);
            break;
        case 0x2F0 ... 0x2F7: { /* POP */
            uint32_t size = 4 * (uint32_t)__builtin_popcount(op & 0x1FF), from = R[13], to = 0;
            if (!size || !IN_RAM(from, size))
                goto other;
            const uint8_t *place = ram + (from - RAM);
            if (op & 0x100) {
                memcpy(&to, place + size - 4, 4);
                if (core->current_mode == 1 && to >> 28 == 0xF)
                    goto other; /* the return of an exception */
            }
            EACH_LOW(memcpy(&R[i], place, 4));
            R[13] = (from + size) & ~3u;
            if (op & 0x100) {
                R[15] = to & ~1u;
                cycles += 2;
                goto executed;
            }
            break;
        }
        case 0x2FC: /* NOP; the other hints change more than registers */
            if (op != 0xBF00)
                goto other;
            break;
        case 0x300 ... 0x31F: { /* STMIA */
            uint32_t rn = op >> 8 & 7, size = 4 * (uint32_t)__builtin_popcount(op & 0xFF), to = R[rn];
            if (!size || !IN_RAM(to, size))
                goto other;
            uint8_t *place = ram + (to - RAM);
            EACH_LOW(memcpy(place, &R[i], 4));
            if (!(op >> rn & 1))
                R[rn] = to + size;
            break;
        }
        case 0x320 ... 0x33F: { /* LDMIA */
            uint32_t rn = op >> 8 & 7, size = 4 * (uint32_t)__builtin_popcount(op & 0xFF), from = R[rn];
            const uint8_t *place = size ? READABLE(from, size) : NULL;
            if (!place)
                goto other;
            EACH_LOW(memcpy(&R[i], place, 4));
            if (!(op >> rn & 1))
                R[rn] = from + size;
            break;
        }
        case 0x340 ... 0x377: { /* B (with a condition) */
            unsigned holds;
            switch (op >> 9 & 7) {
            case 0:
                holds = z;
                break;
            case 1:
                holds = c;
                break;
            case 2:
                holds = n;
                break;
            case 3:
                holds = v;
                break;
            case 4:
                holds = c && !z;
                break;
            case 5:
                holds = n == v;
                break;
            default:
                holds = n == v && !z;
            }
            if (holds != (op >> 8 & 1u)) {
                R[15] += 2 + 2 + 2 * (int32_t)(int8_t)op;
                cycles = 2;
                goto executed;
            }
            break;
        }
        case 0x380 ... 0x39F: /* B */
            R[15] += 2 + 2 + (uint32_t)((int32_t)((uint32_t)op << 21) >> 20);
            cycles = 2;
            goto executed;
        case 0x3C0 ... 0x3DF: { /* two halfwords */
            uint16_t second;
            memcpy(&second, code + 2, 2);
            if (second >> 14 == 3 && second >> 12 & 1) { /* BL */
                uint32_t s = op >> 10 & 1, i1 = 1 - (s ^ (second >> 13 & 1)), i2 = 1 - (s ^ (second >> 11 & 1));
                uint32_t by = (s ? 0xFF000000u : 0) | i1 << 23 | i2 << 22 | (op & 0x3FFu) << 12 | (second & 0x7FFu) << 1;
                R[14] = (R[15] + 4) | 1;
                R[15] = R[15] + 4 + by;
                cycles = 3;
            } else if (op == 0xF3BF && ((second & 0xFFF0) == 0x8F50 || (second & 0xFFF0) == 0x8F40 ||
                                        (second & 0xFFF0) == 0x8F60)) { /* DMB, DSB, ISB */
                R[15] += 4;
                cycles = 3;
            } else if (op == 0xF3EF && second >> 12 == 8 && (second & 0xFF) == 16 && (second >> 8 & 15) < 13) {
                R[second >> 8 & 15] = core->pm ? 1 : 0; /* MRS of PRIMASK */
                R[15] += 4;
                cycles = 3;
            } else if (op >> 4 == 0xF38 && second >> 8 == 0x88 && (second & 0xFF) == 16 && (op & 15) < 13) {
                core->pm = R[op & 15] & 1; /* MSR to PRIMASK */
                core->interrupts_updated = 1;
                R[15] += 4;
                cycles = 3;
            } else
                goto other;
            goto executed;
        }
        default:
            goto other;
        }
        R[15] += 2;
    executed:
        core->cycles += cycles;
        {
            double target = nanos + cycles * CYCLE_NANOS;
            if (target < next) {
                nanos = target;
                continue;
            }
        }
        LEAVE();
        goto tick;
    other:
        LEAVE();
        cycles = core->__pyx_vtab->execute_instruction(core, 1);
        if (cycles == -1 && PyErr_Occurred())
            goto end;
    tick : {
        PyObject *done = clock->__pyx_vtab->tick(clock, cycles * CYCLE_NANOS, 0);
        if (!done)
            goto end;
        Py_DECREF(done);
    }
    look:
        COME();
        PyObject *stopped = PyObject_GetAttr(engine, s_stopped);
        if (!stopped)
            goto end;
        int over = PyObject_IsTrue(stopped);
        Py_DECREF(stopped);
        if (over)
            break;
    }
    LEAVE();
    if (!PyErr_CheckSignals())
        answer = Py_NewRef(Py_None);
    goto end;
failed:
    LEAVE();
end:
    Py_XDECREF(timer);
    Py_XDECREF(sio);
    Py_XDECREF(timer_);
    Py_XDECREF(sio_);
    Py_XDECREF(clock_);
    Py_XDECREF(core_);
    Py_XDECREF(chip_);
    return answer;
}

static PyMethodDef methods[] = {
    {"run", run, METH_O, "run(engine): emulate until engine.stopped is true, or for a while."},
    {NULL, NULL, 0, NULL},
};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_loop", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__loop(void) {
    struct {
        PyObject **place;
        const char *name;
    } names[] = {
        {&s_rp2040, "rp2040"},       {&s_core, "core"},
        {&s_clock, "clock"},         {&s_sio, "sio"},
        {&s_timer, "timer"},         {&s_stopped, "stopped"},
        {&s_spin_lock, "spin_lock"}, {&s_epoch, "_epoch_nanos"},
        {&s_dividend, "div_dividend"}, {&s_divisor, "div_divisor"},
        {&s_quotient, "div_quotient"}, {&s_remainder, "div_remainder"},
        {&s_csr, "div_csr"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!(*names[i].place = PyUnicode_InternFromString(names[i].name)))
            return NULL;
    return PyModule_Create(&module);
}
