"""What commands have in common: their options and arguments, whose palace they open, and how they answer."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import typer
from rich.console import RenderableType

from palace_cli import diagnostics, options, output
from palace_cli.diagnostics import ExitCode
from palace_cli.opening import administration, open_palace

if TYPE_CHECKING:
    from palace.api.administration import Administration as Administration  # noqa: PLC0414 — commands import it from here
    from palace.api.palace import Palace as Palace  # noqa: PLC0414
else:
    # Commands name them in their signatures, which are read when the command is made: the façade is imported later.
    Administration = Palace = Any

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")
View = Callable[[T], RenderableType]


def administered(user: str | None) -> AbstractContextManager[Administration]:
    """Give what starts, stops and examines the server, for ``answers``."""
    return nullcontext(administration(user))


def answers(
    view: View[T],
    *,
    opens: Callable[[str | None], AbstractContextManager[S]] = open_palace,  # type: ignore[assignment]
    nothing: str = "",
    incomplete: Callable[[T], object] | None = None,
) -> Callable[[Callable[Concatenate[S, P], T]], Callable[..., None]]:
    """Make a command of a function from an open palace to what is shown; the command takes ``--user`` and ``--json``.

    Args:
        view: shows the answer to a person.
        opens: what the function is called with, the palace of the user unless given.
        nothing: the remark instead of an answer that is empty.
        incomplete: whether an answer makes the command end with exit code 1.
    """

    def decorate(run: Callable[Concatenate[S, P], T]) -> Callable[..., None]:
        call: Callable[..., T] = run

        def command(*, user: str | None = None, as_json: bool = False, **given: Any) -> None:
            with opens(user) as opened:
                found = call(opened, **given)
            show(found, view, as_json=as_json, nothing=nothing)
            if incomplete is not None and incomplete(found):
                raise typer.Exit(ExitCode.INCOMPLETE)

        command.__doc__, command.__name__, command.__module__ = run.__doc__, run.__name__, run.__module__
        _take_parameters(command, run)
        return command

    return decorate


def show(found: T, view: View[T], *, as_json: bool, nothing: str = "") -> None:
    """Show an answer, then what it warns of; where it is empty, a remark says so."""
    if found or as_json or not nothing:
        output.present(found, view, as_json=as_json)
    if not found and nothing:
        diagnostics.remark(nothing)
    warnings: Iterable[str] = getattr(found, "warnings", ())
    diagnostics.warn(warnings)


def agreed(question: str, *, yes: bool, otherwise: str) -> None:
    """Go on only if a person said so with ``--yes``, or says so now.

    Raises:
        typer.Exit: they do not.
    """
    if not yes and not diagnostics.confirm(question):
        diagnostics.remark(otherwise)
        raise typer.Exit(ExitCode.INCOMPLETE)


def _take_parameters(command: Any, run: Callable[..., Any]) -> None:
    """Give a command the parameters of a function but the first, then those of every command."""
    _, *own = inspect.signature(run).parameters.values()
    own = [each.replace(annotation=_evaluated(each.annotation, run), kind=each.KEYWORD_ONLY) for each in own]
    for name, annotation, default in (("user", options.User, None), ("as_json", options.Json, False)):
        own.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation))
    command.__signature__ = inspect.Signature(own)
    command.__annotations__ = {each.name: each.annotation for each in own}


def _evaluated(annotation: Any, run: Any) -> Any:
    return eval(annotation, run.__globals__) if isinstance(annotation, str) else annotation  # noqa: S307 — our own code
