"""What each signal says for the drawers of an example, so that a drawer's worth is the sum of these, weighted. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bench.weights.examples import Example
from palace.recall.ranking.fuse import Weighing, fuse, said_of_it
from palace.recall.ranking.signals import Kind

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Listed:
    """What recall can choose from for one question."""

    rows: Numbers
    """A row for each place that a hit could fill, a column for each signal."""
    answers: npt.NDArray[np.bool_]
    """Which rows answer."""
    share: float = 1.0
    """What the question counts for beside others."""

    @property
    def can_teach(self) -> bool:
        """Tell whether some rows answer, and some do not."""
        return bool(self.answers.any() and not self.answers.all())


def list_places(example: Example, weighing: Weighing, share: float = 1.0) -> Listed:
    """List what could be given back.

    What a turn beside it lends a drawer is in its row; and where a drawer answers a question, the row is that of the
    two which is worth more. Both are told by the weights of ``weighing``.
    """
    rows, weights = rows_of(example, weighing), weights_of(weighing)
    at = {drawer.passage.drawer_id: place for place, drawer in enumerate(example.found.drawers)}
    places, answers = [], []
    for fused in fuse(example.found.drawers, example.found.background, weighing).ranked:
        held = [fused.drawer, *([fused.question] if fused.question else [])]
        places.append(
            max((rows[at[drawer.passage.drawer_id]] for drawer in held), key=lambda row: float(row @ weights))
        )
        answers.append(any(drawer.passage.drawer_id in example.answers for drawer in held))
    return Listed(np.array(places, float).reshape(-1, len(weights)), np.array(answers, bool), share)


def weights_of(weighing: Weighing) -> Numbers:
    """Give the weights in the order of the signals."""
    return np.array([weighing.weights[signal.name] for signal in weighing.signals], float)


def rows_of(example: Example, weighing: Weighing) -> Numbers:
    """Give what each signal says for each drawer, and a share of what it says for the turn beside it."""
    drawers, background = example.found.drawers, example.found.background
    part = said_of_it(drawers, weighing)
    columns = [each.scaled(each.own(drawers, background), part) for each in weighing.signals]
    rows = np.array(columns, float).reshape(len(columns), len(drawers)).T
    said = np.array([each.kind is Kind.SAID for each in weighing.signals], float)
    worth = rows @ (weights_of(weighing) * said)
    turns = {drawer.turn: place for place, drawer in enumerate(drawers)}
    lent = np.zeros_like(rows)
    for place, drawer in enumerate(drawers):
        conversation, position = drawer.turn
        beside = [
            (share, turns[conversation, turn])
            for share, turn in (
                (weighing.neighbours.preceding, position - 1),
                (weighing.neighbours.following, position + 1),
            )
            if (conversation, turn) in turns
        ]
        if beside:
            share, other = max(beside, key=lambda each: each[0] * worth[each[1]])
            lent[place] = share * rows[other] * said
    return rows + lent
