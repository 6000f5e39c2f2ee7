"""Read how something is done: the person's own steps, advice that they say has worked, commands that ran. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress

from palace.memories.provenance import Utterance
from palace.memories.storing import Draft
from palace.models import MemoryMaker, MemoryOrigin, MemoryType, Role
from palace.nlp.rules import rules

LONGEST = 1_500
"""Most characters of a how-to."""
LONGEST_GOAL = 200
MOST_COMMANDS = 3
"""Commands that are kept of those that a goal took, the last ones."""
_RULES = rules("memories", "how_tos")


def drafts_of(utterances: Sequence[Utterance]) -> list[Draft]:
    """Draft the how-tos of a conversation; its earlier messages are only read for the goals."""
    drafts: list[Draft] = []
    for place, utterance in enumerate(utterances):
        if utterance.is_own and utterance.is_new:
            drafts += _own_steps(utterance)
            if has_worked(utterance):
                drafts += _confirmed(utterances[:place], utterance)
    return drafts


def has_worked(utterance: Utterance) -> bool:
    """Check whether the person says that what was advised before has worked."""
    content = utterance.drawer.content
    return any(_RULES.finds("worked", content[slice(*span)].replace("’", "'")) for span in utterance.own)


def _own_steps(utterance: Utterance) -> Iterator[Draft]:
    """Draft the numbered steps that the person wrote below a line that says what they are for."""
    content = utterance.drawer.content
    found = _RULES["steps"].search(content)
    if found is None:
        return
    lead = next((line for line in reversed(content[: found.start()].splitlines()) if line.strip()), "")
    steps = content[found.start() : found.end()].strip()
    if lead and _RULES.finds("leads", lead) and not _is_quoted(content, found.start()) and len(steps) <= LONGEST:
        yield _draft(f"{lead.strip()}\n{steps}", MemoryOrigin.PERSON, utterance)


def _is_quoted(content: str, start: int) -> bool:
    """Check whether more than a line that introduces steps stands before them, which may name another writer."""
    return len([line for line in content[:start].splitlines() if line.strip()]) > 1 or ">" in content[:start]


def _confirmed(before: Sequence[Utterance], said: Utterance) -> Iterator[Draft]:
    """Draft what stands between the person's goal and their word that it has worked: commands, code or steps."""
    place = next((place for place in range(len(before) - 1, -1, -1) if before[place].is_own), None)
    if place is None:
        return
    goal, between = before[place], before[place + 1 :]
    purpose = _purpose(goal)
    if not purpose:
        return
    if commands := list(_commands(between))[-MOST_COMMANDS:]:
        text, origin, used = "\n".join(each for each, _ in commands), MemoryOrigin.TOOL, [each for _, each in commands]
    else:
        replies = [each for each in between if each.drawer.role is Role.ASSISTANT]
        text, origin, used = _advice(replies[-1]) if replies else "", MemoryOrigin.ASSISTANT, replies[-1:]
    if text and len(text) <= LONGEST:
        yield _draft(f"{purpose}\n{text}", origin, said, [goal, *used])


def _purpose(goal: Utterance) -> str:
    """Return the sentence of a message that says what the person wants to do; "" without one."""
    content = goal.drawer.content
    sentences = [content[slice(*span)] for span in goal.own]
    told = (each for each in sentences if _RULES.finds("goals", each) or each.endswith("?"))
    return next(told, "")[:LONGEST_GOAL]


def _advice(reply: Utterance) -> str:
    """Return the blocks of code of a reply, else its numbered steps."""
    content = reply.drawer.content
    blocks = [found[1].strip() for found in _RULES["code"].finditer(content)]
    steps = _RULES["steps"].search(content)
    return "\n".join(blocks) if blocks else steps[0].strip() if steps else ""


def _commands(between: Sequence[Utterance]) -> Iterator[tuple[str, Utterance]]:
    """Yield the commands that were run and did not fail, each with its call; not those that only look."""
    tools = [each for each in between if each.drawer.role is Role.TOOL]
    for call, result in zip(tools, [*tools[1:], None], strict=False):
        command = _command(call.drawer.content)
        if command is None or _RULES["looking"].match(command):
            continue
        said = "" if result is None else result.drawer.content
        if result is not None and _command(said) is None and not _RULES.finds("failed", said):
            yield command, call


def _command(content: str) -> str | None:
    """Return the command of a tool call as it is filed, the tool's name and its arguments; None for anything else."""
    name, _, given = content.partition(" ")
    if _RULES["tools"].match(name) is None:
        return None
    with suppress(ValueError, RecursionError):
        arguments = json.loads(given)
        command = arguments.get("command", arguments.get("cmd")) if isinstance(arguments, dict) else None
        if isinstance(command, list):
            command = " ".join(map(str, command))
        return command.strip() if isinstance(command, str) and command.strip() else None
    return None


def _draft(text: str, origin: MemoryOrigin, said: Utterance, used: Sequence[Utterance] = ()) -> Draft:
    return Draft(
        text,
        MemoryType.PROCEDURAL,
        said.drawer.wing_name,
        evidence=tuple(dict.fromkeys((said.identity, *(each.identity for each in used)))),
        importance=0.6,
        confidence=0.8,
        origin=origin,
        maker=MemoryMaker.RULE,
        said_at=said.drawer.dated_at,
    )
