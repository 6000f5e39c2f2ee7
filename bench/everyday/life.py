"""`python -m bench.everyday.life`: ask an invented life, use the palace, ask again; and ask what questions state.

The life is notes, chats with an assistant and a group chat over 18 months; using it is prompts through hooks and turns
of a chat that the assistant knows nothing about. The odd questions are apart from those to develop with.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.everyday.sets import FOLDER
from bench.harness import home_settings
from bench.hooks.filled import HookedPalace, make_repository
from bench.retrieval.embeddings import KeptEmbeddings
from palace import Palace, Palaces, Settings
from palace.ai.embedders.registry import embedder_for

ASKED_AT = datetime(2026, 6, 10, 12, tzinfo=UTC)
Answers = list[tuple[str, list[str], bool]]
"""Each question with the ids of its hits, and whether anything is shown of them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of both halves as JSON lines."""
    parser = argparse.ArgumentParser(prog="python -m bench.everyday.life", description=__doc__)
    parser.add_argument("--embeddings", type=Path, help="a folder where embeddings are kept from one run to the next")
    parser.add_argument("--half", type=int, choices=(0, 1), help="only the even questions, or only the odd ones")
    parser.add_argument("--missed", action="store_true", help="name the questions without an answer in the first five")
    options = parser.parse_args(arguments)
    with home_settings(user="life", worker_starts=False, server_idle_minutes=1, timezone="UTC") as settings:
        folder = settings.home_folder.parent
        embedder = KeptEmbeddings(embedder_for(settings.embedding_model, settings), options.embeddings or folder)
        life, turns = (json.loads((FOLDER / f"{name}.json").read_text()) for name in ("life", "asserting"))
        with Palaces.open(settings, embedder=embedder) as palaces:
            palace = palaces.palace(settings.user, person=life["person"])
            ids = _file_life(palace, life, folder)
            before = _ask(palace, life, ids)
            _use(palace, life, settings, folder)
            after = _ask(palace, life, ids)
            stated = _state(palaces.palace("asserting"), turns)
        embedder.save()
    for half in (0, 1) if options.half is None else (options.half,):
        print(json.dumps({"half": half, "before": _figures(life, before, half), "after": _figures(life, after, half)}))
        print(json.dumps({"half": half, "of": len(stated[half::2]), "the turn is a hit": sum(stated[half::2])}))
        if options.missed:
            _tell_missed(life, before, after, half)
            print("\n".join(turn[0] for turn, is_hit in list(zip(turns, stated, strict=True))[half::2] if not is_hit))
    return 0


def _file_life(palace: Palace, life: dict[str, Any], folder: Path) -> dict[str, str]:
    ids = {}
    for number, (day, said) in enumerate(life["notes"], 1):
        ids[said] = f"n{number}"
        palace.file([_message("user", said, day)], id=f"note-{number}")
    for number, chat in enumerate(life["chats"], 1):
        ids |= {said: f"c{number}.{place}" for place, (_, said) in enumerate(chat["turns"], 1)}
        palace.file([_message(role, said, chat["at"]) for role, said in chat["turns"]], id=f"chat-{number}")
    ids |= {said: f"g{number}" for number, (_, _, said) in enumerate(life["group"], 1)}
    group = folder / "WhatsApp Chat - Friends.txt"
    lines = (f"[{day}, 10:{number:02}:00] {name}: {said}" for number, (day, name, said) in enumerate(life["group"]))
    group.write_text("\n".join(lines) + "\n")
    palace.mine(group)
    return ids


def _message(role: str, said: str, day: str) -> dict[str, str]:
    return {"role": role, "content": said, "timestamp": f"{day}T10:00:00+00:00"}


def _ask(palace: Palace, life: dict[str, Any], ids: dict[str, str]) -> Answers:
    def ask(question: str) -> tuple[str, list[str], bool]:
        found = palace.recall(question, now=ASKED_AT)
        shown = getattr(found, "likely", found.hits)
        return question, [ids.get(hit.drawer.content, hit.drawer.content) for hit in found.hits], bool(shown)

    return [ask(question) for question in (*(asked for asked, _ in life["questions"]), *life["unanswerable"])]


def _use(palace: Palace, life: dict[str, Any], settings: Settings, folder: Path) -> None:
    """Send prompts through hooks, in sessions of five, and take the turns of a chat."""
    hooked, project = HookedPalace(palace, settings), folder / "bindery"
    make_repository(project)
    for start in range(0, len(life["prompts"]), 5):
        transcript = folder / f"s{start}.jsonl"
        for number, prompt in enumerate(life["prompts"][start : start + 5], start):
            reply = life["replies"][number % len(life["replies"])]
            with transcript.open("a") as file:
                file.writelines(_lines(transcript.stem, project, number, prompt, reply))
            for event in ("UserPromptSubmit", "Stop"):
                hooked.send(event, transcript.stem, project, transcript, prompt=prompt)
    hooked.mine()
    history: list[dict[str, str]] = []
    for asked, reply in life["chat"]:
        palace.turn(asked, history=history, session="talk").finish(reply)
        history += [{"role": "user", "content": asked}, {"role": "assistant", "content": reply}]
    palace.turns.end()


def _lines(session: str, project: Path, number: int, prompt: str, reply: str) -> Iterator[str]:
    for role, said in (("user", prompt), ("assistant", reply)):
        told = {"type": role, "sessionId": session, "uuid": f"{session}-{number}-{role}", "cwd": str(project)}
        at = f"2026-06-09T10:{number:02}:{5 if role == 'user' else 9:02}Z"
        yield json.dumps({**told, "timestamp": at, "message": {"role": role, "content": said}}) + "\n"


def _state(palace: Palace, turns: Sequence[Sequence[str]]) -> list[bool]:
    for number, (said, reply, _) in enumerate(turns):
        day = f"2026-05-{1 + number % 28:02}"
        palace.file([_message("user", said, day), _message("assistant", reply, day)], id=f"turn-{number}")
    return [
        any(hit.drawer.content == said for hit in palace.recall(question, now=ASKED_AT).hits)
        for said, _, question in turns
    ]


def _figures(life: dict[str, Any], asked: Answers, half: int) -> dict[str, int]:
    answerable = list(zip(life["questions"], asked, strict=False))[half::2]
    ranks = [_rank(answers, hits) for (_, answers), (_, hits, _) in answerable]
    silent = sum(not shown for _, (_, _, shown) in answerable)
    rightly = sum(not shown for _, _, shown in asked[len(life["questions"]) :][half::2])
    first, in_five = (sum(rank is not None and rank <= most for rank in ranks) for most in (1, 5))
    return {"of": len(ranks), "first": first, "in_five": in_five, "silent": silent, "rightly_silent": rightly}


def _rank(answers: str, hits: Sequence[str]) -> int | None:
    return next((place for place, hit in enumerate(hits, 1) if hit in answers.split()), None)


def _tell_missed(life: dict[str, Any], before: Answers, after: Answers, half: int) -> None:
    for (question, answers), one, other in list(zip(life["questions"], before, after, strict=False))[half::2]:
        ranks = _rank(answers, one[1]), _rank(answers, other[1])
        if ranks != (1, 1) or not (one[2] and other[2]):
            print(question, answers, ranks, one[1:], other[1:], sep="\n    ")


if __name__ == "__main__":
    raise SystemExit(main())
