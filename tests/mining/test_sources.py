"""Several sources in one run, what they go by, and what is told of them beside their messages."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from palace import BadRequest, Palace, UnreadableSource


def write(path: Path, *contents: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([{"role": "user", "content": content} for content in contents]), encoding="utf-8")
    return path


def wings(palace: Palace) -> list[str]:
    return [wing.name for wing in palace.tree.wings()]


def type_in(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))


def test_the_wing_of_a_folder_or_an_archive_is_called_after_it_however_many_files_it_has(
    palace: Palace, tmp_path: Path
) -> None:
    for files in (1, 2):
        for number in range(files):
            write(tmp_path / f"boats {files}" / f"{number}.json", f"Talk {number} of {files} in a folder.")
        palace.mine(tmp_path / f"boats {files}")
        with zipfile.ZipFile(tmp_path / f"masts {files}.zip", "w") as archive:
            for number in range(files):
                archive.write(write(tmp_path / f"{number}.json", f"Talk {number} of {files}."), f"{number}.json")
        palace.mine(tmp_path / f"masts {files}.zip")
    assert wings(palace) == ["boats 1", "masts 1", "boats 2", "masts 2"]


def test_files_named_together_each_go_by_their_own_name(palace: Palace, tmp_path: Path) -> None:
    summary = palace.mine(write(tmp_path / "a.json", "One."), write(tmp_path / "b.json", "Two."))
    assert (summary.files, summary.drawers_new) == (2, 2)
    assert wings(palace) == ["a", "b"]
    [run] = palace.runs.list()
    assert run.source == f"{tmp_path / 'a.json'}, {tmp_path / 'b.json'}"


def test_what_is_named_twice_is_mined_once(palace: Palace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "talks" / "a.json", "One.")
    monkeypatch.chdir(tmp_path)
    summary = palace.mine(path, "talks/a.json", path.parent, str(path))
    assert (summary.files, summary.drawers_new, summary.drawers_unchanged) == (1, 1, 0)


def test_a_source_that_is_not_there_is_named_and_the_others_are_mined(palace: Palace, tmp_path: Path) -> None:
    gone = tmp_path / "gone.json"
    summary = palace.mine(gone, write(tmp_path / "a.json", "One."))
    assert [failure.message for failure in summary.failures] == [f"{gone}: no such file or folder"]
    assert summary.drawers_new == 1
    rehearsed = palace.mine(gone, tmp_path / "a.json", dry_run=True)
    assert [failure.file for failure in rehearsed.failures] == [str(gone)]
    with pytest.raises(UnreadableSource, match="no such file"):
        palace.mine(gone)


def test_nothing_named_is_a_wrong_call(palace: Palace) -> None:
    with pytest.raises(BadRequest, match="name what to mine"):
        palace.mine()


def test_standard_input_goes_by_the_name_it_is_given(palace: Palace, monkeypatch: pytest.MonkeyPatch) -> None:
    type_in(monkeypatch, json.dumps([{"role": "user", "content": "One."}]))
    palace.mine("-", name="talks/meeting.json")
    assert wings(palace) == ["meeting"]
    type_in(monkeypatch, "[{")
    summary = palace.mine("-", name="meeting.json")
    assert [failure.file for failure in summary.failures] == ["meeting.json"]
    assert [run.source for run in palace.runs.list()] == ["meeting.json"]


def test_a_name_that_no_file_can_have_or_without_standard_input_is_refused(palace: Palace, tmp_path: Path) -> None:
    for name in ("", "/", "a\0b", "a\nb", "x" * 201, "\udcff"):
        with pytest.raises(BadRequest, match="is no name of a file"):
            palace.mine("-", name=name)
    with pytest.raises(BadRequest, match="give - as a source"):
        palace.mine(write(tmp_path / "a.json", "One."), name="meeting.txt")


def test_an_export_is_sent_to_import(palace: Palace, tmp_path: Path) -> None:
    palace.mine(write(tmp_path / "a.json", "One."))
    export = tmp_path / "palace.jsonl"
    palace.transfer.export(export)
    [failure] = palace.mine(export).failures
    assert failure.message == f"{export}: is an export of a palace: `palace import` takes it up"


def test_an_unknown_encoding_or_order_of_dates_is_refused(palace: Palace, tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", "One.")
    for encoding in ("klingon", "rot13", "hex", "a\0"):
        with pytest.raises(BadRequest, match="there is no encoding of text"):
            palace.mine(path, encoding=encoding)
    with pytest.raises(BadRequest, match="dates must be one of day-first, month-first, not 'year-first'"):
        palace.mine(path, dates="year-first")
