"""The chips around the Pico: the panel decodes the real driver's bytes, and complains by name about anything else."""

import pytest

from host_sim.chips.i2c import I2cBus
from host_sim.chips.oled import packed
from host_sim.chips.piezo import Piezo
from host_sim.chips.ssd1306 import Ssd1306

INIT = bytes.fromhex("00 AE 20 00 40 A1 A8 3F C8 D3 00 DA 12 D5 80 D9 F1 DB 30 81 FF A4 A6 AD 30 8D 14 AF")


@pytest.fixture
def panel():
    chip = Ssd1306()
    chip.transaction(INIT)
    chip.transaction(b"\x40" + bytes(1024))
    return chip


def lit(chip):
    return {(x, y) for y, row in enumerate(chip.glass()) for x, on in enumerate(row) if on}


def test_after_power_on_the_memory_is_noise_and_the_glass_dark():
    chip = Ssd1306()
    assert not lit(chip)
    assert 300 < sum(bin(byte).count("1") for byte in chip.ram) < 8000
    chip.transaction(INIT)
    assert len(lit(chip)) > 1000, "display on before the first frame shows the noise"


def test_a_whole_frame_in_horizontal_mode(panel):
    panel.transaction(b"\x00\x21\x00\x7f\x22\x00\x07")
    panel.transaction(b"\x40\x01" + bytes(1022) + b"\x80")
    assert lit(panel) == {(0, 0), (127, 63)}
    assert panel.complaints == []


def test_a_window_wraps_inside_itself(panel):
    panel.transaction(b"\x00\x21\x0a\x0b\x22\x02\x03")
    panel.transaction(b"\x40\x01\x02\x04\x08\x10")
    assert lit(panel) == {(10, 20), (11, 17), (10, 26), (11, 27)}, "the fifth byte is on the first again"


def test_page_mode(panel):
    panel.transaction(b"\x00\x20\x02\xb3\x05\x11")
    panel.transaction(b"\x40\x01\x80")
    assert lit(panel) == {(0x15, 24), (0x16, 31)}


def test_vertical_mode(panel):
    panel.transaction(b"\x00\x20\x01\x21\x00\x01\x22\x00\x01")
    panel.transaction(b"\x40\x01\x02\x04\x08")
    assert lit(panel) == {(0, 0), (0, 9), (1, 2), (1, 11)}


@pytest.mark.parametrize(
    ("payload", "data"),
    [
        *((payload, True) for payload in ("40 FF", "C0 FF", "80 B0 80 00 40 FF")),
        *((payload, False) for payload in ("40", "00 A5 40", "80 40")),
    ],
)
def test_a_transfer_that_carries_pixels_is_told_from_one_of_commands_alone(panel, payload, data):
    bus = I2cBus(panel)
    bus.record(0, 1, 0x3C, bytes.fromhex(payload), True)
    assert bus.transfers[0].data is data


def test_control_bytes_with_the_continuation_bit(panel):
    panel.transaction(b"\x80\x21\x80\x05\x80\x05\x80\x22\x80\x01\x80\x01\x40\xff")
    assert lit(panel) == {(5, y) for y in range(8, 16)}


def test_arguments_may_come_in_a_transaction_of_their_own(panel):
    for byte in (0x21, 7, 7, 0x22, 0, 0):
        panel.transaction(bytes((0x80, byte)))
    panel.transaction(b"\x40\x01")
    assert lit(panel) == {(7, 0)}


def test_invert_all_on_off_and_start_line(panel):
    panel.transaction(b"\x00\xa7")
    assert len(lit(panel)) == 128 * 64
    panel.transaction(b"\x00\xa6\xa5")
    assert len(lit(panel)) == 128 * 64
    panel.transaction(b"\x00\xa4\x21\x00\x7f\x22\x00\x07")
    panel.transaction(b"\x40\x01")
    panel.transaction(b"\x00\x41")
    assert lit(panel) == {(0, 63)}
    panel.transaction(b"\x00\x40\xae")
    assert not lit(panel)


def test_segment_remap_acts_when_data_is_written(panel):
    panel.transaction(b"\x40\x01")
    panel.transaction(b"\x00\xa0")
    assert lit(panel) == {(0, 0)}, "what is shown stays"
    panel.transaction(b"\x00\x21\x00\x7f\x22\x00\x07")
    panel.transaction(b"\x40\x01")
    assert lit(panel) == {(0, 0), (127, 0)}


def test_com_scan_direction_acts_at_once(panel):
    panel.transaction(b"\x40\x01")
    panel.transaction(b"\x00\xc0")
    assert lit(panel) == {(0, 63)}


def test_a_module_that_is_mounted_upside_down():
    chip = Ssd1306(rotation=180)
    chip.transaction(INIT.replace(b"\xa1", b"\xa0").replace(b"\xc8", b"\xc0"))
    chip.transaction(b"\x40\x01" + bytes(1023))
    assert lit(chip) == {(0, 0)}


@pytest.mark.parametrize(
    ("sent", "name"),
    [
        (b"\x00\xd6\x01", "command 0xD6"),
        (b"\x00\x2f", "activate scroll"),
        (b"\x00\x20\x03", "memory addressing mode 3"),
        (b"\x00\x21\x10\x05", "start is past the end"),
        (b"\x07\x00", "control byte 0x07"),
    ],
)
def test_anything_else_is_reported_by_name(panel, sent, name):
    panel.transaction(sent)
    assert any(name in complaint for complaint in panel.complaints), panel.complaints


def test_status_tells_whether_the_display_is_on(panel):
    assert not panel.read() & 0x40
    panel.power_on()
    assert panel.read() & 0x40


def test_packed_is_row_by_row_most_significant_left(panel):
    panel.transaction(b"\x40\x01\x02")
    frame = packed(panel.glass())
    assert frame[0] == 0x80
    assert frame[16] == 0x40
    assert len(frame) == 1024


def test_bus_time_is_nine_clocks_a_byte_and_the_address():
    assert I2cBus.duration_us(1025, 400_000) == 23085
    assert I2cBus.duration_us(0, 400_000) == 23
    assert I2cBus.duration_us(6, 100_000) == 630


def test_an_unplugged_panel_does_not_answer_and_comes_back_dark(panel):
    bus = I2cBus(panel)
    assert bus.acknowledges(0x3C)
    assert not bus.acknowledges(0x3D)
    bus.unplug()
    assert not bus.acknowledges(0x3C)
    bus.plug()
    assert bus.acknowledges(0x3C)
    assert not panel.on
    bus.nacks = 1
    assert not bus.acknowledges(0x3C)
    assert bus.acknowledges(0x3C)


def test_piezo_counts_beeps_and_keeps_tones():
    piezo = Piezo()
    piezo.pwm(0, 1047, 32768)
    piezo.pwm(80, 1568, 32768)
    assert piezo.frequency == 1568
    piezo.pwm(300, 1568, 0)
    assert piezo.frequency is None
    piezo.pwm(400, 220, 100)
    piezo.level(460, False)
    assert piezo.beeps == 2
    assert [(t.start_us, t.frequency, t.end_us) for t in piezo.tones] == [
        (0, 1047, 80),
        (80, 1568, 300),
        (400, 220, 460),
    ]
    piezo.level(500, True)
    assert piezo.pin_high
