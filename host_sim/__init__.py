"""The laptop's side of Pouch: the chips around the firmware, a virtual clock, scenarios and a page."""

import sys
from importlib.util import find_spec

# Of the packages in .venv those without which nothing here starts.
_NEEDED = ("PIL", "jsonschema", "littlefs", "websockets")

if lacking := [name for name in _NEEDED if find_spec(name) is None]:
    sys.exit(
        f"{sys.executable} has no {', '.join(lacking)}: run `make sim` once, "
        "then .venv/bin/python in the place of python"
    )
