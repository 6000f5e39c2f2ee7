"""What is said to differ between two freezes, on made-up ones."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from bench.freeze.__main__ import begin, main
from bench.freeze.compare import Compared, compare, read_freeze, report
from palace.errors import BadRequest


def item(name: str, *turns: str, **scores: float) -> dict[str, Any]:
    return {"id": name, "of": "tune", "turns": [[turn, 0.5] for turn in turns], "scores": scores}


PARTS: dict[str, list[dict[str, Any]]] = {
    "pooled": [item("q1", "a", "b", first=1.0), item("q2", "b", "a", first=0.0), item("q3", "c", first=1.0)],
    "schema": [{"id": "columns drawer id", "row": ["drawer", "id", "bigint"]}],
    "timings": [{"id": "recall, total", "p50": 6.5}],
}


def write(folder: Path, *, quick: bool = False, **parts: list[dict[str, Any]]) -> Path:
    folder.mkdir(parents=True)
    (folder / "freeze.json").write_text(json.dumps({"quick": quick}))
    for name, items in {**PARTS, **parts}.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(each) + "\n" for each in items))
    return folder


def compared(tmp_path: Path, **after: Any) -> Compared:
    return compare(read_freeze(write(tmp_path / "before")), read_freeze(write(tmp_path / "after", **after)))


def test_two_freezes_of_the_same_do_not_differ_whatever_the_order(tmp_path: Path) -> None:
    found = compared(tmp_path, pooled=PARTS["pooled"][::-1], timings=[])
    assert not found.differs
    assert "pooled: 3 items, no difference" in report(found)


def test_the_last_digit_of_a_score_is_no_difference_and_the_one_before_it_is(tmp_path: Path) -> None:
    def scored(value: float) -> list[dict[str, Any]]:
        return [{**PARTS["pooled"][0], "turns": [["a", value], ["b", 0.5]]}, *PARTS["pooled"][1:]]

    found = compared(tmp_path / "one", pooled=scored(0.5001))
    assert (found.differs, found.parts["pooled"].rounded) == (False, 1)
    assert list(compared(tmp_path / "two", pooled=scored(0.501)).parts["pooled"].changed) == ["q1"]


def test_many_last_digits_and_the_last_digit_of_a_figure_are_differences(tmp_path: Path) -> None:
    drifted = [{**each, "turns": [[turn, 0.5001] for turn, _ in each["turns"]]} for each in PARTS["pooled"]]
    assert compared(tmp_path / "all", pooled=drifted).differs
    found = compared(tmp_path / "figure", pooled=[item("q1", "a", "b", first=0.9999), *PARTS["pooled"][1:]])
    assert found.differs
    assert "first 0.6667 → 0.6666" in report(found)


def test_what_is_there_and_empty_is_not_what_is_not_there_and_a_number_is_no_truth(tmp_path: Path) -> None:
    def decided(**value: Any) -> list[dict[str, Any]]:
        return [{"id": "1", **value}]

    pairs: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"a": None}, {}),
        ({"a": {"b": None}}, {"a": {}}),
        ({"a": True}, {"a": 1}),
        ({"a": [False]}, {"a": [0]}),
    ]
    alike = []
    for place, (one, other) in enumerate(pairs):
        sides = (write(tmp_path / f"{place} {side}", gate=decided(**value)) for side, value in enumerate((one, other)))
        alike += [] if compare(*map(read_freeze, sides)).differs else [(one, other)]
    assert alike == []


def test_a_ranking_that_moved_is_named_with_what_moved(tmp_path: Path) -> None:
    found = compared(tmp_path, pooled=[item("q1", "b", "a", first=1.0), *PARTS["pooled"][1:]])
    assert found.differs
    assert found.parts["pooled"].changed == {"q1": ["turns[0][0]: a → b", "turns[1][0]: b → a"]}
    assert found.parts["pooled"].figures == []
    assert not found.parts["schema"].differs


def test_a_figure_that_changed_has_its_paired_interval_over_all_and_in_its_group(tmp_path: Path) -> None:
    found = compared(tmp_path, pooled=[*PARTS["pooled"][:2], item("q3", "c", first=0.0)])
    overall, grouped = found.parts["pooled"].figures
    assert (overall.group, grouped.group, overall.name) == ("", "tune", "first")
    assert (overall.before, overall.after) == pytest.approx((2 / 3, 1 / 3))
    assert (overall.paired.better, overall.paired.worse) == (0, 1)
    assert overall.paired.interval.low < overall.paired.mean < overall.paired.interval.high == 0.0
    assert "tune: first 0.6667 → 0.3333, paired -0.3333 (-1.0000 to +0.0000), 0 better, 1 worse" in report(found)


def test_items_and_parts_that_one_lacks_are_differences(tmp_path: Path) -> None:
    found = compared(tmp_path, pooled=[*PARTS["pooled"][:2], item("q4", "d", first=1.0)], gate=[{"id": "1"}])
    assert (found.parts["pooled"].only_before, found.parts["pooled"].only_after) == (["q3"], ["q4"])
    assert found.only_in_one == ("gate",)
    assert found.differs


def test_an_archive_is_read_like_its_folder_and_the_exit_code_tells_whether_it_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path / "before")
    with tarfile.open(tmp_path / "before.tar.xz", "w:xz") as archive:
        archive.add(folder, "before")
    other = write(tmp_path / "after", schema=[])
    assert main(["compare", str(folder), str(tmp_path / "before.tar.xz")]) == 0
    assert main(["compare", str(folder), str(other)]) == 1
    assert main(["compare", str(folder), str(other), "--part", "pooled"]) == 0
    assert main(["compare", str(folder), str(other), "--part", "gate"]) == 1
    told = capsys.readouterr()
    assert "only before: columns drawer id" in told.out
    assert told.err == f"error: {folder} holds no gate\n"


def test_a_folder_with_a_freeze_of_another_state_is_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    earlier = {"revision": "0123456789ab", "quick": False}
    (tmp_path / "freeze.json").write_text(json.dumps(earlier))
    assert main([str(tmp_path), "--data", str(tmp_path), "--part", "schema"]) == 1
    assert "holds a freeze of another state of code or data: choose another folder" in capsys.readouterr().err
    assert json.loads((tmp_path / "freeze.json").read_text()) == earlier
    assert [path.name for path in tmp_path.iterdir()] == ["freeze.json"]


def test_a_freeze_goes_on_only_in_the_folder_of_its_own_committed_state(tmp_path: Path) -> None:
    about = {"measured_at": "today", "revision": "0123456789ab", "quick": False}
    begin(tmp_path / "freeze.json", about)
    begin(tmp_path / "freeze.json", {**about, "measured_at": "tomorrow"})
    begin(tmp_path / "dirty.json", {**about, "revision": "0123456789ab-dirty"})
    for file, revision in (("freeze.json", "ba9876543210"), ("dirty.json", "0123456789ab-dirty")):
        with pytest.raises(BadRequest, match="choose another folder"):
            begin(tmp_path / file, {**about, "revision": revision})


def test_what_cannot_be_compared_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="one freeze is quick"):
        compared(tmp_path, quick=True)
    with pytest.raises(BadRequest, match="is no freeze"):
        read_freeze(tmp_path / "nowhere")
    with pytest.raises(BadRequest, match="q1 is there twice"):
        read_freeze(write(tmp_path / "twice", pooled=[item("q1"), item("q1")]))
    with pytest.raises(BadRequest, match="share nothing that is judged"):
        compare(*(read_freeze(write(tmp_path / side, pooled=[], schema=[])) for side in ("one", "other")))
    packed = tmp_path / "packed.tar.xz"
    with tarfile.open(packed, "w:xz") as archive:
        archive.add(write(tmp_path / "cut"), "cut")
    packed.write_bytes(packed.read_bytes()[:200])
    with tarfile.open(tmp_path / "two.tar.xz", "w:xz") as archive:
        archive.add(tmp_path / "cut", "earlier")
        archive.add(tmp_path / "cut", "later")
    (tmp_path / "twice" / "freeze.json").write_text("[]")
    wrong = (packed, tmp_path / "two.tar.xz", tmp_path / "twice", write(tmp_path / "odd", gate=[{"id": 1}]))
    for path in wrong:
        with pytest.raises(BadRequest, match="is no freeze"):
            read_freeze(path)
