"""Names that modules share on the board: nobody can tell, and there are far fewer of them."""

import re
import shutil
from pathlib import Path

import pytest

from tests.torture import child
from tools import build
from tools.share_names import share

FIRMWARE = child.firmware.FIRMWARE


def shared(**sources):
    return share(sources, {"_driver", "driver"})


def run(texts, names):
    """The modules' values of these names, after all have run."""
    spaces: dict[str, dict] = {}
    for module, text in texts.items():
        space = spaces[module] = {}
        exec(text, space)
    return [spaces[module][name] for module, name in names]


def test_what_two_modules_say_for_themselves_is_one_name():
    texts = shared(
        one="def _teeth(self):\n    return 1\n\nA = _teeth(0)\n", two="def _voters():\n    return 2\n\nB = _voters()\n"
    )
    assert "_teeth" not in texts["one"] and "_voters" not in texts["two"]
    assert re.findall(r"def (\w+)", texts["one"]) == re.findall(r"def (\w+)", texts["two"])
    assert run(texts, [("one", "A"), ("two", "B")]) == [1, 2]


BASE = (
    "class Base:\n    def __init__(self):\n        self._kept = 1\n\n    def _look(self):\n        return self._kept\n"
)
OWN = "from base import Base\n\n\nclass Own(Base):\n    def __init__(self):\n        super().__init__()\n"
OWN += (
    "        self._held = 5\n\n    def _see(self):\n        return self._held, self._look()\n\n\nGOT = Own()._see()\n"
)


def test_an_object_whose_classes_are_in_two_modules_has_both_their_names():
    texts = shared(base=BASE, own=OWN.replace("self._look()", "self._kept"), other="class C:\n    _x = 1\n")
    assert "_held" not in texts["own"], "nothing was renamed"
    spaces: dict = {}
    exec(texts["base"], spaces)
    exec(texts["own"].replace("from base import Base\n", ""), spaces)
    own = spaces["Own"]()
    assert sorted(vars(own).values()) == [1, 5]


def test_over_two_steps_and_from_two_sides_too():
    texts = shared(
        base="class Base:\n    def set(self):\n        self._first = 1\n",
        middle="from base import Base\n\n\nclass Middle(Base):\n    pass\n",
        side="class Side:\n    def put(self):\n        self._third = 3\n",
        own="from middle import Middle\nfrom side import Side\n\n\nclass Own(Middle, Side):\n    def add(self):\n"
        "        self._second = 2\n",
    )
    found = [re.search(r"self\.(\w+)", texts[module])[1] for module in ("base", "side", "own")]
    assert len(set(found)) == 3 and not {"_first", "_second", "_third"} & set(found)


@pytest.mark.parametrize(
    "more",
    [
        "def f(other):\n    return other._kept\n",  # somebody else's
        "from base import _kept\n",
        "import base\n\nX = base._kept\n",
        "NAME = 'see _kept'\n",
        "class D(__import__('base').Base):\n    def f(self):\n        return self._kept\n",
    ],
)
def test_what_others_may_know_of_stays(more):
    texts = (
        shared(base=BASE, more=more)
        if "class D" not in more
        else shared(
            base=BASE, more="from base import Base\n\n\nclass D(Base):\n    def f(self):\n        return self._kept\n"
        )
    )
    assert "_kept" in texts["base"]
    assert "_look" not in texts["base"]


def test_what_the_driver_says_and_what_python_says_stays():
    texts = shared(
        one="class C:\n    def __len__(self):\n        return self._driver\n\n    def f(self, driver, _):\n        0\n"
    )
    assert all(name in texts["one"] for name in ("__len__", "_driver", "driver", ", _)"))


def test_arguments_that_are_nothing_else_share_and_those_of_one_function_differ():
    texts = shared(
        one="def f(height, width):\n    def g(depth):\n        return height, width, depth\n    return g(3)\n\n"
        "A = f(1, 2)\n",
        two="def h(left, right, *, top=4):\n    left += 0\n    return [left for _ in '1'], right, top\n\n"
        "B = h(1, 2, top=3)\n",
    )
    assert not re.search("height|width|depth|left|right", texts["one"] + texts["two"])
    assert "top=3" in texts["two"], "said by whoever calls it"
    assert run(texts, [("one", "A"), ("two", "B")]) == [(1, 2, 3), ([1], 2, 3)]


def test_an_argument_with_the_name_of_a_builtin_takes_it_from_nobody():
    texts = shared(one="def f(sum):\n    return sum\n", two="def g(many):\n    return sum(many)\n\n\nA = g([1, 2])\n")
    assert run(texts, [("two", "A")]) == [3]


def test_inside_of_a_text_they_change_too_and_its_words_do_not():
    texts = shared(one="def f(size):\n    '''The size.'''\n    return f'{size + 1} is larger'\n\n\nA = f(1)\n")
    assert "size" not in texts["one"].replace("'''", "") and run(texts, [("one", "A")]) == ["2 is larger"]
    kept = shared(one="def f(size):\n    return f'the size {size}'\n\n\nA = f(1)\n")
    assert run(kept, [("one", "A")]) == ["the size 1"]


def test_lines_stay_where_they_are():
    sources = {path.name: path.read_text("utf-8") for path in (FIRMWARE / "pouch" / "screens").glob("*.py")}
    made = share(sources, ())
    assert made != sources
    for name, text in sources.items():
        assert made[name].count("\n") == text.count("\n")


def test_hundreds_of_names_less():
    private = {name for mpy in build.modules("RPI_PICO").values() for name in build.names_in(mpy) if name[0] == "_"}
    said = {name for path in FIRMWARE.rglob("*.py") for name in re.findall(r"\b_[a-z]\w+", path.read_text("utf-8"))}
    assert len(said) > 300 and len(private) < 130


def test_the_app_does_the_same_with_them(tmp_path: Path):
    """Random presses, to the last edge, frame and write. What the player looks at keeps its name."""
    copy = tmp_path / "firmware"
    shutil.copytree(FIRMWARE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    paths = {path.relative_to(copy).with_suffix("").as_posix().replace("/", "."): path for path in copy.rglob("*.py")}
    dotted = {name.removesuffix(".__init__"): path for name, path in paths.items()}
    kept: set[str] = set()
    for script in (Path(child.__file__).parent).rglob("*.py"):
        kept.update(re.findall(r"\w+", script.read_text("utf-8")))
    kept.update(
        name for mpy in build.modules("RPI_PICO").values() for name in build.names_in(mpy) if name[:4] == "SET_"
    )
    kept.update(re.findall(r"\w+", (build.installed("adafruit_ssd1306.py")).read_text("utf-8")))
    made = share({name: path.read_text("utf-8") for name, path in dotted.items()}, kept)
    changed = 0
    for name, path in dotted.items():
        changed += made[name] != path.read_text("utf-8")
        path.write_text(made[name], "utf-8")
    assert changed > 60
    reports = [child.play("cpython", "fuzz", 8, 700, firmware_folder=folder) for folder in (FIRMWARE, copy)]
    for what in ("events", "edges", "steps", "us", "writes", "cuts", "matches", "frames", "screens"):
        assert reports[0][what] == reports[1][what], what
