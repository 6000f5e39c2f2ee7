"""Compare a text with the known memories of its type: which says the same, which are alike, which contradict it."""

from __future__ import annotations

from dataclasses import dataclass

from palace.db.memories import Nearest, list_nearest
from palace.memories.contradicting import ClaimReader, says_the_same, texts_contradict
from palace.models import MemoryType
from palace.nlp.words import slugify
from palace.opened import OpenPalace
from palace.recall.floor import calibration_of

MOST_ALIKE = 5
MOST_COMPARED = 20
"""The nearest memories among which contradictions are looked for."""
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
    run = opened.embedding_run()
    vector = run.vectors_of([content])[0]
    near, slug = (run.generation, [float(each) for each in vector]), slugify(wing)
    measured = calibration_of(run.generation.model)
    within = None if type in EVERYWHERE and not only_there else slug
    found = opened.run(lambda session: list_nearest(session, near, type, within, limit=MOST_COMPARED))
    related = [each for each in found if each.similarity >= measured.related]
    if type is MemoryType.EPISODIC:
        rivals: tuple[Nearest, ...] = ()
    else:
        claims_of = ClaimReader(opened.settings.zone)
        rivals = tuple(each for each in related if texts_contradict(each.content, content, claims_of))
    others = [each for each in related if each not in rivals and each.wing == slug]
    likely = (each for each in others if each.similarity > measured.same and says_the_same(each.content, content))
    same = next(likely, None)
    alike = tuple(each for each in others if each is not same and each.similarity >= measured.alike)
    return Likeness(same, alike[:MOST_ALIKE], rivals)
