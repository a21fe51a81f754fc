"""python -m host_sim: the device in a browser tab; `run` and `accept` for scenarios; `pico` for a serial port."""

import argparse
import dataclasses
import os
import sys
import webbrowser
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from host_sim import review, run, tiers
from host_sim.board import BoardError, find
from host_sim.device import DeviceError
from host_sim.scenario import Scenario, ScenarioError, parse


def _jobs(files: Sequence[Path], wanted: Sequence[str]) -> list[tuple[Scenario, str]]:
    return [(scenario, tier) for scenario in map(parse, files) for tier in wanted if tier in scenario.tiers]


def _play(job: tuple[Scenario, str]) -> run.Result:
    return run.play(*job)


def command_run(args: argparse.Namespace) -> int:
    """Play scenarios and compare the glasses of the tiers. Exit 1 if anything differs, 2 if it can't be played."""
    chosen = list(tiers.TIERS) if args.tier == "all" else [args.tier]
    board = find(args.board) if args.board else None
    absent = {tier: reason for tier in chosen if (reason := tiers.absent(tier) or (board and tiers.unfit(tier, board)))}
    for tier, reason in absent.items():
        print(f"ABSENT {tier}: {reason}")
    if args.tier in absent:
        return 2
    jobs = _jobs(args.files, [tier for tier in chosen if tier not in absent])
    if board:
        jobs = [(dataclasses.replace(scenario, board=board.id), tier) for scenario, tier in jobs]
    with ProcessPoolExecutor(max_workers=args.jobs) as pool:
        results = list(pool.map(_play, jobs))
    by_file: dict[Path, list[run.Result]] = {}
    for result in results:
        by_file.setdefault(result.scenario.path, []).append(result)
    failures = []
    for path, played in by_file.items():
        failures += [result.failure for result in played if result.failure]
        good = [result for result in played if not result.failure]
        if len(good) > 1:
            differ = run.differences(good)
            failures += differ
        note = (
            f"  (only {', '.join(played[0].scenario.tiers)}: {played[0].scenario.reason})"
            if played[0].scenario.reason
            else ""
        )
        heap = {r.tier: f", {r.heap / 1000:.1f} kB free" for r in played if r.heap is not None}
        marks = ", ".join(f"{r.tier} {'FAILED' if r.failure else 'ok'}{heap.get(r.tier, '')}" for r in played)
        print(f"{path}: {marks}{note}")
    for failure in failures:
        print("\n" + failure)
    report = review.write(results)
    if report:
        print(f"\nThe glasses side by side: {report}\nTo accept from there: .venv/bin/python -m host_sim review")
    print(f"\n{len(by_file)} scenarios, {len(results)} runs, {len(failures)} failures")
    return 1 if failures else 0


def command_accept(args: argparse.Namespace) -> int:
    """Play scenarios on one tier and keep its glass as the frames to compare with from now on."""
    bad = 0
    for scenario in map(parse, args.files):
        tier = args.tier if args.tier in scenario.tiers else scenario.tiers[0]
        result = run.play(scenario, tier, accept=True)
        if result.failure:
            bad += 1
            print(result.failure)
        for name in result.kept:
            print(f"kept {scenario.path.parent / run.FRAMES / name}.png")
        if result.drawn_by:
            run.write_screens(scenario.path.parent / run.FRAMES, result.drawn_by)
    return 1 if bad else 0


def command_film(args: argparse.Namespace) -> int:
    """Play a scenario and save what the glass showed as a GIF, or of a .png its last glass."""
    from host_sim import film

    scenario = parse(args.file)
    try:
        frames = film.shoot(scenario, args.tier)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    count = film.save(frames, args.out, args.scale)
    print(f"{args.out}: {count} frames, {frames[-1][0] / 1e6:.1f} s on the device")
    return 0


def command_review(args: argparse.Namespace) -> int:
    """Show the report of the last run that differed, with a button beside each glass that keeps it."""
    server = review.server(port=args.port)
    address = f"http://127.0.0.1:{server.server_address[1]}/"
    print(f"{address}  (Ctrl-C ends it)")
    if not args.no_open:
        webbrowser.open(address)
    server.serve_forever()
    return 0


def command_pico(args: argparse.Namespace) -> int:
    """Run the emulated Pico with its USB serial port as one of this machine's, until Ctrl-C."""
    import tempfile
    import time

    from host_sim.tiers import rp2040, rp2040_serial

    if reason := tiers.absent("rp2040"):
        print(f"ABSENT rp2040: {reason}", file=sys.stderr)
        return 2
    board = find(rp2040.BOARD)
    with tempfile.TemporaryDirectory(prefix="pouch-pico-") as temporary:
        flash = args.data or Path(temporary)
        if args.empty and not (flash / rp2040.FLASH).exists():
            rp2040.put_bare(flash)
        device = rp2040.Rp2040Device(board, flash)
        with device, rp2040_serial.SerialPort(device) as port:
            print(f"PORT={port.path}  (Ctrl-C ends it)", flush=True)
            while not port.error:
                time.sleep(0.2)
            raise port.error


def command_serve(args: argparse.Namespace) -> int:
    from host_sim import serve

    return serve.main(args)


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m host_sim", description=__doc__)
    commands = top.add_subparsers(dest="command")
    runs = commands.add_parser("run", help="play scenarios", description=command_run.__doc__)
    runs.add_argument("files", nargs="+", type=Path, metavar="FILE")
    runs.add_argument("--tier", choices=(*tiers.TIERS, "all"), default="cpython")
    runs.add_argument("--board", metavar="BOARD", help="a folder of boards/, in the place of the scenario's")
    runs.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    runs.set_defaults(run=command_run)
    accept = commands.add_parser("accept", help="keep today's frames", description=command_accept.__doc__)
    accept.add_argument("files", nargs="+", type=Path, metavar="FILE")
    accept.add_argument("--tier", choices=tiers.TIERS, default="cpython")
    accept.set_defaults(run=command_accept)
    films = commands.add_parser("film", help="a scenario as a GIF", description=command_film.__doc__)
    films.add_argument("file", type=Path, metavar="FILE")
    films.add_argument("-o", "--out", type=Path, required=True, metavar="OUT.gif|.png")
    films.add_argument("--tier", choices=tiers.TIERS, default="cpython")
    films.add_argument("--scale", type=int, default=3)
    films.set_defaults(run=command_film)
    reviews = commands.add_parser("review", help="look and accept", description=command_review.__doc__)
    reviews.add_argument("--port", type=int, default=0)
    reviews.add_argument("--no-open", action="store_true", help="do not open a browser")
    reviews.set_defaults(run=command_review)
    pico = commands.add_parser("pico", help="the emulated Pico on a serial port", description=command_pico.__doc__)
    pico.add_argument("--empty", action="store_true", help="with MicroPython on it and no file, if DIR is new")
    pico.add_argument("--data", type=Path, metavar="DIR", help="keep its flash there (default: it is thrown away)")
    pico.set_defaults(run=command_pico)
    serve = commands.add_parser("serve", help="the device in a browser tab (the default)")
    for where in (top, serve):
        where.add_argument(
            "--port", type=int, default=8000, help="on 127.0.0.1; the next free one is taken if it is in use"
        )
        where.add_argument("--host", default="127.0.0.1", help="listen there instead of on this machine alone")
        where.add_argument("--no-open", action="store_true", help="do not open a browser")
        where.add_argument("--board", metavar="BOARD", default=None, help="a folder of boards/ (default: RPI_PICO)")
        where.add_argument("--data", type=Path, default=None, help="the folder that stands for the device's flash")
        if where is serve:
            where.add_argument("--tier", choices=tiers.TIERS, default=None)
    top.add_argument("--tier", choices=tiers.TIERS, default=None, help="default: micropython if this machine has it")
    top.set_defaults(run=command_serve)
    serve.set_defaults(run=command_serve)
    return top


def main() -> int:
    args = parser().parse_args()
    try:
        return args.run(args)
    except (ScenarioError, BoardError, DeviceError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
