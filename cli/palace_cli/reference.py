"""Generate the reference: ``docs/cli.md`` from the commands, ``docs/api.md`` from the library's docstrings.

``docs/records.schema.json`` describes the records that they return. ``--check`` only checks that all are up to date.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.main import get_command

import palace
from palace import turns
from palace.agent.outbox import OutboxContents
from palace.api import lifetime
from palace.errors import PalaceError
from palace.models import Project, ProjectScope
from palace.models.codec import json_schema
from palace.operations.turns import TurnVerbs
from palace_cli import diagnostics
from palace_cli.app import app
from palace_cli.chat.session import Answered
from palace_cli.commands.db import Address, Stopping, Upgrade
from palace_cli.commands.glance import Overview
from palace_cli.commands.ls import ShownRoom
from palace_cli.commands.outbox import Discarded, Flushed
from palace_cli.commands.projects import Dropped
from palace_cli.connect.states import ClientState, Connection
from palace_cli.diagnostics import ExitCode
from palace_cli.styles import MEANINGS

GROUPS: dict[str, type] = {
    **{name: getattr(import_module(f"palace.operations.{name}"), kind) for name, kind in lifetime.VERBS.items()},
    "turns": TurnVerbs,
}
"""The groups of methods of an open palace."""
CLASSES: dict[str, type] = {
    "Palace": palace.Palace,
    **{f"palace.{name}": kind for name, kind in GROUPS.items()},
    "Palaces": palace.Palaces,
    "Administration": palace.Administration,
    "turns.Turn": turns.Turn,
    "Cancellation": palace.Cancellation,
    "Worker": palace.Worker,
}
"""The classes that are described method by method, by the names that programs use."""
_WIDTH = 100
_API_OPENING = """\
# Python reference

Written by `python -m palace_cli.reference` from signatures and docstrings: change those, not this page.

[python.md](python.md) says with examples what all of this is for, and lists the [errors](python.md#errors). Everything
is imported from `palace`, the parts of the turn loop from `palace.turns`. The fields of records are in
[records.schema.json](records.schema.json).
"""


def facade_page() -> str:
    """Return the page on the library, ``docs/api.md``."""
    described = (line for name, kind in CLASSES.items() for line in _class(name, kind))
    return "\n".join((_API_OPENING.rstrip(), *described, *_functions(), *_names()))


def prose(docstring: str | None) -> str:
    """Convert a docstring to Markdown: the ``Raises`` section becomes a list, literals get single backticks."""
    text = re.sub(r"``(.+?)``", r"`\1`", inspect.cleandoc(docstring or ""))
    text = re.sub(r"\bdocs/([\w/-]+\.md)", r"[docs/\1](\1)", text)
    told, _, raised = text.partition("Raises:\n")
    if not raised:
        return told.strip()
    entries = re.split(r"\n(?=\w+: )", inspect.cleandoc(raised))
    listed = "\n".join(f"- {' '.join(entry.split())}" for entry in entries)
    return f"{told.strip()}\n\nRaises:\n\n{listed}"


class _Plain(str):
    """A string whose ``repr`` is the bare text, for annotations in signatures."""

    __slots__ = ()
    __repr__ = str.__str__


def signature(name: str, function: Callable[..., Any]) -> str:
    """Return a signature as declared, one parameter per line if it is long; without ``self`` and ``cls``."""
    declared = inspect.signature(function)
    parts = list[str]()
    for each in declared.parameters.values():
        if each.name in ("self", "cls"):
            continue
        if each.kind is each.KEYWORD_ONLY and not any(part.startswith("*") for part in parts):
            parts.append("*")
        is_told = each.default is each.empty or isinstance(each.default, (str, int, float, tuple, type(None)))
        told = str(each.replace(annotation=_annotation(each.annotation)))
        parts.append(told if is_told else told.partition(" = ")[0])
    returned = _annotation(declared.return_annotation)
    after = "" if returned is inspect.Signature.empty else f" -> {returned!r}"
    line = f"{name}({', '.join(parts)}){after}"
    return line if len(line) <= _WIDTH else "".join((f"{name}(\n", *(f"    {part},\n" for part in parts), f"){after}"))


def _annotation(annotation: object) -> object:
    return _Plain(annotation) if isinstance(annotation, str) else annotation


def _class(name: str, kind: type) -> Iterator[str]:
    yield f"\n## {name}\n\n{prose(kind.__doc__)}"
    for method in _methods(kind):
        called = f"{name}.{method}"
        member = inspect.getattr_static(kind, method)
        if isinstance(member, property):
            yield f"\n### {called}\n\n{prose(member.__doc__)}"
        else:
            yield _call(called, getattr(kind, method))


def _methods(kind: type) -> list[str]:
    """Return the public methods and properties in order of declaration, those of the class itself first."""
    listed = {name: None for each in kind.__mro__ for name in vars(each) if not name.startswith("_")}
    wanted = (property, classmethod, staticmethod)
    return [
        name
        for name in listed
        if inspect.isfunction(member := inspect.getattr_static(kind, name)) or isinstance(member, wanted)
    ]


def _call(name: str, function: Callable[..., Any]) -> str:
    called = signature(name.rpartition(".")[2], function)
    return f"\n### {name}\n\n```\n{called}\n```\n\n{prose(function.__doc__)}"


def _functions() -> Iterator[str]:
    yield "\n## Functions"
    for module, prefix in ((palace, ""), (turns, "turns.")):
        for name in module.__all__:
            if inspect.isfunction(function := getattr(module, name)):
                yield _call(f"{prefix}{name}", function)


def _names() -> Iterator[str]:
    """Yield the table of all other names, except errors, which docs/python.md lists."""
    yield "\n## Other names\n\n| name | is | means |\n|---|---|---|"
    for module, prefix in ((palace, ""), (turns, "turns.")):
        for name in module.__all__:
            kind = getattr(module, name)
            if inspect.isclass(kind) and kind not in CLASSES.values() and not issubclass(kind, PalaceError):
                first = prose(kind.__doc__).partition("\n\n")[0]
                yield f"| `{prefix}{name}` | {_sort(kind)} | {' '.join(first.split()).replace('|', chr(92) + '|')} |"
    yield ""


def _sort(kind: type) -> str:
    if issubclass(kind, StrEnum):
        return ", ".join(f"`{member.value}`" for member in kind)
    if getattr(kind, "_is_protocol", False):
        return "protocol"
    return "record" if kind.__module__.startswith("palace.models") else "class"


PAGE = Path("docs/cli.md")
SHAPES = Path("docs/records.schema.json")
API = Path("docs/api.md")

OWN = (
    *(Address, Answered, ClientState, Connection, Discarded, Dropped, Flushed),
    *(OutboxContents, Overview, Project, ProjectScope, ShownRoom, Stopping, Upgrade),
)
"""Records that only the commands return, not the library."""

OF_EVERY_COMMAND = ("user", "as_json")
"""Parameters that the opening describes."""

_OPENING = """\
# Command line

Written by `python -m palace_cli.reference` from the commands themselves: change those, not this page.

Every command takes `--user NAME` (whose palace is meant: the operating-system user, unless `PALACE_USER` says
otherwise) and `--json`.

What a command answers goes to standard output; progress, warnings and errors go to standard error, an error
in one line. With `--json`, standard output holds one JSON document, or nothing after an error, which is then a JSON
object on one line of standard error: its `code` ([python.md](python.md#errors)) and its `message`. The command was
interrupted where there is none.

- an object's keys are the names of the record's fields; a list is an array, empty where there is nothing;
- what each field means is in [records.schema.json](records.schema.json), a JSON Schema;
- moments are ISO 8601 with their offset (`"2026-04-30T18:20:00+00:00"`);
- money is in US dollars and a string (`"0.000123"`), so that no digit is lost;
- a file that a command wrote or read is `file`, how large something is `size_bytes`;
- a pointer is its citation (`"§ W-001/R-02/D-003"`), a span has a `start` and an `end`, in code points.

Dates and moments on the command line are ISO 8601 too; without an offset they mean the person's time
zone (`PALACE_TIMEZONE`, else this computer's), in which times are shown as well. They can also be written in words:
`yesterday`, `"3 days ago"`, `"last monday"`, `"2 weeks"`.

`palace` alone shows the state of the palace and what to do next. It starts no server and waits for none.

`palace --quiet COMMAND` leaves out notes and progress; results, warnings and errors stay. A name that is not there is
answered with those of yours that are like it.

Output longer than the screen is shown by pages at a terminal, never in a pipe: by `PALACE_PAGER`, else `PAGER`, else
`less`. `palace --no-pager COMMAND` writes it at once, and so does an empty `PALACE_PAGER`.

`palace --install-completion` sets up completion for bash, zsh or fish, `palace --show-completion` prints it. It
completes commands and options, and of your own palace wings, pointers, names, speakers, talks, agents, settings and the
ids of jobs, runs and decisions. It starts no server, and offers nothing where none answers at once. zsh is offered a
wing by its number where its name has signs that zsh would act on.

Colours are those of the terminal's own palette, for light and dark ones; `NO_COLOR` takes them out. Each says something
that the words say too:

"""
_CODES = """
| exit code | means |
|---|---|
"""


def page() -> str:
    """Return the page on the commands, ``docs/cli.md``."""
    codes = (f"| {code.value} | {code.meaning} |\n" for code in ExitCode)
    colours = (f"- {style}: {meaning}\n" for style, meaning in MEANINGS.items())
    return "".join((_OPENING, *colours, _CODES, *codes, *_sections("palace", get_command(app))))


def shapes() -> str:
    """Return the JSON Schema of every record of the library and of the commands."""
    named = [getattr(palace, name) for name in palace.__all__]
    records = [kind for kind in named if isinstance(kind, type) and kind.__module__.startswith("palace.models")]
    return json.dumps(json_schema([*records, *OWN]), ensure_ascii=False, indent=2) + "\n"


def main(
    check: Annotated[bool, typer.Option("--check", help="Exit with 1 if a file is not up to date.")] = False,
) -> None:
    """Write the pages and the schema, or check them; run from the root of the repository."""
    for path, text in ((PAGE, page()), (SHAPES, shapes()), (API, facade_page())):
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            diagnostics.error(f"{path} is not up to date", hint="python -m palace_cli.reference")
            raise typer.Exit(ExitCode.INCOMPLETE)


# Typer does not publish the types of commands and parameters, only their attributes.
def _sections(path: str, command: Any) -> Iterator[str]:
    parts: dict[str, Any] = getattr(command, "commands", {})
    if not parts:
        yield f"\n## {path}\n\n{_usage(path, command)}\n\n{_prose(command.help)}\n{_parameters(command)}"
    for name, part in parts.items():
        yield from _sections(f"{path} {name}", part)


def _usage(path: str, command: Any) -> str:
    arguments = [parameter for parameter in command.params if _is_argument(parameter)]
    words = (_name(argument) if argument.required else f"[{_name(argument)}]" for argument in arguments)
    return f"`{' '.join((path, '[OPTIONS]', *words))}`"


def _prose(text: str) -> str:
    """Convert a help text to Markdown; a paragraph after a backspace keeps its line breaks and is an example."""
    paragraphs = text.strip().split("\n\n")
    return "\n\n".join(
        f"```sh\n{paragraph.removeprefix(chr(8)).strip()}\n```" if paragraph.startswith("\b") else paragraph
        for paragraph in paragraphs
    )


def _parameters(command: Any) -> str:
    own = [parameter for parameter in command.params if parameter.name not in OF_EVERY_COMMAND]
    if not own:
        return ""
    rows = (f"| `{_cell(_name(parameter))}` | {_cell(_meaning(parameter))} |\n" for parameter in own)
    return "".join(("\n| argument or option | means |\n|---|---|\n", *rows))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _name(parameter: Any) -> str:
    if _is_argument(parameter):
        return str(parameter.name).upper()
    return " ".join((*parameter.opts, *([parameter.metavar] if parameter.metavar else [])))


def _meaning(parameter: Any) -> str:
    worth_telling = parameter.default not in (None, False) and not parameter.required
    return f"{parameter.help} Default: {parameter.default}." if worth_telling else str(parameter.help)


def _is_argument(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")


if __name__ == "__main__":
    typer.run(main)
