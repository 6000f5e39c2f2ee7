"""All ids and records of one user: what a function of the store could be given by somebody else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import sqlalchemy as sa

from palace.graph.update import GraphFollower, Owner
from palace.intake.key import NO_KEY
from palace.mining.filing.identity import content_digest
from palace.records import (
    VECTORS,
    CallRecord,
    CallSubject,
    CostGrouping,
    CutDrawer,
    DailyBudget,
    KeywordLimits,
    MessageIndex,
    NamedLimits,
    NewDrawer,
    NewPassage,
    NewRoom,
    PassageKey,
    PlaceKind,
    Replacement,
    Role,
    ScanLimits,
    Scope,
    Span,
    Stretch,
    Target,
    TargetKind,
    WingKind,
)
from palace.records.graph import StoredReply
from palace.store.candidates.named import NamedPlace
from palace.store.candidates.semantic import Scan
from palace.store.candidates.spelled import LongWord
from palace.store.candidates.words import QueryWords, TimeWords, Word
from palace.store.changes.removal import drawers_in
from palace.store.database import UserSession
from palace.store.drawers import AsOf, Part, get_recalled
from palace.store.filing.drawers import PlacedDrawer
from palace.store.filing.rebuilding import Portion, StartedRebuild
from palace.store.statements.recent import RecentLimits
from palace.store.statements.telling import Sample, Stretches
from palace.store.transfer import rows
from palace.store.transfer.events import iter_events
from palace.store.vectors.generations import find_generation
from palace.text.edges import line_hash
from tests.isolation.graph_loot import graph_loot
from tests.isolation.outline_loot import outline_loot
from tests.isolation.scrub_loot import scrub_loot
from tests.isolation.transfer_loot import transfer_loot
from tests.isolation.turn_loot import turn_loot
from tests.isolation.victim import Cast, Victim

BEGUN = datetime(2026, 1, 1, tzinfo=UTC)
EVER = (datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC))
ALL_TIMES = Stretches([EVER], [EVER], EVER)
PLANTED = MessageIndex((NewPassage(Span(0, 7)),), (Stretch(BEGUN, datetime(2026, 2, 1, tzinfo=UTC)),))


@dataclass(frozen=True, slots=True)
class Loot:
    """What somebody has, by the names that parameters of the store's functions have."""

    user_id: int
    values: dict[str, Any]
    special: dict[str, dict[str, Any]]
    """By function, where a name means something else than in the other functions."""

    @classmethod
    def of(cls, victim: Victim) -> Loot:
        """Take note of all that somebody has."""
        with victim.palace._opened.session() as session:
            ids = _ids(session, victim)
            lines = _lines(session, ids)
            steps = {"step": VECTORS, "among": None, "asked": True, "failure": "planted"}
            values = _plain(victim.cast) | _set_for(victim.cast) | _paid() | ids | _records(session, ids) | steps
            return cls(victim.user_id, values, _special(values, lines) | graph_loot(session, values))

    def arguments(self, function: str, names: Iterable[str], session: UserSession) -> dict[str, Any]:
        """Give a value to each parameter of a function."""
        values = self.values | {"chosen": drawers_in(session, self.values["target"])} | self.special.get(function, {})
        return {name: values[name] for name in names}

    def mixtures(self, function: str, names: Iterable[str], own: Mapping[str, Any]) -> list[dict[str, Any]]:
        """List ways to put one's own ids in the place of theirs: of none, of one each, of all but one each."""
        ids = [name for name in names if name in own and name not in self.special.get(function, {})]
        chosen = [[], *([name] for name in ids), *([other for other in ids if other != name] for name in ids)]
        different = {tuple(some) for some in chosen if some != ids or len(self.special.get(function, {})) > 0}
        return [{name: own[name] for name in some} for some in sorted(different)]


def own_ids(session: UserSession) -> dict[str, Any]:
    """Give the ids of somebody who has one drawer, by the names of parameters, to be mixed with others'."""
    query = sa.text("SELECT id, room_id, conversation_id, run_id FROM drawer WHERE user_id = :user_id")
    drawer_id, room_id, conversation_id, run_id = session.connection.execute(query, {"user_id": session.user_id}).one()
    find_wing = sa.text("SELECT wing_id FROM room WHERE user_id = :user_id")
    wing_id = session.connection.execute(find_wing, {"user_id": session.user_id}).scalar_one()
    return _named(drawer_id=drawer_id, room_id=room_id, wing_id=wing_id, conversation_id=conversation_id, run_id=run_id)


def _named(*, drawer_id: int, room_id: int, wing_id: int, conversation_id: int, run_id: int) -> dict[str, Any]:
    return {
        "room_id": room_id,
        "room_ids": [room_id],
        "wing_id": wing_id,
        "wing_ids": [wing_id],
        "into": wing_id,
        "conversation_id": conversation_id,
        "conversations": [conversation_id],
        "drawer_id": drawer_id,
        "drawer_ids": [drawer_id],
        "run_id": run_id,
        "run_ids": [run_id],
        "basis": [run_id],
        "places": {run_id: 1},
        "keys": [PassageKey(drawer_id, 0)],
        "topics": {"planted": ("Planted", [drawer_id])},
        "target": Target(TargetKind.WING, wing_id),
        "part": Part(room_id),
    }


def _set_for(cast: Cast) -> dict[str, Any]:
    """Give what they set for an agent."""
    return {"agent": cast.former_wing, "value": "planted"}


def _called(cast: Cast) -> dict[str, Any]:
    """Give what goes by a name of theirs."""
    return {
        "query": cast.query,
        "number": cast.number,
        "wing_number": cast.number,
        "slug": cast.wing.lower(),
        "name": cast.wing,
        "key": cast.former_wing,
        "identities": [cast.grave.encode()],
        "hashes": [line_hash(cast.secret)],
        "edges": [line_hash(cast.secret)],
        "family": cast.grave.encode()[:8],
    }


def _plain(cast: Cast) -> dict[str, Any]:
    """Give what is a name or a number, or nobody's."""
    vectors = np.full((1, 384), 384**-0.5, np.float32)
    return _called(cast) | {
        "room_number": 1,
        "said_at": BEGUN,
        "digests": True,
        "scope": Scope(),
        "scan": Scan.EXACT,
        "limits": ScanLimits(),
        "vector": vectors[0].tolist(),
        "vectors": vectors,
        "after": PassageKey(-1, -1),
        "limit": 50,
        "last": 50,
        "longest": 6000,
        "offset": 0,
        "begun": (None, datetime(2100, 1, 1, tzinfo=UTC)),
        "count": 5,
        "drawers": 1,
        "passages": 1,
        "sentences": 1,
        "turns": 99,
        "bury": True,
        "only_many": False,
        "makes": True,
        "kind": WingKind.TOPIC,
        "title": "Planted",
        "reader": "note",
        "source": "planted",
        "details": {"outcome": "planted"},
        "purpose": "planted",
        "since": None,
        "state": "active",
        "model": "testing/hashing-384",
        "dimension": 384,
        "normalised": True,
        "rooms": [NewRoom("2026-01-01", "Planted", None)],
        "wanted": {""},
        "follower": GraphFollower(Owner(UTC)),
    }


def _paid() -> dict[str, Any]:
    """Give what the ledger is told and asked."""
    return {
        "calls": [CallRecord("planted", 1, Decimal(1), 1.0, "ok")],
        "call": CallRecord("planted", 1, Decimal(1), 1.0, "unfinished"),
        "subject": CallSubject(),
        "budget": DailyBudget(BEGUN, 10**9, Decimal(10**6)),
        "by": CostGrouping.CONVERSATION,
        "zone": UTC,
    }


def _ids(session: UserSession, victim: Victim) -> dict[str, Any]:
    def one(query: str) -> Any:
        return session.connection.execute(
            sa.text(f"{query} AND user_id = :user_id"), {"user_id": victim.user_id}
        ).scalar_one()

    wing_id = one("SELECT id FROM wing WHERE true")
    named = _named(
        drawer_id=victim.drawer_id,
        room_id=one("SELECT id FROM room WHERE true"),
        wing_id=wing_id,
        conversation_id=victim.conversation_id,
        run_id=victim.run_id,
    )
    return named | {
        "identity": one("SELECT identity FROM conversation WHERE true"),
        "job_id": victim.job_id,
        "state": None,
        "rebuild": StartedRebuild(one("SELECT id FROM rebuild WHERE true"), wing_id, resumed=True),
    }


def _records(session: UserSession, ids: dict[str, Any]) -> dict[str, Any]:
    key = PassageKey(ids["drawer_id"], 0)
    drawer = get_recalled(session, [key], QueryWords((), ()), None)[key].drawer
    generation = find_generation(session, "active")
    assert generation is not None
    return {
        "drawer": drawer,
        "pointer": drawer.pointer,
        "portion": Portion(ids["conversation_id"], (_cut(drawer.id),), is_last=True),
        "generation": generation,
        "generation_id": generation.id,
        "generations": (generation.id,),
    }


def _lines(session: UserSession, ids: dict[str, Any]) -> dict[str, Any]:
    """Read what an export of theirs holds."""
    runs, conversations = rows.number_runs(session, None), ids["conversations"]
    ((row,),) = rows.iter_conversation_pages(session, None)
    drawers = [line for _, line in rows.iter_drawers(session, conversations, None, runs)]
    return {
        "header": rows.get_header(session),
        "runs": list(rows.iter_runs(session, runs)),
        "events": list(iter_events(session, runs)),
        "wing": rows.list_wings(session, None)[0],
        "conversation": rows.conversation_line(row, runs),
        "rooms": rows.list_rooms(session, conversations, None)[ids["conversation_id"]],
        "drawers": [(line, _new(line.identity)) for line in drawers],
        "tombstones": [line for _, line in rows.iter_tombstones(session, conversations, None, runs)],
    }


def _named_places(values: dict[str, Any], words: QueryWords) -> dict[str, dict[str, Any]]:
    places = [NamedPlace(PlaceKind.ROOM, values["room_id"], (0,)), NamedPlace(PlaceKind.WING, values["wing_id"], (0,))]
    near = (values["generation"], values["vector"])
    return {
        "candidates.named.named_places": {"words": words, "most": 9},
        "candidates.named.named_drawers": {"places": places, "near": near, "limits": NamedLimits()},
        "candidates.named.named_around": {"places": places, "words": words, "passages": values["keys"]},
    }


def _spelled(words: list[str]) -> dict[str, dict[str, Any]]:
    return {
        "candidates.spelled.words_like": {"spelled": words, "long": LongWord(("va", "u", "lt"))},
        "candidates.spelled.are_unsaid": {"words": words},
        "candidates.spelled.words_written": {"words": words},
    }


def _nearby(values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    near, keys = (values["generation"], values["vector"]), [PassageKey(values["drawer_id"], n) for n in (0, 1)]
    return {
        "statements.alike.alike_drawers": {"near": near, "least": -1.0, "rare": 8, "named": "."},
        "statements.standing.standing_candidates": {"near": near, "newest": 9},
        "statements.standing.list_standing": {"wing_id": values["wing_id"], "without_readers": [], "newest": 9},
        "statements.standing.alike_statements": {"keys": keys, "least": -1.0},
    }


def _special(values: dict[str, Any], lines: dict[str, Any]) -> dict[str, dict[str, Any]]:
    theirs, said = {"": values["room_id"]}, values["drawer"].content
    new = [drawer for _, drawer in lines["drawers"]]
    return {
        **_candidates(values) | turn_loot(values) | outline_loot(values),
        **_spelled(values["query"].split()) | _named_places(values, _words(values)),
        "candidates.words.weigh_words": {"parts": (), "grams": ()},
        "counts.add_languages": {"drawers": {"de": 1}},
        "filing.drawers.usual_language": {"told": {}},
        "filing.places.count_talks": {"people": ["planted"]},
        "drawers.list_neighbours": {"drawers": [values["drawer"]], "now": None},
        "drawers.get_recalled": {"words": _words(values), "near": (values["generation"], values["vector"])}
        | {"as_of": AsOf()},
        **_recent(values["query"]) | _nearby(values) | _kept_beside(values["drawer_id"]),
        "sql.locks.wait_alone": {"guarded": "planted"},
        "sql.locks.try_alone": {"guarded": "planted"},
        "filing.steps.find_failures": {"step": VECTORS.name},
        "filing.drawers.file_drawers": {"rooms": theirs, "drawers": new},
        "filing.drawers.file_placed": {"placed": [PlacedDrawer(new[0], values["room_id"], 9, values["run_id"])]},
        "filing.drawers.file_passages": {"drawers": [_cut(values["drawer_id"], ordinal=7)]},
        "filing.versions.move": {"positions": {new[0].identity: 7}},
        "filing.versions.replace": {"replacements": [Replacement(new[0].identity, new[1].identity, values["run_id"])]},
        "filing.versions.restore": {"identities": [new[0].identity]},
        "filing.versions.link_answers": {"answers": [(new[1].identity, new[0].identity)]},
        "filing.notes.find_in_wing": {"identity": new[0].identity},
        "filing.notes.is_filed_by": {"identity": new[0].identity},
        "filing.notes.list_versions": {"family": new[0].identity[:8]},
        "drawers.get_drawer_by_identity": {"identity": new[0].identity},
        "drawers.find_pointers": {"identities": [drawer.identity for drawer in new]},
        "filing.conversations.list_holding": {"words": said, "digest": content_digest(said)}
        | {"hidden": NO_KEY.hide(content_digest(said))},
        "filing.conversations.list_of_session": {"name": "planted"},
        **scrub_loot(values, new),
        **transfer_loot(values, lines),
        "filing.places.undate_rooms": {"dated": {values["room_id"]: BEGUN}},
        "filing.conversations.find_elsewhere": {"conversation_id": 1, "identities": [new[0].identity]},
    }


def _kept_beside(drawer_id: int) -> dict[str, dict[str, Any]]:
    """Give what is kept beside drawers: what happened, and what a model replied."""
    return {
        "activity.events.list_activity": {"kinds": None},
        "activity.events.drop_oldest": {"most": 0},
        "extraction.replies.store_reply": {"stored": StoredReply(b"planted", "m", 1, (drawer_id,), {})},
        "extraction.replies.drop_covered": {"digests": [b"planted"]},
    }


def _recent(query: str) -> dict[str, dict[str, Any]]:
    """Give what looks back on all that anybody said."""
    ever = Stretch(datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC))
    return {
        "statements.recent.recent_candidates": {"stretch": ever, "now": BEGUN, "limits": RecentLimits()},
        "statements.recent.find_last_said": {"until": ever.end},
        "statements.recent.count_holding": {"words": query.split()},
    }


def _new(identity: bytes) -> NewDrawer:
    return NewDrawer(identity, "", 0, Role.USER, None, None, "planted", False, False, PLANTED)


def _cut(drawer_id: int, *, ordinal: int = 0) -> CutDrawer:
    # The spans before the wanted ordinal are filed as well; what is there already is run into first.
    index = MessageIndex(tuple(NewPassage(Span(0, 7)) for _ in range(ordinal + 1)), PLANTED.spoken_of)
    return CutDrawer(drawer_id, 1, Role.USER, None, "planted", index)


def _words(values: dict[str, Any]) -> QueryWords:
    return QueryWords(tuple(Word(f"'{word}'", 1, 1.0) for word in values["query"].split()), ())


def _candidates(values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    near = (values["generation"], values["vector"])
    return {
        "candidates.keyword.keyword_candidates": {"words": _words(values), "limits": KeywordLimits()},
        "candidates.semantic.semantic_candidates": {"near": near},
        "candidates.compare.compare_drawers": {
            "words": _words(values),
            "near": near,
            "windows": [(BEGUN, datetime(2100, 1, 1, tzinfo=UTC))],
            "tools": True,
        },
        "candidates.members.drawers_holding": {
            "drawer_ids": [values["drawer_id"]],
            "words": _words(values).words,
        },
        "candidates.timed.mark_times": {
            "words": _words(values),
            "time": TimeWords(),
            "told": "yesterday",
            "rest": "",
        },
        "statements.calendar.count_said": {"edges": EVER},
        "statements.telling.telling_drawers": {"times": ALL_TIMES, "sample": Sample()},
    }
