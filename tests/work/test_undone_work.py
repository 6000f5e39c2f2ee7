"""A person's reason for having something undone, and rules for a folder, an ending or a time."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from palace import Palace
from tests.work.sessions import BEGAN, Session
from tests.work.test_lasting import bears

REASON = "la compta ouvre le fichier avec Excel, donc point-virgule et latin-1"


def undone_by_edit(session: Session) -> Session:
    return session.edits("cmake/Flags.cmake", "set(OPT -O3 -ffast-math)", "set(OPT -O3 -g)")


def undone_by_git(session: Session) -> Session:
    return session.runs("git checkout cmake/Flags.cmake", "Updated 1 path from the index")


@pytest.mark.parametrize("undo", [undone_by_edit, undone_by_git])
def test_what_was_said_before_something_was_undone_bears_on_its_file(
    palace: Palace, tmp_path: Path, undo: object
) -> None:
    session = (
        Session("u-1").asks("make it faster").edits("cmake/Flags.cmake", "set(OPT -O2 -g)", "set(OPT -O3 -ffast-math)")
    )
    session.says("2.6 times faster.").asks(REASON)
    undo(session).edits("src/advect.f90").says("Back as it was.")  # type: ignore[operator]
    palace.mine(session.write(tmp_path), wing="api")
    found = bears(palace, file="cmake/Flags.cmake")
    assert found is not None
    assert found.text == REASON
    assert bears(palace, file="src/advect.f90") is None


def test_the_same_words_bear_on_nothing_where_nothing_was_undone(palace: Palace, tmp_path: Path) -> None:
    session = Session("u-2").asks("make it faster").edits("cmake/Flags.cmake", "set(OPT -O2 -g)", "set(OPT -O3 -march)")
    session.says("Faster.").asks(REASON).edits("cmake/Flags.cmake", "project(varda)", "project(varda CXX)").says(
        "Done."
    )
    palace.mine(session.write(tmp_path), wing="api")
    assert bears(palace, file="cmake/Flags.cmake") is None


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("no, never floats in there: everything under combat has to come out bit identical", "sim/combat/status.cs"),
        ("no, never rename a field, in every proto we only add", "api/alert.proto"),
        ("The combat folder stays without floats, we decided that.", "sim/combat/status.cs"),
    ],
)
def test_a_rule_for_a_folder_or_an_ending_bears_on_its_other_files(
    palace: Palace, tmp_path: Path, said: str, other: str
) -> None:
    changed = "sim/combat/damage.cs" if "combat" in said else "api/reading.proto"
    session = (
        Session("c-1").asks("add crits").edits(changed, "return raw;", "return raw * 2.0f;").says("Done.").asks(said)
    )
    palace.mine(session.edits(changed, "return raw * 2.0f;", "return raw;").says("Back.").write(tmp_path), wing="api")
    found = bears(palace, file=other)
    assert found is not None
    assert found.text.startswith(said[:20])
    assert bears(palace, file="ui/panel.txt") is None


def test_a_word_that_is_a_folder_s_name_by_chance_is_none(palace: Palace, tmp_path: Path) -> None:
    said = "no, never floats: last year all combat was off after a while"
    session = Session("c-2").asks("add crits").edits("sim/combat/damage.cs", "return raw;", "return raw * 2.0f;")
    session.says("Done.").asks(said).edits("sim/combat/damage.cs", "return raw * 2.0f;", "return raw;").says("Back.")
    palace.mine(session.write(tmp_path), wing="api")
    assert bears(palace, file="sim/combat/damage.cs") is not None
    assert bears(palace, file="sim/combat/status.cs") is None


def test_a_rule_for_a_time_bears_until_its_file_is_changed_in_a_later_session(palace: Palace, tmp_path: Path) -> None:
    session = Session("l-1").asks("We decided that wer.py stays unnormalized until the report is out.").edits("wer.py")
    palace.mine(session.says("Done.").write(tmp_path), wing="api")
    assert bears(palace, file="wer.py") is not None
    later = Session("l-2", began=BEGAN + timedelta(days=20)).asks("the report went out").edits("wer.py").says("Done.")
    palace.mine(later.write(tmp_path), wing="api")
    assert bears(palace, file="wer.py") is None


def test_what_the_agent_changes_again_by_itself_undoes_nothing(palace: Palace, tmp_path: Path) -> None:
    session = Session("s-1").asks(REASON).edits("cmake/Flags.cmake", "set(OPT -O2 -g)", "set(OPT -O3 -ffast-math)")
    session.edits("cmake/Flags.cmake", "set(OPT -O3 -ffast-math)", "set(OPT -O3 -g)").runs(
        "git checkout cmake/Flags.cmake"
    )
    palace.mine(session.says("Done.").write(tmp_path), wing="api")
    assert bears(palace, file="cmake/Flags.cmake") is None


def test_a_pasted_text_makes_no_decision_one_for_a_folder(palace: Palace, tmp_path: Path) -> None:
    said = "```\nunder src there are 3 files\n```\nfrom now on we never use floats for amounts"
    session = Session("p-1").asks("add the sums").edits("src/sums.py", "return raw", "return float(raw)").says("Done.")
    session.asks(said).edits("src/sums.py", "return float(raw)", "return Decimal(raw)").says("Back.")
    palace.mine(session.write(tmp_path), wing="api")
    assert bears(palace, file="src/sums.py") is not None
    assert bears(palace, file="src/other.py") is None
