"""Private names that are one on the board: MicroPython keeps each name that it ever met, some 14 bytes, for ever.

`_teeth` of a board and `_voters` of a vote can be the same name there, as nobody outside of their modules says it.
Only what is surely private to its module is renamed: what is imported nowhere, said neither in the library nor in a
string, as an attribute of nothing but `self`, and in no class that it derives from or that derives from it. Likewise
arguments that are nothing but arguments. The lines stay what they were, and so does what a traceback says of them; the
functions in it have the names that are shared.
"""

import ast
import builtins
import keyword
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from string import ascii_lowercase

_Nodes = Mapping[str, Collection[ast.AST]]  # all of each module
_PRIVATE = re.compile(r"_[A-Za-z0-9]\w*")


def share(sources: Mapping[str, str], kept: Collection[str]) -> dict[str, str]:
    """The sources, by the dotted names of their modules, with fewer private names. kept: names that must stay."""
    trees = {module: ast.parse(source) for module, source in sources.items()}
    nodes = {module: list(ast.walk(tree)) for module, tree in trees.items()}
    said = {module: set(_said(all_of_it)) for module, all_of_it in nodes.items()}
    never = {*kept, *(name for all_of_it in nodes.values() for name in _told(all_of_it))}
    together = _together(nodes)
    taken = never.union(*said.values())
    own = {
        module: sorted(
            name
            for name in names - never
            if _PRIVATE.fullmatch(name) and not any(name in said[other] for other in together[module] - {module})
        )
        for module, names in said.items()
    }
    shared: dict[str, dict[str, str]] = {}
    # The largest first: the others find room in what it needs.
    for module in sorted(own, key=lambda module: (-len(own[module]), module)):
        near = {name for other in together[module] for name in shared.get(other, {}).values()}
        free = (name for name in _short("_") if name not in taken and name not in near)
        shared[module] = dict(zip(own[module], free, strict=False))
    arguments = _arguments(trees, nodes, never, taken)
    return {module: _renamed(source, {**arguments, **shared[module]}) for module, source in sources.items()}


def _arguments(
    trees: Mapping[str, ast.Module], nodes: _Nodes, never: Collection[str], taken: Collection[str]
) -> dict[str, str]:
    """New names for arguments: those of one function differ."""
    functions = []
    others = {"self", "_", *dir(builtins), *never}
    for module, tree in trees.items():
        tops = [list(ast.walk(node)) for node in _outside(tree) if isinstance(node, ast.FunctionDef)]
        inside = {id(node) for top in tops for node in top}
        functions += tops
        for node in nodes[module]:
            if isinstance(node, ast.Name) and id(node) not in inside:
                others.add(node.id)
            elif isinstance(node, ast.Attribute):
                others.add(node.attr)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                others.add(node.name)
            elif isinstance(node, ast.keyword) and node.arg:
                others.add(node.arg)
            elif isinstance(node, (ast.Global, ast.Nonlocal)):
                others.update(node.names)
    every = {node.arg for top in functions for node in top if isinstance(node, ast.arg)} - others
    beside: dict[str, set[str]] = {name: set() for name in every}
    for top in functions:
        names = {node.id for node in top if isinstance(node, ast.Name)}
        names |= {node.arg for node in top if isinstance(node, ast.arg)}
        for name in names & every:
            beside[name] |= names & every
    made: dict[str, str] = {}
    for name in sorted(every, key=lambda name: (-len(beside[name]), name)):
        used = {made.get(other) for other in beside[name]}
        made[name] = next(short for short in _short("") if short not in taken and short not in used)
    return made


def _outside(tree: ast.Module) -> Iterator[ast.stmt]:
    """What stands in no function: of the module and of its classes."""
    for node in tree.body:
        yield node
        if isinstance(node, ast.ClassDef):
            yield from node.body


def _short(start: str) -> Iterator[str]:
    """a, b, ... z, aa, ab, ...: what may be a name, behind this start."""
    for first in ("", *ascii_lowercase):
        for second in ascii_lowercase:
            if not keyword.iskeyword(first + second):
                yield start + first + second


def _renamed(source: str, names: Mapping[str, str]) -> str:
    return re.sub(r"\w+", lambda found: names.get(found[0], found[0]), source)


def _said(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.arg, ast.keyword)):
            yield node.arg or ""
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from _imported(node)


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    yield from re.findall(r"\w+", getattr(node, "module", None) or "")
    for alias in node.names:
        yield from re.findall(r"\w+", f"{alias.name} {alias.asname or ''}")


def _told(nodes: Collection[ast.AST]) -> Iterator[str]:
    """What others may know of: words of strings, imports, and attributes of anything but `self`."""
    # Alone on a line a string is a docstring.
    said = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if id(node) in said:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
            text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
            yield from re.findall(r"\w+", text)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from _imported(node)
        elif isinstance(node, ast.Attribute) and not (isinstance(node.value, ast.Name) and node.value.id == "self"):
            yield node.attr


def _together(nodes: _Nodes) -> dict[str, set[str]]:
    """For each module those whose classes make one object with a class of its own."""
    bases: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for module, all_of_it in nodes.items():
        origin = {
            alias.asname or alias.name: (node.module or "", alias.name)
            for node in all_of_it
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        for node in all_of_it:
            if isinstance(node, ast.ClassDef):
                found = []
                for base in node.bases:
                    if isinstance(base, ast.Name):
                        found.append(origin.get(base.id, (module, base.id)))
                    elif isinstance(base, ast.Attribute) and isinstance(base.value, ast.Name):
                        package, name = origin.get(base.value.id, ("", base.value.id))
                        found.append((f"{package}.{name}" if package else name, base.attr))
                bases[module, node.name] = found

    def modules(one: tuple[str, str]) -> set[str]:
        return {one[0]}.union(*(modules(base) for base in bases.get(one, ())))

    together: dict[str, set[str]] = {module: set() for module in nodes}
    for one in bases:
        line = modules(one) & set(nodes)
        for module in line:
            together[module] |= line
    return together
