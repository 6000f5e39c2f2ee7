"""What is known of the person, or of anybody or anything named: what holds now, by kinds, each with its drawer."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

from palace.config.zones import in_zone
from palace.db.database import UserSession
from palace.db.drawers import get_drawers, list_told_at
from palace.db.graph.asked import Moments, list_relations_of
from palace.db.graph.listing import find_going_by, get_entities
from palace.db.graph.naming import ask_naming
from palace.db.graph.tags import list_drawers_naming
from palace.db.memories import get_memories, list_memory_ids
from palace.db.memory_life import with_superseded
from palace.db.standing import find_own, list_standing
from palace.graph.names import SELF_KEY
from palace.graph.predicates import tells_events, tells_past
from palace.graph.sentences import USER, YOU, Writer, is_of_people, kind_of, place_of
from palace.graph.wording import standing, when, written
from palace.models import Drawer, MemoryType, RecentItem, Role, Scope, Span, Standing, Why, intake
from palace.models.about import YOU as OWN_PAGE
from palace.models.about import About, AboutKind, AboutLine
from palace.models.claims import EntityType, Precision
from palace.models.graph import Entity, Relation
from palace.nlp.instructions import gives_instruction
from palace.nlp.own import own_words
from palace.nlp.passages import UNIT_END, pieces
from palace.nlp.questions.questions import only_asks
from palace.nlp.rules import rules
from palace.nlp.statements import says_decision, telling_words
from palace.opened import OpenPalace
from palace.operations.naming import find_entity, name_given
from palace.recall.instructions import instructions_in
from palace.recall.recent.look_back import RecentRequest, look_back

LOOKED_AT = 2_000
"""Most relations, and most drawers with standing statements, that are read."""
RULES = 200
"""Most instructions and decisions that are compared, latest first."""
OF_EACH = 4
"""Most relations shown of each of the user's own people."""
DAYS = 365
"""Days that are searched for open tasks."""
OPEN = 200
"""Most open tasks, and most coming dates, that are read; some are other people's."""
SAID = 5
"""Most quotations of an entity's page that no relation covers."""
DECISIONS = 100
"""Most drawers that are searched for decisions."""
LONGEST = 240
"""Longest quotation, in characters."""
A_WEEK = timedelta(days=8)
"""Longest future time that is shown by its days; a longer one is shown by its month."""
_RULES = rules("graph", "about")


def about(opened: OpenPalace, name: object, *, past: bool, limit: object, now: object) -> About:
    """Return what holds now of an entity, of the person themselves where no name is given.

    Raises:
        NotFound: nobody is called so; BadRequest: several are, or something is out of range.
    """
    wanted, zone = None if name is None else name_given("name", name), opened.settings.zone
    most, seen_from = intake.row_count("limit", limit), intake.moment("now", now, zone) or datetime.now(zone)
    return opened.run(lambda session: _Page(opened, session, in_zone(seen_from, zone), most).of(wanted, past=past))


class _Read(NamedTuple):
    """A relation with what a page says of it."""

    relation: Relation
    kind: str
    standing: Standing


@dataclass
class _Page:
    opened: OpenPalace
    session: UserSession
    now: datetime
    most: int
    own_id: int | None = None
    entities: dict[int, Entity] = field(default_factory=dict)

    def of(self, name: str | None, *, past: bool) -> About:
        """Read the page of a name."""
        self.own_id = next(iter(find_going_by(self.session, SELF_KEY)), None)
        found = None if name is None else find_entity(self.session, name, person=self.opened.names)
        if found is None and self.own_id is not None:
            found = get_entities(self.session, [self.own_id])[0]
        is_self = found is None or found.id == self.own_id
        shown = found.name if found and not is_self else OWN_PAGE
        relations = [] if found is None else self._relations(found, is_self=is_self)
        kinds = dict[str, list[AboutLine]]()
        for kind, line in self._lines(relations, past=past):
            kinds.setdefault(kind, []).append(line)
        said = self._open() if is_self or found is None else [("said", self._naming(found, relations))]
        for kind, items in said:
            cited = {item.drawer.pointer for item in items}
            # What somebody says of a time ahead says more than the relation that is read from it.
            others = [line for line in kinds.get(kind, ()) if line.pointer not in cited]
            kinds[kind] = others + [self._quoted(item) for item in items]
        is_person = is_self or (found is not None and found.type is EntityType.PERSON)
        expected = _RULES.table("expected").items() if is_person else ()
        unknown = tuple(what for kind, what in expected if not kinds.get(kind))
        has_past = any(each.standing is Standing.PAST for each in relations)
        return About(shown, found, self.now, tuple(self._kinds(kinds)), unknown, has_past)

    def _relations(self, entity: Entity, *, is_self: bool) -> list[_Read]:
        """List what is known of an entity; of the person, of their people as well."""
        own = list_relations_of(self.session, [entity.id], Moments(), most=LOOKED_AT)
        people = {
            each.object_id
            for each in own
            if is_self and is_of_people(each.predicate) and self._standing(each) is not Standing.PAST
        }
        ids = {each for each in people if each is not None} - {entity.id}
        theirs = list_relations_of(self.session, ids, Moments(as_of=self.now), most=OF_EACH) if ids else []
        known = {each.id for each in own}
        theirs = [each for each in theirs if each.subject_id in ids and each.id not in known]
        named = {each for one in (*own, *theirs) for each in (one.subject_id, one.object_id) if each is not None}
        self.entities = {each.id: each for each in get_entities(self.session, sorted(named))}
        own.sort(key=lambda each: place_of(each.predicate))
        read = []
        for each in own:
            read.append(_Read(each, kind_of(each, self.entities), self._standing(each)))
            if is_of_people(each.predicate):
                read += [_Read(one, "people", Standing.PRESENT) for one in theirs if one.subject_id == each.object_id]
        return read

    def _standing(self, relation: Relation) -> Standing:
        # What happened stays so.
        return Standing.PRESENT if tells_past(relation.predicate) else standing(relation, self.now)

    def _lines(self, read: Sequence[_Read], *, past: bool) -> Iterator[tuple[str, AboutLine]]:
        told_at = list_told_at(self.session, {each.relation.evidence[-1] for each in read})
        paired = set[frozenset[int | None]]()
        for relation, kind, stands in read:
            is_over = stands is Standing.PAST
            pair = frozenset((relation.subject_id, relation.object_id))
            if (is_over and not past) or (is_of_people(relation.predicate) and not is_over and pair in paired):
                continue
            if is_of_people(relation.predicate):
                paired.add(pair)
            pointer = relation.evidence[-1]
            said_at, role = told_at.get(pointer, (None, Role.USER))
            text, told = (
                self._timed(Writer(voice, self.own_id, self.entities).sentence(relation, stands), relation, stands)
                for voice in (YOU, USER)
            )
            elsewhere = {Standing.PAST: "before", Standing.FUTURE: "coming"}
            yield elsewhere.get(stands, kind), AboutLine(text, told, pointer, said_at, role, stands)

    def _timed(self, sentence: str, relation: Relation, stands: Standing) -> str:
        """Add when it holds, where more is known than when it was said."""
        told = when(relation, self.opened.settings.zone, self.now)
        if stands is Standing.PRESENT and told.startswith("known from"):
            told = f"until {told.rpartition(' to ')[2]}"
        between = ", " if stands is not Standing.FUTURE and not tells_events(relation.predicate) else " "
        timed = sentence if not told or told.startswith("known since") else f"{sentence}{between}{told}"
        return f"{timed[:1].upper()}{timed[1:]}."

    def _open(self) -> Iterator[tuple[str, list[RecentItem]]]:
        """Find what the person asked for once and for all, decided, has ahead and has to do."""
        names = self.opened.names
        request = RecentRequest.of(days=DAYS, since=None, now=self.now, limit=OPEN, scope=Scope(), names=names)
        recent = look_back(self.session, request)
        ids = list_standing(self.session, None, names=names, without_readers=(), newest=LOOKED_AT)
        kept = instructions_in(get_drawers(self.session, ids).values(), most=RULES)
        dropped = self._dropped()
        said = ((item, item.drawer.content[slice(*item.sentence)]) for item in kept)
        asked = [item for item, text in said if gives_instruction(text) and text.strip() not in dropped]
        told = set(map(_place, recent.coming))
        yield "rules", [item for item in asked if _place(item) not in told]
        told.update(map(_place, asked))
        yield "decisions", [item for item in self._decisions() if _place(item) not in told]
        own = {None, *names}
        yield "coming", [item for item in recent.coming if item.drawer.speaker in own]
        yield "open", [item for item in recent.open if item.drawer.speaker in own]

    def _dropped(self) -> set[str]:
        """Return the texts of instructions that are remembered, and were rejected or superseded, or expired."""
        current = list_memory_ids(self.session, Scope(), types=[MemoryType.INSTRUCTION])
        memories = get_memories(self.session, with_superseded(self.session, current))
        active = {each.content for each in memories if each.is_active(self.now)}
        return {each.content for each in memories} - active

    def _naming(self, entity: Entity, read: Sequence[_Read]) -> list[RecentItem]:
        found = {drawer_id for _, drawer_id in ask_naming(self.session, [entity.id], most=LOOKED_AT).get()}
        cited = {each for one in read for each in (*one.relation.evidence, *one.relation.closed_by)}
        called = "|".join(re.escape(each.casefold()) for each in (entity.name, *entity.aliases))
        named = re.compile(rf"(?<!\w)(?:{called})(?!\w)")
        drawers = [each for each in self._own(found, most=10 * SAID) if each.pointer not in cited]
        return self._sentences(drawers, lambda text: bool(named.search(text.casefold())))[:SAID]

    def _decisions(self) -> list[RecentItem]:
        """Find what the person decided, the latest first, each thing as it was decided last."""
        words = _RULES.words("deciding")
        # All of them are one thing to the statement, which searches several.
        deciding = 0
        found = set(list_drawers_naming(self.session, {deciding: words}, most=DECISIONS).get(deciding, ()))
        decided = self._sentences(
            self._own(found, most=DECISIONS), lambda text: says_decision(text) and _RULES.finds("ours", text)
        )
        kept: list[RecentItem] = []
        for item in decided:
            these = telling_words(item.drawer.content[slice(*item.sentence)])
            others = (telling_words(each.drawer.content[slice(*each.sentence)]) for each in kept)
            if not any(_speak_of_one(these, those) for those in others):
                kept.append(item)
        return kept

    def _own(self, drawer_ids: Collection[int], *, most: int) -> list[Drawer]:
        own = sorted(find_own(self.session, drawer_ids, self.opened.names), reverse=True)[:most]
        drawers = [
            each for each in get_drawers(self.session, own).values() if not each.replaced_at and each.until is None
        ]
        return sorted(drawers, key=lambda each: each.dated_at, reverse=True)

    @staticmethod
    def _sentences(drawers: Iterable[Drawer], is_wanted: Callable[[str], bool]) -> list[RecentItem]:
        found = []
        for drawer in drawers:
            content, own = drawer.content, own_words(drawer.content)
            for span in pieces(content, Span(0, len(content)), UNIT_END):
                text = content[slice(*span)]
                is_own = own[slice(*span)] == text and len(text) <= LONGEST
                if is_own and not only_asks(text) and is_wanted(text):
                    found.append(RecentItem(drawer, span, Why.SAID, drawer.dated_at, 1.0))
        return found

    def _quoted(self, item: RecentItem) -> AboutLine:
        """Write a sentence as it was said, behind the day that it is for."""
        drawer, (start, end) = item.drawer, item.sentence
        if drawer.content.startswith(":", end):
            # What a sentence announces stands behind it.
            end = min(end + len(drawer.content[end:].partition("\n")[0]), start + LONGEST)
        text = " ".join(drawer.content[start:end].split()).removeprefix("- ")
        if item.due is not None:
            is_long = item.due.end - item.due.start > A_WEEK
            precision = Precision.MONTH if is_long else Precision.DAY
            text = f"{written(item.due.start, precision, self.opened.settings.zone)}: {text}"
        stands = Standing.PRESENT if item.due is None else Standing.FUTURE
        return AboutLine(text, text, drawer.pointer, drawer.said_at, drawer.role, stands)

    def _kinds(self, kinds: Mapping[str, Sequence[AboutLine]]) -> Iterator[AboutKind]:
        for name, title in _RULES.table("titles").items():
            if lines := list(dict.fromkeys(kinds.get(name, ()))):
                yield AboutKind(name, title, tuple(lines[: self.most]), max(len(lines) - self.most, 0))


def _place(item: RecentItem) -> tuple[int, int]:
    return item.drawer.id, item.sentence.start


def _speak_of_one(one: frozenset[str], other: frozenset[str]) -> bool:
    """Check whether two decisions are about one thing: two words in common, and most of the shorter's."""
    shared = len(one & other)
    return shared >= 2 and shared * 3 >= 2 * min(len(one), len(other))
