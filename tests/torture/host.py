"""What the host needs to run the app's own code: pouch.app wants the Pico's modules when it is imported."""

import builtins
import sys
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in (ROOT, ROOT / "firmware", ROOT / "host_sim" / "child" / "cpython"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def _import_app() -> None:
    import micropython

    machine = types.ModuleType("machine")
    for name in ("I2C", "PWM", "Pin", "reset"):
        setattr(machine, name, None)
    kept = sys.modules.get("machine")
    sys.modules["machine"] = machine
    for name in ("ptr8", "ptr16"):
        setattr(builtins, name, getattr(micropython, name))
    try:
        import pouch.app  # noqa: F401
    finally:
        for name in ("ptr8", "ptr16"):
            delattr(builtins, name)
        if kept is None:
            del sys.modules["machine"]
        else:
            sys.modules["machine"] = kept


_import_app()
