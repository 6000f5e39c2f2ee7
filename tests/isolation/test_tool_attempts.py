"""A stranger's model calls every tool with what is the victim's; and one for a wing with what is in another."""

from __future__ import annotations

import uuid
from typing import Any

from mcp import Client

from palace import Palace
from palace_mcp.profiles import PROFILES
from tests.isolation.test_command_attempts import filled_in
from tests.isolation.world import World
from tests.protocol.conftest import talk_with, text_of

LONG = {"since": "2000-01-01", "until": "2100-01-01", "max_tokens": 8000}
Calls = tuple[tuple[str, dict[str, Any]], ...]
READING: Calls = (
    ("recall", {"query": "{query}", **LONG}),
    ("recall", {"query": "bees", "wing": "{wing}"}),
    ("recall", {"query": "bees", "file": "{secret}", "command": "{query}", "error": "{secret}"}),
    ("show", {"pointer": "{pointer}"}),
    ("show", {"pointer": "{former_pointer}", "context": 10, "start": 0}),
    ("recent", {"days": 36525, "max_tokens": 8000}),
    ("recent", {"wing": "{former_number}"}),
    ("timeline", {"entity": "{former_wing}", "about": "{query}", "limit": 200}),
    ("relations", {"about": "{query}", "as_of": "2100-01-01", "limit": 200}),
    ("relations", {"entity": "{former_wing}"}),
    ("status", {}),
)
WRITING: Calls = (
    ("forget", {"pointer": "{pointer}"}),
    ("forget", {"pointer": "{room}", "confirm": "00000000"}),
    ("remember", {"text": "{secret}", "wing": "{wing}"}),
    ("remember", {"text": "Bees hum.", "wing": "{number}", "said_at": "2026-01-01"}),
)
OF_CHATGPT: Calls = (
    ("search", {"query": "{query}"}),
    ("fetch", {"id": "{pointer}"}),
    ("fetch", {"id": "{former_pointer}"}),
)


def told_by(palace: Palace, *calls: tuple[str, dict[str, Any]], **bounds: Any) -> list[str]:
    """Give all that tools of one profile say."""
    named = {name for name, _ in calls}
    profile = next(profile for profile, tools in PROFILES.items() if named <= {tool.name for tool in tools})

    async def ask(client: Client) -> list[str]:
        answers = [await client.call_tool(name, given) for name, given in calls]
        return [f"{answer.is_error} {text_of(answer)} {answer.structured_content}" for answer in answers]

    return talk_with(lambda: palace, ask, profile=profile, **bounds)


def test_every_tool_and_every_argument_is_tried() -> None:
    tried = (*READING, *WRITING, *OF_CHATGPT)
    known = {tool.name: {each.name for each in tool.arguments} for tools in PROFILES.values() for tool in tools}
    assert {name: {key for each, given in tried if each == name for key in given} for name, _ in tried} == known


def test_a_model_is_told_nothing_of_what_is_anothers(unharmed: World, deserted: World) -> None:
    leaks = []
    here, there = (place.stranger(f"stranger-{uuid.uuid4()}") for place in (unharmed, deserted))
    with here, there:
        for calls in ((*READING, *WRITING), OF_CHATGPT):
            beside, alone = (
                [place.comparable(said, palace.user) for said in told_by(palace, *_filled(calls, place))]
                for place, palace in ((unharmed, here), (deserted, there))
            )
            told = zip(calls, beside, alone, strict=True)
            leaks += [each for each in told if each[1] != each[2] or unharmed.secrets_in(each[1])]
    assert leaks == []


def _filled(calls: Calls, world: World) -> Calls:
    return tuple(
        (name, {key: filled_in((said,), world)[0] if isinstance(said, str) else said for key, said in given.items()})
        for name, given in calls
    )
