"""A stranger's model calls every tool with what is the victim's; and one for a wing with what is in another."""

from __future__ import annotations

import uuid
from datetime import UTC
from typing import Any

import anyio
import pytest
from mcp import Client

from palace import Palace
from palace_mcp.opening import Opening
from palace_mcp.profiles import PROFILES
from palace_mcp.server import Memory, make_server
from palace_mcp.tools.tool import Bounds
from tests.isolation.test_command_attempts import filled_in
from tests.isolation.world import World
from tests.protocol.conftest import text_of

LONG = {"since": "2000-01-01", "until": "2100-01-01", "max_tokens": 8000}
TOOLS: dict[str, tuple[dict[str, Any], ...]] = {
    "recall": (
        {"query": "{query}", **LONG},
        {"query": "bees", "wing": "{wing}"},
        {"query": "bees", "wing": "{former_wing}"},
        {"query": "bees", "wing": "{number}"},
    ),
    "show": ({"pointer": "{pointer}"}, {"pointer": "{former_pointer}", "context": 10, "start": 0}),
    "remember": (
        {"text": "{secret}", "wing": "{wing}"},
        {"text": "Bees hum.", "wing": "{number}", "said_at": "2026-01-01"},
    ),
    "forget": (
        {"pointer": "{pointer}"},
        {"pointer": "{room}", "confirm": "00000000"},
        {"pointer": "{former_room}"},
    ),
    "recent": ({"days": 36525, "max_tokens": 8000}, {"wing": "{wing}"}, {"wing": "{former_number}"}),
    "timeline": ({"entity": "{former_wing}", "about": "{query}", "limit": 200}, {"entity": "I"}),
    "relations": ({"about": "{query}", "as_of": "2100-01-01", "limit": 200}, {"entity": "{former_wing}"}),
    "status": ({},),
    "search": ({"query": "{query}"},),
    "fetch": ({"id": "{pointer}"}, {"id": "{former_pointer}"}),
}


def told_by(palace: Palace, name: str, given: dict[str, Any], **bounds: Any) -> str:
    """Give all that a tool says."""
    profile = next(profile for profile, tools in PROFILES.items() if name in {tool.name for tool in tools})
    memory = Memory.of(Opening(lambda: palace), Bounds(UTC, **bounds), profile=profile, seconds=60)

    async def ask() -> str:
        async with Client(make_server(memory)) as client:
            answer = await client.call_tool(name, given)
            return f"{answer.is_error} {text_of(answer)} {answer.structured_content}"

    try:
        return anyio.run(ask)
    finally:
        memory.caller.close()


def test_every_tool_and_every_argument_is_tried() -> None:
    known = {tool.name: tool for tools in PROFILES.values() for tool in tools}
    assert set(TOOLS) == set(known)
    for name, tool in known.items():
        assert {each.name for each in tool.arguments} == {key for given in TOOLS[name] for key in given}


def test_a_model_is_told_nothing_of_what_is_anothers(unharmed: World, deserted: World) -> None:
    leaks = []
    for name, attempts in TOOLS.items():
        here, there = (place.stranger(f"stranger-{uuid.uuid4()}") for place in (unharmed, deserted))
        with here, there:
            for given in attempts:
                beside, alone = (
                    place.comparable(told_by(palace, name, _filled(given, place)), palace.user)
                    for place, palace in ((unharmed, here), (deserted, there))
                )
                leaks += [] if beside == alone and not unharmed.secrets_in(beside) else [(name, given, beside, alone)]
    assert leaks == []


def _filled(given: dict[str, Any], world: World) -> dict[str, Any]:
    return {name: filled_in((value,), world)[0] if isinstance(value, str) else value for name, value in given.items()}


@pytest.fixture
def clients(palace: Palace) -> Palace:
    """A palace with two clients' wings, both about the same thing."""
    palace.note("The vault of Acme opens with the beryllium key.", wing="Acme")
    palace.note("The vault of Globex is being painted.", wing="Globex")
    return palace


ACME = "W-001/R-01/D-001"
OTHERS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("recall", {"query": "what opens the vault of Acme?", **LONG}),
    ("recall", {"query": "beryllium key"}),
    ("show", {"pointer": ACME}),
    ("forget", {"pointer": ACME}),
    ("forget", {"pointer": "W-001/R-01"}),
    ("recent", {"days": 30}),
    ("search", {"query": "what opens the vault of Acme?"}),
    ("fetch", {"id": ACME}),
)


def test_a_server_for_one_wing_tells_nothing_of_another(clients: Palace) -> None:
    leaks = []
    for wing in ("Globex", "W-002", "Initech"):
        for name, given in OTHERS:
            told = told_by(clients, name, given, wing=wing).replace(str(given), "")
            leaks += [(wing, name, given, told)] if "beryllium" in told or "Acme" in told else []
    assert leaks == []
    assert clients.show(ACME).drawer.content.startswith("The vault of Acme")


def test_a_server_for_one_wing_files_in_it_alone(clients: Palace) -> None:
    told = told_by(clients, "remember", {"text": "The vault is blue."}, wing="Globex")
    assert "W-002/R-" in told
    refused = told_by(clients, "remember", {"text": "The vault is red.", "wing": "Acme"}, wing="Globex")
    assert "there is no argument 'wing'" in refused
    assert clients.status().drawers == 3


def test_a_server_for_a_wing_that_begins_with_it_makes_it(clients: Palace) -> None:
    assert "Nothing relevant is remembered." in told_by(clients, "recall", {"query": "vault"}, wing="Initech")
    assert "Initech" in told_by(clients, "remember", {"text": "The vault is green."}, wing="Initech")
    assert "green" in told_by(clients, "recall", {"query": "vault"}, wing="Initech")
