"""What a program of a stranger's brings, arms and steps, is told nothing of what is the victim's."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from palace import ArmRequest, Candidate, Palace, PassageKey, Proposal, Strategy, UserNotNamed, UserSession
from tests.isolation.ways import Overheard
from tests.isolation.world import World


class ThievingArm:
    """Proposes drawers by ids that it has from somewhere."""

    name = "thieving"
    needs_vector = False

    def __init__(self, *drawer_ids: int) -> None:
        self.drawer_ids = drawer_ids

    def propose(self, session: UserSession, request: ArmRequest) -> Proposal:
        return Proposal(tuple(Candidate(PassageKey(drawer_id, 0), 1.0) for drawer_id in self.drawer_ids))


class NamelessArm:
    """Asks for the drawers of everybody."""

    name = "nameless"
    needs_vector = False

    def propose(self, session: UserSession, request: ArmRequest) -> Proposal:
        found = session.execute(sa.text("SELECT id FROM drawer"))
        return Proposal(tuple(Candidate(PassageKey(row.id, 0), 1.0) for row in found))


def test_a_drawer_of_the_victims_that_an_arm_proposes_is_not_found(unharmed: World, stranger: Palace) -> None:
    thieving = Strategy(arms=(ThievingArm(unharmed.victim.drawer_id),))
    query = unharmed.guess.cast.secret
    assert stranger.recall(query, context=9, strategy=thieving).hits == ()
    assert unharmed.victim.palace.recall(query, strategy=thieving).hits != ()


def test_an_arm_that_does_not_name_the_user_is_sent_nothing(unharmed: World, stranger: Palace) -> None:
    with pytest.raises(UserNotNamed):
        stranger.recall("bees", strategy=Strategy(arms=(NamelessArm(),)))


def test_a_step_that_is_given_a_conversation_of_the_victims_reads_and_writes_nothing(
    unharmed: World, stranger: Palace
) -> None:
    step, theirs = Overheard(), unharmed.victim.conversation_id
    step.do(stranger._opened.work(), [theirs])
    with stranger._opened.session() as session:
        own = step.list_pending(session)
        assert step.list_pending(session, among=[theirs], asked=True) == []
    assert (step.kept, len(own)) == ([], 1)
    step.do(stranger._opened.work(), own)
    assert step.kept == ["I keep bees behind the shed."]
