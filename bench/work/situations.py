"""What agents are handed over at the point of action, in scripted situations (``sets/README.md``)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from bench.harness import Figures
from bench.hooks.filled import Filled, filled
from bench.hooks.prompts import Half, has
from bench.hooks.talks import Talk, read_talks

SETS = Path(__file__).parent / "sets"
KINDS = ("decision", "command", "error", "nothing")


def measure(home: Path, half: Half, *, show: bool) -> Figures:
    """Act out the situations of a half in a palace that has their sessions; with ``show``, print what was wrong."""
    talks = {talk.project: talk for talk in read_talks(SETS / "written") if talk.half == half}
    with filled(home, half, written=SETS / "written") as palace:
        told = [_Situation(line, palace, talks[line["project"]]) for line in _lines(half)]
        for each in told:
            each.act_out()
        others = [word for each in told for word in each.others(talks)]
    if show:
        print("\n".join(line for each in told for line in each.wrong), *others, sep="\n")
    bearing = [each for each in told if each.at is not None]
    rows = {
        kind: f"{sum(each.is_right for each in bearing if each.kind == kind)} of"
        f" {sum(each.kind == kind for each in bearing)}"
        for kind in KINDS[:-1]
    }
    embedding = median(spent for each in told for spent in each.embedded)
    silent = [spent for each in told for spent, block in each.spent if not block]
    given = [spent for each in told for spent, block in each.spent if block]
    return {
        "half": half,
        "handed_over": f"{sum(each.is_right for each in bearing)} of {len(bearing)}",
        **rows,
        "calls_that_nothing_bears_on": sum(each.silent for each in told),
        "handed_over_there": sum(len(each.extra) for each in told),
        "asked_in_other_projects": sum(each.asked for each in told),
        "words_of_others": len(others),
        "bytes_at_most": max((len(block.encode()) for each in told for _, block in each.spent), default=0),
        "ms_embedding": round(embedding, 2),
        "p50_ms_silent": round(median(silent), 2),
        "p50_ms_handed_over": round(median(given), 2) if given else 0.0,
        "silent_in_embeddings": round(median(silent) / embedding, 1),
        "handed_over_in_embeddings": round(median(given) / embedding, 1) if given else 0.0,
    }


class _Situation:
    """One situation and what came of it."""

    def __init__(self, line: dict[str, Any], palace: Filled, talk: Talk) -> None:
        self.kind, self.at, self.answers = line["kind"], line.get("at"), line.get("answers", [])
        self.asked = 0
        self.spent: list[tuple[float, str]] = []
        self.embedded: list[float] = []
        """Milliseconds of embedding one query, before each call."""
        self.wrong: list[str] = []
        self.extra: list[str] = []
        self.is_right = False
        self._line, self._palace, self._folder = line, palace, palace.here(talk.folder)

    @property
    def silent(self) -> int:
        """Return the number of calls that nothing bears on."""
        return len(self._line["calls"]) - (self.at is not None)

    def act_out(self) -> None:
        """Make its calls in one session."""
        for number, call in enumerate(self._line["calls"]):
            blocks = self._make(call, self._folder, self._line["id"], is_timed=True)
            if number == self.at:
                self.is_right = any(self._answers(block) for block in blocks)
                self.wrong += [] if self.is_right else [f"{self._line['id']} {call} gave {blocks}"]
            else:
                self.extra += filter(None, blocks)
                self.wrong += [f"{self._line['id']} {call} gave {block}" for block in blocks if block]

    def others(self, talks: dict[str, Talk]) -> Iterator[str]:
        """Make its calls in projects of other clients, and yield each block with an answer that they do not have."""
        if self.at is None:
            return
        for talk in talks.values():
            if talk.client != talks[self._line["project"]].client:
                folder, name = self._palace.here(talk.folder), f"{self._line['id']}-{talk.project}"
                own = "\n".join(said.text for session in talk.sessions for said in session.said)
                answers = [words for words in self.answers if not all(has(own, word) for word in words)]
                for call in self._line["calls"]:
                    self.asked += 1
                    yield from (block for block in self._make(call, folder, name) if _has_all(block, answers))

    def _make(self, call: dict[str, Any], folder: Path, session: str, *, is_timed: bool = False) -> list[str]:
        """Return the blocks that are answered before and after a call, as Claude Code makes it."""
        command = call.get("run")
        use: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": command}}
        if command is None:
            file = folder / call["edit"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
            use = {"tool_name": "Edit", "tool_input": {"file_path": str(file)}}
        events: list[tuple[str, dict[str, Any]]] = [("PreToolUse", use)]
        if command is not None and call["failed"]:
            events.append(("PostToolUseFailure", {**use, "error": call["output"]}))
        elif command is not None:
            events.append(("PostToolUse", {**use, "tool_response": {"stdout": call["output"], "stderr": ""}}))
        blocks = []
        for name, fields in events:
            began = perf_counter()
            self._palace.hooked.embedder.embed_queries([f"why did we drop Redis in service {len(self.spent)}?"])
            self.embedded += [(perf_counter() - began) * 1000] if is_timed else []
            began = perf_counter()
            blocks.append(self._palace.hooked.send(name, session, folder, **fields))
            self.spent += [((perf_counter() - began) * 1000, blocks[-1])] if is_timed else []
        return blocks

    def _answers(self, block: str) -> bool:
        return _has_all(block, self.answers)


def _has_all(block: str, answers: list[list[str]]) -> bool:
    """Check whether a block has all words of one answer."""
    return any(all(has(block, word) for word in words) for words in answers)


def _lines(half: Half) -> Iterator[dict[str, Any]]:
    for line in (SETS / "situations.jsonl").read_text(encoding="utf-8").splitlines():
        value = json.loads(line)
        if value["half"] == half:
            yield value
