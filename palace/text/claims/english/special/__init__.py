"""What verbs say that no line of a table can: each reader is given the clause, its subject and what stands behind."""

from __future__ import annotations

from collections.abc import Callable

from palace.text.claims.drafts import Party
from palace.text.claims.english.clause import Clause
from palace.text.claims.english.grammar.complements import Complement
from palace.text.claims.english.special.bonds import (
    read_farewell,
    read_getting,
    read_marrying_again,
    read_parting,
    read_put,
)
from palace.text.claims.english.special.journeys import GO_AHEAD, read_going
from palace.text.claims.english.special.things import (
    read_death,
    read_gift,
    read_having,
    read_rise,
    read_switch,
)


def read_having_on(clause: Clause, party: Party, behind: list[Complement]) -> None:
    """Read what somebody has, and "she has me on metformin"."""
    read_put(clause, party, behind)
    read_having(clause, party, behind)


READERS: dict[str, Callable[[Clause, Party, list[Complement]], None]] = {
    "have": read_having_on,
    **dict.fromkeys(("switch", "change", "move", "replace", "upgrade", "swap", "exchange", "trade"), read_switch),
    **dict.fromkeys(("die", "pass"), read_death),
    **dict.fromkeys(("break", "split", "separate", "divorce"), read_parting),
    **dict.fromkeys(("put", "take", "keep"), read_put),
    **dict.fromkeys(("leave", "quit", "retire", "stop"), read_farewell),
    "remarry": read_marrying_again,
    **dict.fromkeys(GO_AHEAD, read_going),
    "get": read_getting,
    "give": read_gift,
    **dict.fromkeys(("rise", "increase", "drop"), read_rise),
}
"""By the base form of the verb."""
