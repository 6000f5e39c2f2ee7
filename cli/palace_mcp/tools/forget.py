"""The tool ``forget``: show what would be forgotten, and hide it once a person has confirmed exactly that."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import Counter

from palace.errors import BadRequest
from palace.models import ForgetSummary
from palace.nlp.pointers import is_pointer, is_room
from palace_mcp.arguments import Argument
from palace_mcp.tools.tool import COUNT, TEXT, Answer, Called, Tool, one_line

_KEY = secrets.token_bytes(16)
"""Key of this process, so that confirmation codes expire with it."""
SEAL = "agreed-{}"
"""Begins with a word, because shell clients take digits alone for a number."""
_SPENT: Counter[bytes] = Counter()
"""How often a request was carried out; after a restore it needs a new confirmation."""
LENGTH = 8
"""Hexadecimal digits of the code that identifies what was counted."""


def forget(call: Called) -> Answer:
    """Return what would be forgotten with a confirmation code, or forget it if the code is passed.

    Raises:
        BadRequest: it is no drawer and no room, or the code does not match. NotFound: there is no such one.
    """
    what, agreed = call.given["pointer"], call.given["confirm"]
    if not (is_pointer(what) or is_room(what)):
        raise BadRequest(f"{what!r} is no drawer (W-001/R-02/D-003) and no room (W-001/R-02)")
    drawers = [call.show(what).drawer] if is_pointer(what) else [*call.palace.tree.iter_drawers(call.room(what))]
    counted = call.palace.forget(what, dry_run=True)
    made_of = "\0".join((call.palace.user, counted.what, *(str(drawer.pointer) for drawer in drawers)))
    digest = hashlib.sha256(made_of.encode("utf-8", "replace")).digest()
    seal = SEAL.format(hmac.new(_KEY, digest + str(_SPENT[digest]).encode(), hashlib.sha256).hexdigest()[:LENGTH])
    if agreed is None:
        told = (
            f"Nothing is forgotten yet. Would forget {counted.what}: {_drawers(counted)}."
            f" Tell the person; if they agree, call forget again with confirm={seal!r}."
        )
        return _answer(told, counted, confirm=seal)
    if not hmac.compare_digest(agreed.strip(" '\"").encode("utf-8", "replace"), seal.encode()):
        raise BadRequest(
            f"nothing was forgotten: confirm does not belong to {counted.what} as it is now, {_drawers(counted)};"
            " call forget without it, and show the person what would go"
        )
    done = call.palace.forget(what, at_most=counted.removal.drawers)
    _SPENT[digest] += 1
    back = f" `palace restore` takes it back until {done.until:%Y-%m-%d}." if done.until else ""
    return _answer(f"Forgot {done.what}: {_drawers(done)}.{back}", done)


def _answer(told: str, summary: ForgetSummary, confirm: str | None = None) -> Answer:
    return Answer.of(
        one_line(told),
        what=one_line(summary.what),
        drawers=summary.removal.drawers,
        forgotten=not summary.dry_run,
        confirm=confirm,
        restorable_until=summary.until.isoformat() if summary.until else None,
    )


def _drawers(summary: ForgetSummary) -> str:
    number = summary.removal.drawers
    return f"{number:,} drawer{'s' if number != 1 else ''}"


TOOL = Tool(
    name="forget",
    description=(
        "Forget a remembered message or a whole room. Only when the person asks for it. The first call forgets "
        "nothing: it says what would go and gives a code. Show the person; call again with the code once they agree."
    ),
    arguments=(
        Argument("pointer", "W-001/R-02/D-003, or a room: W-001/R-02.", is_required=True),
        Argument("confirm", "The code, after the person agreed."),
    ),
    answers={
        "text": TEXT,
        "what": TEXT,
        "drawers": COUNT,
        "forgotten": {"type": "boolean"},
        "confirm": {"type": ["string", "null"]},
        "restorable_until": {"type": ["string", "null"]},
    },
    run=forget,
    is_read_only=False,
    is_destructive=True,
)
