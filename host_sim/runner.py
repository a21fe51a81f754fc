"""The thread that owns the device of `python -m host_sim` and moves its clock along the wall clock.

Three kinds of sessions: the user's own device, on the data folder; a recording, on a fresh device whose flash is
thrown away; and a scenario that is played for whoever watches, on such a one too. Afterwards the own device is back as
it was left.
"""

import contextlib
import json
import queue
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from host_sim import board as boards
from host_sim import run, tiers
from host_sim.board import Board
from host_sim.device import ROLES, Device, DeviceError
from host_sim.recording import Edge, Recording
from host_sim.scenario import EXPECTING, MS, Scenario
from host_sim.teller import GAP_S, Emit, Teller

FAST_S = 0.001  # how often the clock is moved while something happens
HELD_S = 0.004
IDLE_S = 0.016
BUSY_S = 0.25  # something happens for this long after a key, a new frame or a tone
BEHIND_S = 0.25  # more than this is skipped: the laptop slept
STEP_US = 8_000  # so that the frames of a change are seen, not only its last one
SLOW_S = 0.1  # what a step may take before a waiting key goes first
EDGES_US = 20_000  # between two edges of one key at least: when this machine is busy, they arrive all at once
KEEP_US = 400_000  # what was pressed is kept by then: for it, the own device runs on before another one takes its place
OFF_US = 250_000  # how long a reset leaves the power off
STUCK_S = 2.0  # a turn that takes longer is told: the firmware loops, or this machine is busy
REST_US = 100_000  # a glass that has stood so long is settled: a recording notes the scores
ENDS_US = 1_500_000  # how long at most the end of a recording waits for that
FRAME_REST_US = 6_000  # a frame is whole when nothing has come for so long
FRAME_MOST_US = 1_000_000  # and a step to the next one goes no further than this


class _Left(Exception):
    """The scenario that is played is left for this message."""


class _End(Exception):
    """The thread ends."""


class Runner(threading.Thread):
    """emit(kind, message) is called in this thread. tier and board are those to begin with.

    flashes: gives the folder for a board's flash. Raises OSError if it can't be had.
    """

    def __init__(self, flashes: Callable[[Board], Path], tier: str, board: Board, emit: Emit) -> None:
        super().__init__(name="device", daemon=True)
        self._inbox: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
        self._flashes = flashes
        self._scratch: Path | None = None  # the flash of a device that is thrown away
        self.tier, self.board = tier, board
        self.device: Device = tiers.make(tier, board, flashes(board))
        self._teller = Teller(self.device, emit)
        self.turn_began: float | None = None  # the wall clock, while this thread is at work

        self._wall = time.monotonic()  # the wall clock when the virtual one read _virtual
        self._virtual = 0
        self._speed = 1.0
        self._paused = False
        self._granted = 0  # up to where a paused device may go
        self._to_frame = -1  # the sequence of the frame that a step began with, while it goes to the next one
        self._busy_until = 0.0

        self._crash = ""
        self._cut = False  # switched off by hand
        self._bounce: str | None = None
        self._full = False
        self._edges = dict.fromkeys(ROLES, -EDGES_US)  # when a key's last edge was, or will be
        self._given = dict.fromkeys(ROLES, False)  # and whether it is down after that
        self._wanted = dict.fromkeys(ROLES, False)  # whether a finger is on it

        self._mode = "own"
        self._recording: Recording | None = None
        self._scored = -1  # the panel's version whose scores a recording has
        self._playing = ""  # the name of the scenario

    # -- from other threads ----------------------------------------------------------------------

    def key(self, role: str, down: bool) -> None:
        self.put("key", role, down)

    def put(self, *message: Any) -> None:
        """A message for `_obey`: its kind, then what it takes."""
        self._inbox.put((time.monotonic(), *message))

    def stuck(self) -> bool:
        """Whether it has been at work for so long that something must be wrong with the firmware."""
        began = self.turn_began
        return began is not None and time.monotonic() - began > STUCK_S

    def unhang(self) -> None:
        """A firmware that hangs keeps the thread waiting: without its process it waits no longer."""
        with contextlib.suppress(Exception):
            self.device.close()

    def end(self) -> None:
        """Power off and end the thread."""
        self.put("end")
        self.join(2)
        if self.is_alive():
            self.unhang()
            self.join(2)
        self._drop_scratch()

    # -- the thread ------------------------------------------------------------------------------

    def run(self) -> None:
        if hasattr(signal, "pthread_sigmask"):
            # Ctrl-C goes to the whole process group. The child inherits this mask: it is for us to end it, or its
            # death would be taken for a crash.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
        work: Callable[[], None] = self._switch_on
        while True:
            try:
                self._guarded(work)
                work = self._turn
                self._state()
            except _Left as left:
                work = partial(self._obey, *left.args)
            except _End:
                with contextlib.suppress(Exception):
                    self.device.close()
                return

    def _turn(self, limit: int | None = None) -> None:
        """One message, or a slice of time; the clock goes no further than `limit`."""
        message: tuple[Any, ...] | None = None
        with contextlib.suppress(queue.Empty):
            wait = self._slice(limit)
            message = self._inbox.get(timeout=wait) if wait != 0 else self._inbox.get_nowait()
        self.turn_began = time.monotonic()
        try:
            # A press happened when it arrived, not when it is its turn: who was first depends on it.
            self._advance(message[0] if message else self.turn_began, limit)
            if message:
                self._obey(*message[1:])
            if not self._runs() and self._teller.unseen:
                self._look()
            self._teller.tell_slowly(self._runs(), self._crash)
        finally:
            self.turn_began = None

    def _runs(self) -> bool:
        return not self._crash and (not self._paused or self.device.now < self._granted)

    def _slice(self, limit: int | None) -> float | None:
        """How long to wait for a message at most, in seconds; None: nothing happens without one."""
        now = time.monotonic()
        due = self._teller.due()
        if not self._runs():
            return GAP_S if self._teller.unseen else due
        if not self._speed or self._paused:
            return 0
        held = any(map(self.device.is_down, ROLES))
        wait = FAST_S if now < self._busy_until else HELD_S if held else IDLE_S
        if limit is not None:
            ahead = (limit - self._virtual) / 1e6 / self._speed - (now - self._wall)
            wait = min(wait, max(0.0, ahead))
        return wait if due is None else min(wait, due)

    def _guarded(self, work: Callable[[], None]) -> None:
        """Whatever goes wrong in the firmware (or in a tier) is shown, and the server lives on."""
        try:
            work()
        except DeviceError as error:
            self._crashed(str(error))
        except (_Left, _End):
            raise
        except Exception:
            self._crashed(traceback.format_exc())

    def _crashed(self, text: str) -> None:
        if self._crash:
            return
        self._crash = text or "the firmware stopped"
        print(f"The firmware stopped:\n{self._crash}", file=sys.stderr, flush=True)
        self._teller.note("it stopped: " + self._crash.strip().split("\n")[-1])
        self._teller.say("crash", text=self._crash)
        self._teller.silence()
        self._granted = 0
        self._teller.inspect_soon(self._runs())
        self._state()

    def _switch_on(self) -> None:
        self._furnish()
        self._anchor()
        self.device.power_on()
        self._teller.note(f"--- {self.board.name}, {self.tier}")
        self._busy_until = time.monotonic() + BUSY_S

    def _furnish(self, main: Path | None = None) -> None:
        """Put the files onto the device's flash that a new one has, or one that was used with an older build."""
        run.put_files(self.device.board, self.device.flash, main)
        self.device.refresh()

    # -- time ------------------------------------------------------------------------------------

    def _anchor(self) -> None:
        """From here the virtual clock goes along the wall clock again."""
        self._wall = time.monotonic()
        self._virtual = self._granted = self.device.now
        self._teller.anchor()

    def _due(self, wall: float) -> int:
        """What the virtual clock should read at that moment of the wall clock."""
        device = self.device
        if self._paused:
            return self._granted
        if not self._speed:
            return device.now + 20 * STEP_US
        target = self._virtual + int((wall - self._wall) * 1e6 * self._speed)
        if target - device.now > BEHIND_S * 1e6 * max(1.0, self._speed):
            self._anchor()
            target = device.now + STEP_US
            self._virtual = target
        return target

    def _advance(self, wall: float, limit: int | None = None) -> None:
        if not self._runs():
            return
        device = self.device
        started = time.monotonic()
        target = self._due(wall)
        if limit is not None:
            target = min(target, limit)
        step = MS if self._to_frame >= 0 else STEP_US
        while device.now < target:
            Device.run(device, min(target, device.now + step))
            self._look()
            if self._to_frame >= 0 and self._frame_is_whole():
                break
            took = time.monotonic() - started
            if took > SLOW_S and (took > 4 * SLOW_S or not self._inbox.empty()):
                break  # on a tier that is slower than life, a key need not wait for all of it
        if self._paused and (device.now >= self._granted or self._to_frame == -2):
            self._granted = device.now
            self._to_frame = -1
            self._teller.clock()
            self._teller.inspect_soon(self._runs())

    def _frame_is_whole(self) -> bool:
        if self._teller.sequence == self._to_frame or self.device.now - self._teller.changed_at < FRAME_REST_US:
            return False
        self._to_frame = -2
        return True

    # -- messages --------------------------------------------------------------------------------

    def _obey(self, kind: str, *args: Any) -> None:
        if kind == "end":
            raise _End
        if self._mode == "replay" and kind in ("key", "bounce", "power", "panel", "full"):
            return  # the scenario has the hands
        if self._mode == "replay" and kind in ("reset", "machine", "record", "replay", "own"):
            raise _Left(kind, *args)
        getattr(self, "_on_" + kind)(*args)
        self._state()

    def _on_key(self, role: str, down: bool) -> None:
        self._wanted[role] = down
        self._fingers()

    def _on_pause(self, on: bool | None) -> None:
        self._paused = not self._paused if on is None else on
        self._to_frame = -1
        self._anchor()
        self._fingers()
        self._teller.clock()

    def _on_step(self, us: int) -> None:
        """us: so far; 0: to the next whole frame."""
        if not self._paused:
            self._on_pause(True)
        if not self._crash:
            self._to_frame = -1 if us else self._teller.sequence
            self._granted = max(self._granted, self.device.now) + (us or FRAME_MOST_US)
            self._fingers()

    def _on_speed(self, speed: float) -> None:
        self._speed = speed
        self._anchor()

    def _on_inspect(self, on: bool) -> None:
        self._teller.inspect(on)

    def _on_bounce(self, kind: str | None) -> None:
        self._bounce = kind

    def _on_panel(self, present: bool) -> None:
        self._happen(0, "panel " + ("plugged" if present else "unplugged"), self._plug, present)

    def _plug(self, present: bool) -> None:
        bus = self.device.bus
        bus.plug() if present else bus.unplug()
        self.device.panel.version += 1

    def _on_power(self, on: bool) -> None:
        if on == (self.device.powered and not self._crash):
            return
        if on and not self._crash:
            self._paused = False
            self._anchor()
            self._happen(0, "power on", self._power, True)
        elif on:
            self._on_reset()
        else:
            self._off()
        self._cut = not on

    def _on_reset(self) -> None:
        self._off()
        self._cut = False
        self._happen(OFF_US, "power on", self._power, True)

    def _power(self, on: bool) -> None:
        self.device.power_on() if on else self.device.power_off()

    def _off(self) -> None:
        """Off at once, whatever state it is in."""
        device = self.device
        crashed, self._crash = self._crash, ""
        self._paused = False
        self._teller.say("crash", text="")
        self._anchor()
        if crashed or not self._recording:
            device.power_off()
            if self._recording:
                self._recording.faults.append((self._grid(), "power off"))
        else:
            self._happen(0, "power off", self._power, False)
            Device.run(device, self._grid())
        self._look()

    def _on_full(self, full: bool) -> None:
        """The flash can be filled only while the power is off: it is cut for that."""
        powered = self.device.powered or bool(self._crash)
        self._off()
        self._full = full
        self._happen(0, "flash " + ("full" if full else "free"), self.device.fill, full)
        if powered:
            self._happen(OFF_US, "power on", self._power, True)

    def _grid(self) -> int:
        """From when on something can happen: now, and in a recording at a whole millisecond after what is under way."""
        now = self.device.now
        if not self._recording:
            return now
        return -(-max(now, *self._edges.values()) // MS) * MS

    def _happen(self, after_us: int, step: str, work: Callable[[Any], None], value: Any) -> None:
        """Do what a step of a scenario does, and record it."""
        due = self._grid() + after_us
        if self._recording:
            self._recording.faults.append((due, step))
        self.device.at(due, partial(self._happened, step, work, value))
        self._soon()

    def _happened(self, step: str, work: Callable[[Any], None], value: Any) -> None:
        work(value)
        self._teller.note(step)

    def _soon(self) -> None:
        if not self._recording:
            Device.run(self.device, self.device.now)  # takes no time: does what is due
        self._busy_until = time.monotonic() + BUSY_S
        self._teller.inspect_soon(self._runs())

    def _fingers(self) -> None:
        """Give the device the edges that it lacks. While it is paused it has no time to see any."""
        device = self.device
        if not self._runs():
            return
        for role in ROLES:
            if self._wanted[role] == self._given[role]:
                continue
            self._given[role] = down = self._wanted[role]
            due = max(device.now, self._edges[role] + EDGES_US)
            if self._recording:
                due = -(-due // MS) * MS
            edge = Edge(due, role, down, self._bounce)
            self._teller.note(f"{role} {'down' if down else 'up'}")
            if self._recording:
                self._recording.edges.append(edge)
            for self._edges[role], closed in edge.contacts():
                device.at(self._edges[role], partial(device.key, role, closed))
        self._soon()

    # -- sessions --------------------------------------------------------------------------------

    def _on_machine(self, tier: str, board: str) -> None:
        """Another tier or board, for the own device; what is recorded or played ends."""
        if self._mode == "recording":
            self._on_record(False)
        try:
            chosen = boards.find(board)
            if reason := tiers.absent(tier) or tiers.unfit(tier, chosen):
                raise DeviceError(reason)
            self._flashes(chosen)
        except (boards.BoardError, DeviceError, OSError) as error:
            self._teller.say("notice", text=f"It stays as it is: {error}")
            return
        self.tier, self.board = tier, chosen
        self._begin("own", tier, chosen, None)

    def _on_own(self) -> None:
        if self._mode == "recording":
            self._on_record(False)
        elif self._mode != "own":
            self._begin("own", self.tier, self.board, None)

    def _on_record(self, on: bool) -> None:
        if on and self._mode != "recording":
            unfit = tiers.unfit("rp2040", self.board) or ""
            self._begin("recording", self.tier, self.board, Recording(self.board.id, self.tier, unfit))
        elif not on and self._recording:
            self._finish()
            self._begin("own", self.tier, self.board, None)

    def _finish(self) -> None:
        """Let the last change come to rest, and hand the scenario out."""
        recording, device = self._recording, self.device
        assert recording
        self._wanted = dict.fromkeys(ROLES, False)
        self._paused = False
        if not self._crash:
            self._fingers()
            with contextlib.suppress(DeviceError):
                ends = self._grid() + ENDS_US
                while device.now < ends and device.now - self._teller.changed_at < 4 * REST_US:
                    Device.run(device, device.now + STEP_US)
                    self._look()
                ends = device.now // MS * MS + 4 * REST_US
                while device.now < ends:
                    Device.run(device, min(ends, device.now + STEP_US))
                    self._look()
        self._recording = None
        self._teller.emit("film", "keep")
        self._teller.say("recording", text=recording.text(device.now // MS * MS), seconds=round(device.now / 1e6, 1))

    def _on_replay(self, scenario: Scenario, tier: str) -> None:
        """Play a scenario for whoever watches: time goes along the wall clock, and can be paused and stepped."""
        if self._mode == "recording":
            self._on_record(False)
        try:
            board = run.board_of(scenario)
        except boards.BoardError as error:
            self._teller.say("notice", text=str(error))
            return
        if reason := tiers.absent(tier) or tiers.unfit(tier, board):
            self._teller.say("notice", text=f"{tier} can't play it: {reason}")
            return
        self._playing = scenario.path.name
        if not self._begin("replay", tier, board, None, scenario):
            return
        device = self.device
        self._teller.say("played", ok=None, text=f"{self._playing} on {tier}")
        device.run = self._until  # type: ignore[method-assign]
        try:
            result = run.Player(scenario, device).play()
        except (_Left, _End):
            self._teller.say("played", ok=None, text="")
            raise
        finally:
            del device.run
            self._mode = "replayed"
        self._paused = True  # the last glass stands
        if result.failure:
            self._teller.say("played", ok=False, text=result.failure.split("\n┌")[0])
        else:
            count = sum(step.verb in EXPECTING for step in scenario.steps)
            self._teller.say("played", ok=True, text=f"{self._playing}: all {count} expectations hold on {tier}")
        self._anchor()

    def _until(self, until_us: int) -> None:
        """`Device.run` for a scenario that is watched."""
        device = self.device
        if device.now >= until_us:
            Device.run(device, until_us)
        while device.now < until_us:
            self._turn(until_us)
            if self._crash:
                raise DeviceError(self._crash)

    def _begin(
        self, mode: str, tier: str, board: Board, recording: Recording | None, scenario: Scenario | None = None
    ) -> bool:
        """Put another device on the table, and switch it on. False: it can't be made, and a crash is shown."""
        with contextlib.suppress(Exception):
            if self._mode == "own" and not self._crash:
                Device.run(self.device, self.device.now + KEEP_US)
            self.device.close()
        self._drop_scratch()
        if mode == "own":
            flash = self._flashes(board)
        else:
            flash = self._scratch = Path(tempfile.mkdtemp(prefix="pouch-"))
        self._mode = mode
        self._crash, self._paused, self._cut = "", False, False
        self._speed = self._speed or 1.0 if mode == "own" else self._speed  # a device that idles need not race
        self._teller.say("crash", text="")
        self._recording = recording
        self._full = False
        self._bounce = self._bounce if mode != "replay" else None
        self._edges = dict.fromkeys(ROLES, -EDGES_US)
        self._given = dict.fromkeys(ROLES, False)
        self._scored = -1
        self._teller.emit("film", "new")
        self._teller.note(f"--- {mode}, {board.name}, {tier}")
        try:
            self.device = tiers.make(tier, board, flash, scenario.ticks if scenario else 0)
            self._teller.put(self.device)
            self._furnish(scenario.main if scenario else None)
            self._anchor()
            if mode != "replay":
                self.device.power_on()
            if mode == "recording":
                # As a scenario does it: before that an emulated Pico still boots.
                while self.device.now < run.BOOT_US:
                    Device.run(self.device, self.device.now + STEP_US)
                    self._look()
                self._anchor()
            self._fingers()
        except Exception as error:
            text = str(error) if isinstance(error, (DeviceError, ValueError)) else traceback.format_exc()
            self._crashed(text)
            return False
        self._look()
        self._state()
        return True

    def _drop_scratch(self) -> None:
        if self._scratch:
            shutil.rmtree(self._scratch, ignore_errors=True)
            self._scratch = None

    # -- what changed ----------------------------------------------------------------------------

    def _state(self) -> None:
        device = self.device
        self._teller.say_new(
            "state",
            tier=device.tier,
            board=device.board.name,
            board_id=device.board.id,
            sounder=device.board.piezo_kind,
            paused=self._paused,
            crashed=bool(self._crash),
            powered=device.powered or not self._cut,
            speed=self._speed,
            bounce=self._bounce,
            panel=device.bus.present,
            full=self._full,
            mode=self._mode,
            playing=self._playing if self._mode.startswith("replay") else "",
        )

    def _look(self) -> None:
        device = self.device
        if self._teller.look():
            self._busy_until = time.monotonic() + BUSY_S
        if self._recording:
            self._watch(self._recording)
        if self._mode == "replay":
            self._teller.say_new("keys", down=[role for role in ROLES if device.is_down(role)])
            return
        # Kept for scenarios; a device that is left on for a week would fill the memory with them.
        device.bus.transfers.clear()
        device.led.changes.clear()
        del device.piezo.tones[:-1]

    def _watch(self, recording: Recording) -> None:
        device = self.device
        recording.saw(device.now, device.page())
        settled = device.powered and device.now - self._teller.changed_at >= REST_US
        # Where an answer takes long the glass must do.
        if settled and self._scored != device.panel.version and device.answers_soon() and not device.at_prompt:
            self._scored = device.panel.version
            with contextlib.suppress(DeviceError, ValueError):
                recording.scores.append((device.now, json.loads(device.ask("app.running.scores()"))))
