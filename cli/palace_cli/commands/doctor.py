"""``palace doctor``: check everything that the palace needs."""

from __future__ import annotations

import typer
from rich.console import Group
from rich.text import Text

from palace.models import Check, Verdict
from palace_cli import options, output
from palace_cli.connect.checks import check_connections
from palace_cli.diagnostics import ExitCode
from palace_cli.opening import administration, is_typed
from palace_cli.render.visible import one_line
from palace_cli.styles import GOOD, HEADING, PROBLEM, WARNING

_STYLES = {Verdict.OK: GOOD, Verdict.WARNING: WARNING, Verdict.PROBLEM: PROBLEM}
_VERDICT_WIDTH = max(len(verdict) for verdict in Verdict)


def doctor(user: options.User = None, as_json: options.Json = False) -> None:
    """Check settings, server, schema and models.

    The exit code is 1 if there is a problem; each is shown with its remedy.

    \b
    palace doctor
    """
    checks = (*administration(user).doctor(make_user=not is_typed(user)), *check_connections())
    output.present(checks, checks_view, as_json=as_json)
    if any(check.verdict is Verdict.PROBLEM for check in checks):
        raise typer.Exit(ExitCode.INCOMPLETE)


def checks_view(checks: tuple[Check, ...]) -> Group:
    return Group(*(line for check in checks for line in _check(check)))


def _check(check: Check) -> list[Text]:
    verdict = Text(f"{check.verdict.value:<{_VERDICT_WIDTH}}  ", style=_STYLES[check.verdict])
    line = verdict + Text.assemble((f"{check.name}: ", HEADING), one_line(check.finding))
    indent = " " * (_VERDICT_WIDTH + 2)
    return [line, *([Text(f"{indent}→ {one_line(check.remedy)}")] if check.remedy else [])]
