"""Finds the texts that the firmware can show, in its sources.

They are: what is passed to `say`, the labels of the legends, the words of tables that are said row by row, and the
lines about what could not be read, which are said when they are shown.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from host_sim.firmware import FIRMWARE

# Tables of a module and which columns of a row are texts of the glass; None: the table is a row.
_TABLES: dict[str, tuple[int, ...] | None] = {
    "OPTIONS": (1, 2),
    "LIMIT": None,
    "ROWS": (1, 2, 4),
    "_GAMES": (1, 2),
    "_WAYS": (1, 2, 3, 5),
    "NAMES": None,
    "NAME": None,
    "_LASTS": None,
    "_STUCK": None,
    "_PARTS": None,  # of the self-test
    "_NAMES": None,
    "_WHY": None,
    "TITLES": None,
    "_APART": (1, 2),
    "_MORE": (0,),
    "_LICENCES": (1,),
    "_COLUMNS": None,
}
# What the self-test finds, which is said where it is shown.
_FOUND = ("wrong", "silent", "no tone", "bad", "full", "stuck", "other", "dead", "OTHER", "Keys", "Panel")
_UNSAID = {"English", "español", "none"}  # each in itself; shown as "off"
# In pouch.power_on: what a value that is kept is called, where that is not its file's name.
_CALLED = "_CALLED"


def strings(node: ast.AST) -> Iterator[str]:
    """All string constants below a node that can be its value: not what an `if` asks or an index is."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield node.value
    elif isinstance(node, ast.IfExp):
        yield from strings(node.body)
        yield from strings(node.orelse)
    elif isinstance(node, ast.Subscript):
        yield from strings(node.value)
    elif isinstance(node, (ast.Tuple, ast.List)):
        for item in node.elts:
            yield from strings(item)
    elif isinstance(node, ast.BoolOp):
        for item in node.values:
            yield from strings(item)
    elif isinstance(node, ast.BinOp):
        yield from strings(node.left)
        yield from strings(node.right)


def is_text(string: str) -> bool:
    return any(character.isalpha() for character in string)


def stem(label: str) -> str:
    """A label without the signs that say what kind of a key it is."""
    return label.removeprefix("#").removesuffix("≡")


def said(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """(text, line) of what is passed to `say`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
            for string in strings(node.args[0]):
                yield string, node.lineno


def legends(tree: ast.AST) -> Iterator[tuple[list[set[str]], int]]:
    """(the labels that each key can have, line) of each legend that a screen can give."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        if function.name == "ok":
            # pouch.screens.listed
            of_ok = {
                text
                for node in ast.walk(function)
                if isinstance(node, ast.Return) and node.value
                for text in strings(node.value)
            }
            yield [{"▲"}, {"BACK"}, of_ok, {"▼"}], function.lineno
        if function.name != "legend":
            continue
        names: dict[str, set[str]] = {}
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                names.setdefault(node.targets[0].id, set()).update(strings(node.value))
        for node in ast.walk(function):
            if isinstance(node, ast.Return) and node.value is not None:
                tuples = [node.value]
                if isinstance(node.value, ast.IfExp):
                    tuples = [node.value.body, node.value.orelse]
                for found in tuples:
                    if isinstance(found, ast.Tuple) and found.elts:
                        keys = [_label(item, names) for item in found.elts]
                        yield keys, node.lineno


def _label(node: ast.expr, names: dict[str, set[str]]) -> set[str]:
    if isinstance(node, ast.Name):
        return names.get(node.id, set())
    return set(strings(node))


def labels(folder: Path = FIRMWARE) -> list[str]:
    """The labels of all legends with their signs, as pouch.ui.legend looks them up."""
    found = set()
    for path in folder.rglob("*.py"):
        for keys, _ in legends(ast.parse(path.read_text("utf-8"))):
            found |= {label for label in set().union(*keys) if stem(label) != label}
    return sorted(found)


def _tables(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in tree.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        name = node.targets[0].id
        if name not in _TABLES:
            continue
        columns = _TABLES[name]
        if isinstance(node.value, ast.Dict):
            for value in node.value.values:
                for string in strings(value):
                    yield string, value.lineno
            continue
        rows = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        if name == "LIMIT":
            rows, columns = [node.value], (1,)
        for row in rows:
            parts: list[ast.expr] = [row]
            if columns is not None and isinstance(row, ast.Tuple):
                parts = [row.elts[column] for column in columns]
            elif columns is not None:
                continue
            for part in parts:
                for string in strings(part):
                    yield string, row.lineno


def slots(folder: Path = FIRMWARE) -> dict[str, str]:
    """{name of a value that a store keeps: the first place where it is loaded, as file:line}."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name: ast.expr | None = None
            if isinstance(node.func, ast.Attribute) and node.func.attr == "load" and len(node.args) == 3:
                name = node.args[0]
            elif isinstance(node.func, ast.Name) and node.func.id == "Slots":
                name = node.args[1]
            if isinstance(name, ast.Constant):
                found.setdefault(str(name.value), f"{path.relative_to(folder)}:{node.lineno}")
    return found


def _called(tree: ast.Module) -> dict[str, str]:
    """What values that are kept are called: pouch.power_on."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == _CALLED:
            return dict(ast.literal_eval(node.value))
    return {}


def _store(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The lines of pouch.store: with {} for the number of a match, or for what a value that is kept is called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "problem":
            for what in strings(node.value):
                yield what + ": {}.", node.lineno
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append":
            for argument in node.args:
                if isinstance(argument, ast.JoinedStr):
                    parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in argument.values]
                    line = "".join(str(part) for part in parts)
                    if line.count("{}") == 1 and line.endswith(".") and not line.startswith("{}"):
                        yield line, node.lineno


def texts(folder: Path = FIRMWARE) -> dict[str, str]:
    """{English text: the first place where it stands, as file:line}, of all that the glass can say."""
    found: dict[str, str] = {}

    def add(string: str, path: Path, line: int) -> None:
        if is_text(string) and string not in _UNSAID:
            found.setdefault(string, f"{path.relative_to(folder)}:{line}")

    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for string, line in said(tree):
            add(string, path, line)
        for keys, line in legends(tree):
            for label in set().union(*keys):
                add(stem(label), path, line)
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "HELD":
                for string in strings(node.value):
                    add(string, path, node.lineno)
        for string, line in _tables(tree):
            add(stem(string), path, line)
        if path.name.startswith("selftest") or path.name == "checks.py":
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and str(node.value).strip() in _FOUND:
                    add(str(node.value).strip(), path, node.lineno)
        if path.name == "store.py":
            for string, line in _store(tree):
                add(string, path, line)
        if path.name == "power_on.py":
            called = _called(tree)
            for slot, place in slots(folder).items():
                found.setdefault(called.get(slot, slot), place)
    return found
