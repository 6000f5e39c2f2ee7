"""Rules for secrets that a user sets for themselves: read wherever something is redacted, and nobody else's."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Sequence
from pathlib import Path

import pytest
import sqlalchemy as sa

from palace import BadRequest, DatabaseUnavailable, Palace, Palaces, Settings
from palace.agent.known_rules import KnownRules
from palace.ai.embedders.protocol import EmbeddedTexts
from palace.testing import HashingEmbedder
from palace.turns import TurnOptions

BADGE = r"TIDE-\d{6}"
SAID = "My badge is TIDE-123456 since May."
KEY = "AKIA" + "QRTUVWXYZ2345672"
TIMELY = TurnOptions(timeout=30, memory=False)


def everything(palace: Palace) -> str:
    with palace._opened.session() as session:
        drawers = session.connection.execute(sa.text("SELECT content FROM drawer")).scalars().all()
    return "\n".join(drawers)


@pytest.mark.parametrize("way", ["mine", "dry", "file", "note", "turn"])
def test_a_pattern_of_ones_own_holds_wherever_something_is_filed(palace: Palace, tmp_path: Path, way: str) -> None:
    palace.settings.set("secrets_patterns", {"badge": BADGE})
    if way in ("mine", "dry"):
        source = tmp_path / "said.json"
        source.write_text(json.dumps([{"role": "user", "content": SAID}]))
        summary = palace.mine(source, dry_run=way == "dry")
        assert dict(summary.secrets) == {"badge": 1}
    elif way == "file":
        palace.file([{"role": "user", "content": SAID}])
    elif way == "note":
        palace.note(SAID)
    else:
        palace.turn(SAID, session="chat", options=TIMELY).finish("Noted: TIDE-123456.")
    assert "TIDE-123456" not in everything(palace)
    assert ("[secret: badge]" in everything(palace)) == (way != "dry")


def test_two_users_have_rules_of_their_own(palace: Palace, palaces: Palaces) -> None:
    palace.settings.set("secrets_patterns", {"badge": BADGE})
    other = palaces.palace(f"user-{uuid.uuid4()}")
    other.note(SAID)
    assert "TIDE-123456" in everything(other)
    assert other.settings.get("secrets_patterns").value == ()
    other.settings.set("secrets_off", "key")
    other.note(f"The key is {KEY}.")
    assert KEY in everything(other)
    palace.note(f"The key is {KEY}. {SAID}")
    assert everything(palace) == "The key is [secret: key]. My badge is [secret: badge] since May."


def test_what_is_let_pass_stays(palace: Palace) -> None:
    palace.settings.set("secrets_allowed", [KEY])
    palace.note(f"The key is {KEY}.")
    assert KEY in everything(palace)
    palace.settings.reset("secrets_allowed")
    palace.scrub()
    assert KEY not in everything(palace)


def test_a_turn_heeds_a_rule_that_another_process_has_set(palace: Palace, settings: Settings) -> None:
    palace.turn(SAID, session="before", options=TIMELY).finish("Yes.")
    assert "TIDE-123456" in everything(palace)
    with Palace.open(settings, user=palace.user, embedder=HashingEmbedder()) as other:
        other.settings.set("secrets_patterns", {"badge": BADGE})
    palace.turn(SAID.replace("May", "June"), session="after", options=TIMELY).finish("Yes.")
    assert "TIDE-123456 since June" not in everything(palace)


@pytest.mark.parametrize("begins_anew", [False, True])
def test_what_waits_is_without_what_the_rules_last_seen_find(
    palace: Palace, settings: Settings, folder: Path, monkeypatch: pytest.MonkeyPatch, *, begins_anew: bool
) -> None:
    here = settings.model_copy(update={"home": folder})
    with Palace.open(here, user=palace.user, embedder=HashingEmbedder()) as opened:
        opened.settings.set("secrets_patterns", {"badge": BADGE})
        opened.turn("Hello", session="chat", options=TIMELY).finish("Hello.")
        (kept,) = (folder / "outbox").glob("*.rules.json")
        assert kept.stat().st_mode & 0o077 == 0
        filer = opened.turns._taker.finishing.filer
    with Palace.open(here, user=palace.user, embedder=HashingEmbedder()) as again:
        filer = (again if begins_anew else opened).turns._taker.finishing.filer
        monkeypatch.setattr(type(filer), "file", _away)
        used = again if begins_anew else opened
        finished = used.turn(SAID, session="chat", options=TIMELY).finish(f"The key is {KEY}.")
        assert finished.is_waiting
        (waiting,) = (path for path in (folder / "outbox").glob("*.jsonl"))
        written = waiting.read_text()
        assert "[secret: badge]" in written
        assert "TIDE-123456" not in written
        assert KEY not in written
        again.turns.discard()
        assert not list((folder / "outbox").glob("*.rules.json"))


def _away(*_: object) -> int:
    raise DatabaseUnavailable("away")


def test_while_nobody_can_look_the_patterns_of_the_process_hold_too(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "outbox" / "a.rules.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"secrets_patterns": [f"badge={BADGE}"], "other": 3}))
    rules = KnownRules(settings.model_copy(update={"secrets_patterns": {"desk": r"DESK-\d{3}"}}), path)
    assert rules.hide("TIDE-123456 DESK-123") == "[secret: badge] [secret: desk]"
    for damaged in ("", "[]", "{", '{"secrets_patterns": 7}', '{"secrets_patterns": ["badge=(((("]}'):
        path.write_text(damaged)
        assert rules.hide(f"TIDE-123456 DESK-123 {KEY}") == "TIDE-123456 [secret: desk] [secret: key]"


UNUSABLE: list[tuple[str, object, str]] = [
    ("secrets_patterns", {"badge": "(a+)+$"}, "the pattern 'badge' cannot be used from '(a+)+$'"),
    ("secrets_patterns", {"badge": r"\d+\d"}, "repeated, would run into"),
    ("secrets_patterns", {"key": "ABC"}, "and new: 'key'"),
    ("secrets_patterns", {"Badge!": "ABC"}, "a pattern's name is of small letters"),
    ("secrets_patterns", {f"badge {n}": "AB" for n in range(33)}, "33 patterns of one's own are too many"),
    ("secrets_patterns", ["badge=A1", "badge=B2"], "secrets_patterns must be NAME=PATTERN"),
    ("secrets_off", ["card nummer"], "did you mean 'card number'?"),
    ("secrets_off", ["weather"], "kinds are key, token, password, private key, card number"),
    ("secrets_allowed", [7], "secrets_allowed must be up to 10,000 texts"),
    ("secrets_allowed", ["x" * 9_000, "y" * 9_000], "secrets_allowed has more than 10,000 characters"),
]


def test_what_cannot_be_used_is_refused_in_one_line(palace: Palace) -> None:
    for name, value, told in UNUSABLE:
        with pytest.raises(BadRequest) as problem:
            palace.settings.set(name, value)
        assert told in str(problem.value)
        assert "\n" not in str(problem.value)
        assert palace.settings.get(name).level == "default"


def test_whoever_hides_patterns_of_the_process_is_told(palace: Palace, settings: Settings) -> None:
    named = settings.model_copy(update={"secrets_patterns": {"desk": r"DESK-\d{3}"}})
    with Palace.open(named, user=palace.user, embedder=HashingEmbedder()) as opened:
        opened.note("DESK-123")
        assert everything(opened) == "[secret: desk]"
        shown = opened.settings.set("secrets_patterns", {"badge": BADGE})
        assert shown.warnings == (
            "desk of the environment or config.toml will not be taken out any more: name them too, or reset this",
        )


def test_no_pattern_that_is_taken_runs_away(palace: Palace, tmp_path: Path) -> None:
    palace.settings.set("secrets_patterns", {"badge": r"[A-Z]+-\d{1,256}x", "desk": "a*b*c"})
    texts = ("A" * 50_000, "A-" * 25_000, "A-1" * 20_000, "a" * 50_000, "ab" * 25_000)
    (tmp_path / "said.json").write_text(json.dumps([{"role": "user", "content": text} for text in texts]))
    begun = time.process_time()
    assert palace.mine(tmp_path / "said.json", dry_run=True).drawers_new == 5
    assert time.process_time() - begun < 10


def test_no_file_decides_what_is_taken_out(palace: Palace, palaces: Palaces, tmp_path: Path) -> None:
    palace.note("Hello.")
    palace.settings.set("secrets_off", ["card number"])
    palace.settings.set("secrets_patterns", {"badge": BADGE})
    palace.transfer.export(tmp_path / "palace.jsonl", settings=True)
    assert b"secrets" not in (tmp_path / "palace.jsonl").read_bytes()
    other = palaces.palace(f"user-{uuid.uuid4()}")
    other.settings.set("secrets_patterns", {"badge": BADGE})
    other.transfer.load(tmp_path / "palace.jsonl", settings=True)
    other.note(SAID)
    assert "TIDE-123456" not in everything(other)
    assert other.settings.get("secrets_off").value == ()


def test_rules_that_are_set_here_are_known_while_the_database_is_away(
    palace: Palace, settings: Settings, folder: Path
) -> None:
    here = settings.model_copy(update={"home": folder})
    with Palace.open(here, user=palace.user, embedder=HashingEmbedder()) as opened:
        opened.settings.set("secrets_patterns", ["berth=HAFEN-[0-9]{6}"])
        (path,) = (folder / "outbox").glob("*.rules.json")
        assert KnownRules(here, path).hide("hello HAFEN-888888") == "hello [secret: berth]"
        opened.settings.reset("secrets_patterns")
        assert KnownRules(here, path).hide("hello HAFEN-888888") == "hello HAFEN-888888"


def test_memories_that_cite_one_another_are_scrubbed_and_still_do(palace: Palace) -> None:
    first = palace.memories.store(SAID)
    other = palace.memories.store("Doors open with TIDE-123456 alone", evidence=[str(first.id)])
    palace.memories.reject(str(other.id), "TIDE-123456 is old")
    palace.settings.set("secrets_patterns", {"badge": BADGE})
    palace.scrub()
    scrubbed = palace.memories.get(str(other.id))
    assert scrubbed.content == "Doors open with [secret: badge] alone"
    assert (scrubbed.evidence, scrubbed.reason) == ((first.id,), "[secret: value] is old")
    palace.memories.reject(str(other.id), "TIDE-123456 is very old")
    assert palace.memories.get(str(other.id)).reason == "[secret: badge] is very old"


def test_a_memory_is_compared_without_its_secrets(settings: Settings) -> None:
    seen: list[str] = []

    class Watching(HashingEmbedder):
        def embed_passages(self, texts: Sequence[str]) -> EmbeddedTexts:
            seen.extend(texts)
            return super().embed_passages(texts)

    with Palace.open(settings, user=f"user-{uuid.uuid4()}", embedder=Watching()) as palace:
        palace.settings.set("secrets_patterns", {"badge": BADGE})
        stored = palace.memories.store(SAID)
        assert palace.memories.store(SAID).id == stored.id
    assert seen
    assert "TIDE-123456" not in "".join(seen)
