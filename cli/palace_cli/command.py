"""What commands share: their options and arguments, opening the palace, and showing the answer."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer
from rich.console import RenderableType

from palace_cli import diagnostics, options, output
from palace_cli.diagnostics import ExitCode
from palace_cli.opening import administration, open_palace

if TYPE_CHECKING:
    from palace.api.administration import Administration as Administration  # noqa: PLC0414 — commands import it from here
    from palace.api.palace import Palace as Palace  # noqa: PLC0414
else:
    # Commands name these in their signatures, which Typer evaluates at once: the façade itself is imported later.
    Administration = Palace = Any

View = Callable[[Any], RenderableType]
_ADDED = {
    "context": (typer.Context, inspect.Parameter.empty),
    "user": (options.User, None),
    "new_user": (options.NewUser, False),
    "as_json": (options.Json, False),
}
"""The parameters that ``answers`` adds, with their annotations and defaults."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with a view, remarks, notes and warnings of its own."""

    value: Any
    view: View | None = None
    """The view for a person; by default that of the command."""
    nothing: str = ""
    """The remark for an empty value; by default that of the command."""
    remarks: Sequence[str] = ()
    """Remarks after the value."""
    notes: Iterable[str] = ()
    warnings: Iterable[str] = ()


def administered(user: str | None) -> AbstractContextManager[Administration]:
    """Return the server's administration as a context manager, for ``answers``."""
    return nullcontext(administration(user))


def answers(
    view: View = str,
    *,
    opens: Callable[..., AbstractContextManager[Any]] = open_palace,
    nothing: str = "",
    incomplete: Callable[[Any], object] | None = None,
    makes_user: bool = False,
    is_group: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Decorate a function from an open palace to a value or an ``Answer`` as a command with ``--user`` and ``--json``.

    Args:
        view: the view of the answer for a person.
        opens: returns the function's first argument as a context manager, by default the user's palace.
        nothing: the remark for an empty answer.
        incomplete: returns whether an answer makes the command exit with code 1.
        makes_user: whether the command takes ``--new-user``.
        is_group: whether it has subcommands; then the function runs only without one.
    """

    def decorate(run: Callable[..., Any]) -> Callable[..., None]:
        def command(*, user: str | None = None, as_json: bool = False, **given: Any) -> None:
            if is_group and not options.is_alone(given.pop("context")):
                return
            made = {"new_user": given.pop("new_user")} if makes_user else {}
            with opens(user, **made) as opened:
                found = run(opened, **given)
            answer = found if isinstance(found, Answer) else Answer(found)
            write_answer(answer.value, answer.view or view, as_json=as_json, nothing=answer.nothing or nothing)
            for line in answer.remarks:
                diagnostics.remark(line)
            diagnostics.note(answer.notes)
            diagnostics.warn(answer.warnings)
            if incomplete is not None and incomplete(answer.value):
                raise typer.Exit(ExitCode.INCOMPLETE)

        command.__doc__, command.__name__, command.__module__ = run.__doc__, run.__name__, run.__module__
        left_out = {name for name, is_taken in (("context", is_group), ("new_user", makes_user)) if not is_taken}
        _take_parameters(command, run, [name for name in _ADDED if name not in left_out])
        return command

    return decorate


def subcommand(app: typer.Typer, name: str, view: View = str, **how: Any) -> Callable[[Callable[..., Any]], None]:
    """Make a function a subcommand of a group; the further arguments are those of ``answers``."""

    def decorate(run: Callable[..., Any]) -> None:
        app.command(name)(answers(view, **how)(run))

    return decorate


def listing(app: typer.Typer, name: str, view: View, **how: Any) -> Callable[[Callable[..., Any]], None]:
    """Make a function the default of a group without a subcommand, and its subcommand ``name``, as ``subcommand``."""

    def decorate(run: Callable[..., Any]) -> None:
        app.callback(invoke_without_command=True)(answers(view, is_group=True, **how)(run))
        subcommand(app, name, view, **how)(run)

    return decorate


def write_answer(found: Any, view: View, *, as_json: bool, nothing: str = "") -> None:
    """Write an answer, then its warnings; for an empty one, write a remark."""
    if found or as_json or not nothing:
        output.present(found, view, as_json=as_json)
    if not found and nothing:
        diagnostics.remark(nothing)
    diagnostics.warn(getattr(found, "warnings", ()))


def agreed(question: str, *, yes: bool, otherwise: str) -> None:
    """Continue only if the person confirmed by ``--yes``, or confirms now.

    Raises:
        typer.Exit: the person does not confirm.
    """
    answer = yes or diagnostics.confirm(question)
    if not answer:
        diagnostics.remark(f"{otherwise}: no answer was given; use --yes to agree" if answer is None else otherwise)
        raise typer.Exit(ExitCode.INCOMPLETE)


def asked_once(question: Callable[[], str], *, yes: bool, as_json: bool, otherwise: str) -> bool:
    """Ask a person at a terminal whether to go on with what can be undone, and return whether they agreed.

    A script is not asked, nor a person about what is not there: the command reports that itself.

    Raises:
        typer.Exit: the person does not agree.
    """
    from palace.errors import BadRequest, NotFound

    if yes or as_json or not diagnostics.is_at_terminal():
        return yes
    with suppress(BadRequest, NotFound):
        agreed(question(), yes=False, otherwise=otherwise)
        return True
    return False


def _take_parameters(command: Any, run: Callable[..., Any], added: Sequence[str]) -> None:
    """Set a command's parameters: those of its function except the first, and the added ones."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    own = [*inspect.signature(run).parameters.values()][1:]
    taken = [each.replace(annotation=_evaluated(each.annotation, run), kind=keyword) for each in own]
    for name in added:
        annotation, default = _ADDED[name]
        taken.append(inspect.Parameter(name, keyword, default=default, annotation=annotation))
    command.__signature__ = inspect.Signature(taken)
    command.__annotations__ = {each.name: each.annotation for each in taken}


def _evaluated(annotation: Any, run: Any) -> Any:
    return eval(annotation, run.__globals__) if isinstance(annotation, str) else annotation  # noqa: S307 — our own code
