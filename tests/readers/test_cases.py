"""Files as people have them, each with what is to be read of it beside it.

``cases/FORMAT.json`` holds small files by what they show: ``file`` or ``folder`` is what is mined, ``read`` what comes
of it. In ``corpus`` they lie as they are, ``NAME`` beside ``NAME.expected.json``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from palace import Conversation, UnreadableSource
from tests.readers.front import as_bytes, outcome, told

HERE = Path(__file__).parent
EXPORTS, TEXTS = HERE / "corpus" / "exports", HERE / "corpus" / "text"
ENDING = ".expected.json"
BERLIN = ZoneInfo("Europe/Berlin")


def expected(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def as_file(content: Any) -> bytes:
    """Give the bytes of a file: text as it is, ``lines`` and anything else as JSON, ``latin-1`` in that encoding."""
    match content:
        case {"latin-1": str(text)}:
            return text.encode("latin-1")
        case {"lines": [*values]}:
            return "\n".join("" if value is None else json.dumps(value) for value in values).encode()
    return as_bytes(content)


def written(case: dict[str, Any], folder: Path) -> Path:
    """Write the files of a case and give what is to be mined."""
    files, root = case.get("file") or case["folder"], folder / ("" if "file" in case else "tree")
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(as_file(content))
    return root / next(iter(files)) if "file" in case else root


@pytest.mark.parametrize("cases", sorted((HERE / "cases").iterdir()), ids=lambda path: path.stem)
def test_every_case_of_a_format_is_read_as_it_says(cases: Path, tmp_path: Path) -> None:
    wrong = {}
    for number, (name, case) in enumerate(expected(cases).items()):
        read = outcome(written(case, tmp_path / str(number)))
        if read != case["read"]:
            wrong[name] = {"read": read, "expected": case["read"]}
    assert not wrong, json.dumps(wrong, indent=1, ensure_ascii=False)


def of_export(path: Path) -> dict[str, Any]:
    """Give what comes of an export, in as much as its expectation tells of it."""
    found = outcome(path, longest=10_000_000)
    for conversation in found.get("conversations", []):
        for name in ("place", "folder", "began", "by_day", "ids_are_global", "is_partial"):
            conversation.pop(name, None)
        for turn in conversation["turns"]:
            turn.pop("offset", None)
            turn["says"] = turn["says"][:100]
    return found | ({"error": found.pop("refused")} if "refused" in found else {})


def test_every_export_of_the_corpus_is_read_as_the_file_beside_it_says() -> None:
    cases = [path for path in sorted(EXPORTS.iterdir()) if not path.name.endswith(ENDING)]
    beside = {path: path.with_name(path.name.split(".")[0] + ENDING) for path in cases}
    assert {path for path in EXPORTS.iterdir() if path.name.endswith(ENDING)} == set(beside.values())
    wrong = {}
    for path in cases:
        read = of_export(path)
        if read != expected(beside[path]):
            wrong[path.name] = read
    assert not wrong, json.dumps(wrong, indent=1, ensure_ascii=False)
    assert len(cases) >= 60


TEXT_FILES = {path.relative_to(TEXTS).as_posix() for path in TEXTS.rglob("*") if path.is_file()}
TEXT_NAMES = sorted(name.removesuffix(ENDING) for name in TEXT_FILES if name.endswith(ENDING))


def shown(found: Conversation) -> dict[str, Any]:
    turns = [
        [turn.role.value, turn.speaker, turn.said_at and turn.said_at.astimezone(BERLIN).isoformat(), turn.content[:40]]
        for turn in found.turns
    ]
    began = {"started_at": found.started_at.isoformat()} if found.started_at else {}
    about = {"reader": found.reader, "title": found.title, "slicing": found.slicing.value}
    return {**about, **began, "turns": turns, "warnings": list(found.warnings)}


def of_text(name: str) -> tuple[list[Conversation], dict[str, Any]]:
    """Read a text as its expectation says; give what was found, and all of it as the expectation has it."""
    about = expected(TEXTS / f"{name}{ENDING}")
    given = {"given": about["given"]} if "given" in about else {}
    try:
        found, beside = told(TEXTS / name, zone=BERLIN, **about.get("given", {}))
    except UnreadableSource as problem:
        return [], given | {"refused": str(problem).replace(f"{TEXTS}/", "")}
    besides = {
        "notices": [notice.replace(f"{TEXTS}/", "") for notice in beside.notices],
        "left_out": dict(beside.left_out),
        "failures": [str(problem).replace(f"{TEXTS}/", "") for problem in beside.failures],
    }
    return found, given | {"conversations": [shown(each) for each in found]} | {k: v for k, v in besides.items() if v}


def test_every_text_of_the_corpus_is_read_as_the_file_beside_it_says() -> None:
    assert len(TEXT_NAMES) > 90
    assert {name for name in TEXT_FILES if not name.endswith(ENDING)} == set(TEXT_NAMES)
    wrong = {}
    for name in TEXT_NAMES:
        _, read = of_text(name)
        if read != expected(TEXTS / f"{name}{ENDING}"):
            wrong[name] = read
    assert not wrong, json.dumps(wrong, indent=1, ensure_ascii=False)


def test_every_character_of_a_message_stands_in_its_file_and_a_text_of_several_turns_is_carried_whole() -> None:
    wrong = []
    for name in TEXT_NAMES:
        data = (TEXTS / name).read_bytes()
        marked = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        asked = expected(TEXTS / f"{name}{ENDING}").get("given", {}).get("encoding")
        text = data.decode(asked or marked, "replace")
        for found in of_text(name)[0]:
            wrong += [(name, turn.content) for turn in found.turns if not stands_in(turn.content, text, found.reader)]
            is_carried = found.reader not in ("telegram", "mail", "table") and len(found.turns) > 1
            if (found.whole_text is not None) != is_carried:
                wrong.append((name, "its whole text"))
    assert wrong == []


def stands_in(content: str, text: str, reader: str) -> bool:
    """Tell whether a content is in the file's text; of quotations, captions and JSON line by line, as they are cut."""
    if reader == "telegram":
        return content.startswith("[") or all(part.removeprefix("- ") in text for part in content.split())
    if reader in ("mail", "captions", "transcript"):
        return content in text or all(line in text for line in content.split("\n"))
    return content in text


def test_every_line_of_a_diary_of_the_corpus_is_in_one_of_its_turns() -> None:
    diaries = [(name, found) for name in TEXT_NAMES for found in of_text(name)[0] if found.reader == "journal"]
    assert len(diaries) > 5
    for name, found in diaries:
        lines = [line for line in (TEXTS / name).read_text().splitlines() if line.strip()]
        said = [line for turn in found.turns for line in turn.content.splitlines() if line.strip()]
        assert sorted(said) == sorted(line for line in lines if line.strip("# ") != found.title), name
