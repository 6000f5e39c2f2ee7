"""What a server says of itself: every conversation of a host pays for it, so it is small; hosts ask by its hints."""

from __future__ import annotations

from datetime import UTC

import jsonschema
import pytest
from mcp import types

from palace.errors import BadRequest
from palace_mcp.profiles import LONGEST_INSTRUCTIONS, PROFILES, instructions_of, tools_of
from palace_mcp.server import described
from palace_mcp.tools.tool import Bounds

MOST_TOKENS = 1000
"""Of the default tool list with the instructions, four bytes a token."""
LONGEST_DESCRIPTION = 300

EVERYTHING = Bounds(UTC)
ONE_WING = Bounds(UTC, wing="Efoil")
EVERY_TOOL = {tool.name: tool for tools in PROFILES.values() for tool in tools}


def listed(profile: str, bounds: Bounds = EVERYTHING) -> str:
    """Write a tool list as it goes over the wire."""
    tools = [described(tool, bounds) for tool in tools_of(profile, bounds)]
    return types.ListToolsResult(tools=tools).model_dump_json(by_alias=True, exclude_none=True)


def names(profile: str, bounds: Bounds = EVERYTHING) -> list[str]:
    """List the tools of a profile by name."""
    return [tool.name for tool in tools_of(profile, bounds)]


def test_the_default_list_and_instructions_fit_a_thousand_tokens() -> None:
    instructions = instructions_of(tools_of("default", EVERYTHING))
    assert (len(listed("default").encode()) + len(instructions.encode())) / 4 <= MOST_TOKENS


def test_what_a_server_says_of_itself_is_short_sound_and_of_no_user() -> None:
    for profile in PROFILES:
        tools = tools_of(profile, EVERYTHING)
        assert len(instructions_of(tools)) < LONGEST_INSTRUCTIONS
        assert all(0 < len(tool.description) <= LONGEST_DESCRIPTION for tool in tools)
        taken = {each.name for tool in tools for each in tool.arguments}
        assert not taken & {"user", "user_id", "bank", "tenant", "account", "agent"}
    for tool in EVERY_TOOL.values():
        made = described(tool, EVERYTHING)
        assert made.output_schema is not None
        for schema in (made.input_schema, made.output_schema):
            jsonschema.Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"


def test_the_profiles_have_these_tools() -> None:
    assert names("default") == ["recall", "show", "remember", "forget"]
    assert names("readonly") == ["recall", "show"]
    assert names("full") == [*names("default"), "recent", "timeline", "relations", "status"]
    assert names("chatgpt") == ["search", "fetch"]
    with pytest.raises(BadRequest, match="there is no profile 'huge': there is default, readonly, full, chatgpt"):
        tools_of("huge", EVERYTHING)


def test_a_server_for_one_wing_has_no_other_to_offer() -> None:
    assert "timeline" not in names("full", ONE_WING)
    assert "relations" not in names("full", ONE_WING)
    for tool in tools_of("full", ONE_WING):
        assert "wing" not in described(tool, ONE_WING).input_schema["properties"]


def test_only_what_reads_says_so() -> None:
    writing = {name for name, tool in EVERY_TOOL.items() if not tool.is_read_only}
    assert writing == {"remember", "forget"}
    for name, tool in EVERY_TOOL.items():
        hints = described(tool, EVERYTHING).annotations
        assert hints is not None
        assert hints.read_only_hint is (name not in writing)
        assert hints.open_world_hint is False
        assert bool(hints.destructive_hint) is (name == "forget")
