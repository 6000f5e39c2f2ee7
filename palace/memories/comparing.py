"""Compare a text with the known memories of its type: which says the same, which are alike, which contradict it."""

from __future__ import annotations

from dataclasses import dataclass

from palace.db.database import UserSession
from palace.db.memories import Nearest, list_nearest
from palace.memories.contradicting import ClaimReader, claims_contradict, says_the_same, texts_contradict
from palace.models import MemoryType
from palace.nlp.words import slugify
from palace.opened import OpenPalace
from palace.recall.floor import calibration_of

MOST_ALIKE = 5
MOST_COMPARED = 20
"""The nearest memories among which contradictions are looked for."""
MOST_CLAIMED = 8
"""The same for each claim of a memory: every one of them is parsed."""
EVERYWHERE = (MemoryType.SEMANTIC, MemoryType.REFLECTIVE, MemoryType.INSTRUCTION)
"""Types of which what is said in one wing may contradict what is said in another."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """The known memories that a text is like."""

    same: Nearest | None = None
    """The memory that says the same; None without one."""
    alike: tuple[Nearest, ...] = ()
    """The others that are linked, nearest first."""
    rivals: tuple[Nearest, ...] = ()
    """Those that contradict it, nearest first."""


def compare(opened: OpenPalace, content: str, type: MemoryType, wing: str, *, only_there: bool = False) -> Likeness:
    """Find the accepted memories of a type that a text is like; only those of its wing can say the same.

    With ``only_there``, those of other wings are left alone.

    What happened at one time never contradicts, or repeats, what happened at another.

    Raises:
        EmbeddingError: the model did not answer.
    """
    run, slug, claims_of = opened.embedding_run(), slugify(wing), ClaimReader(opened.settings.zone)
    # "Yesterday I moved to Leuven" is not like "I live in Mechelen with two cats", but what it claims is.
    claims = claims_of.probes(content) if type in EVERYWHERE else []
    vectors = [[float(each) for each in vector] for vector in run.vectors_of([content, *claims])]
    measured = calibration_of(run.generation.model)
    within = None if type in EVERYWHERE and not only_there else slug

    def nearest(session: UserSession) -> list[list[Nearest]]:
        limits = [MOST_COMPARED, *(MOST_CLAIMED for _ in claims)]
        near = zip(((run.generation, each) for each in vectors), limits, strict=True)
        return [list_nearest(session, each, type, within, limit=limit) for each, limit in near]

    found, *claimed = opened.run(nearest)
    related = [each for each in found if each.similarity >= measured.related]
    rivals: tuple[Nearest, ...] = ()
    if type is not MemoryType.EPISODIC:
        known = {each.drawer_id for each in related}
        unlike = {each.drawer_id: each for group in claimed for each in group if each.drawer_id not in known}
        against = [each for each in related if texts_contradict(each.content, content, claims_of)]
        against += [each for each in unlike.values() if claims_contradict(each.content, content, claims_of)]
        rivals = tuple(against)
    others = [each for each in related if each not in rivals and each.wing == slug]
    likely = (each for each in others if each.similarity > measured.same and says_the_same(each.content, content))
    same = next(likely, None)
    alike = tuple(each for each in others if each is not same and each.similarity >= measured.alike)
    return Likeness(same, alike[:MOST_ALIKE], rivals)
