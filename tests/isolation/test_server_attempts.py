"""A stranger's program asks every route of the server for what is the victim's, with a key of its own."""

from __future__ import annotations

import re
import uuid
from typing import Any

import httpx

from palace import Palaces
from palace.testing import HashingEmbedder
from tests.isolation.test_command_attempts import filled_in
from tests.isolation.world import World
from tests.server.conftest import SCOPES, served

Attempt = tuple[str, str, dict[str, Any]]
ATTEMPTS: tuple[Attempt, ...] = (
    ("GET", "/v1/drawers?wing={number}", {}),
    ("GET", "/v1/drawers?room={room}", {}),
    ("GET", "/v1/drawers?cursor=YWZ0ZXI6MA", {}),
    ("POST", "/v1/drawers", {"content": "Bees hum.", "wing": "{number}", "said_at": "2026-01-01T00:00:00Z"}),
    ("POST", "/v1/drawers", {"content": "Bees dance.", "wing": "{wing}", "said_at": "2026-01-01T00:00:00Z"}),
    ("POST", "/v1/drawers/restore", {"pointers": ["{pointer}"]}),
    ("GET", "/v1/drawers/{number}/R-01/D-001?context=9", {}),
    ("GET", "/v1/drawers/{former_number}/R-01/D-001", {}),
    ("DELETE", "/v1/drawers/{number}/R-01/D-001?conversation=true", {}),
    ("POST", "/v1/conversations", {"id": "planted", "messages": [{"role": "user", "content": "Bees sleep."}]}),
    ("POST", "/v1/recall", {"query": "{query}", "floor": "none", "format": "both", "context": 9, "tools": True}),
    ("POST", "/v1/recall", {"query": "bees", "wings": ["{wing}"]}),
    ("POST", "/v1/work", {"file": "{secret}", "command": "{query}", "error": "{secret}", "symbol": "{secret}"}),
    ("POST", "/v1/work", {"file": "{secret}", "wings": ["{wing}"]}),
    ("POST", "/v1/memory", {"content": "Bees sing.", "project_id": "{wing}", "said_at": "2026-01-01T00:00:00Z"}),
    ("POST", "/v1/memory/retrieve", {"query": "{query}", "threshold": 0, "project_id": "{number}"}),
    ("POST", "/v1/memory/retrieve", {"query": "{query}", "threshold": 0, "limit": 50}),
    ("GET", "/v1/memory?project_id={number}", {}),
    ("GET", "/v1/memory/{number}/R-01/D-001", {}),
    ("GET", "/v1/memory/{former_wing}", {}),
    ("PUT", "/v1/memory/{pointer}", {"content": "Bees sleep."}),
    ("PUT", "/v1/memory/{former_wing}", {"content": "Bees sleep."}),
    ("DELETE", "/v1/memory/{pointer}", {}),
    ("DELETE", "/v1/memory/{former_wing}", {}),
    ("DELETE", "/v1/memory?project_id={wing}", {}),
    ("POST", "/v1/turns", {"message": "What is my {query}?", "session": "planted", "agent": "{former_wing}"}),
    ("GET", "/v1/entities", {}),
    ("GET", "/v1/entities/{former_wing}", {}),
    ("GET", "/v1/relations?entity={former_wing}", {}),
    ("GET", "/v1/relations?about={query}", {}),
    ("GET", "/v1/jobs", {}),
    ("GET", "/v1/jobs/{job_id}", {}),
    ("GET", "/v1/jobs/{job_id}/events", {}),
    ("POST", "/v1/jobs/{job_id}/retry", {}),
    ("DELETE", "/v1/jobs/{job_id}", {}),
    ("GET", "/v1/export?wing={wing}", {}),
    ("GET", "/v1/export", {}),
    ("GET", "/metrics", {}),
)


SCORE = re.compile(r"-?\d+\.\d+(e-?\d+)?|-?\d+e-\d+")
"""How like a query is that was guessed, which is another in each world."""


def filled(value: Any, world: World) -> Any:
    """Fill a request in from a guess."""
    if isinstance(value, dict):
        return {name: filled(each, world) for name, each in value.items()}
    if isinstance(value, list):
        return [filled(each, world) for each in value]
    return filled_in((value,), world)[0] if isinstance(value, str) else value


def told(world: World) -> list[str]:
    """Give what a stranger is told by each attempt, in order."""
    user = f"stranger-{uuid.uuid4()}"
    world.stranger(user).close()
    with Palaces.open(world.settings, embedder=HashingEmbedder()) as palaces, served(palaces) as (url, _):
        key = palaces.palace(user).keys.create("stranger", scopes=SCOPES)
        headers = {"Authorization": f"Bearer {key.secret}"}
        with httpx.Client(base_url=url, headers=headers, timeout=120) as client:
            answers = []
            for method, path, body in ATTEMPTS:
                answer = client.request(method, filled(path, world), json=filled(body, world) or None)
                lines = answer.text.splitlines() if path == "/metrics" else [answer.text]
                # How long requests took differs between any two.
                counts = [line for line in lines if "request_seconds" not in line]
                answers.append(f"{answer.status_code} {counts}")
        answers = [SCORE.sub("<score>", world.comparable(each, user)) for each in answers]
        return [each.replace(key.key.id, "<key>") for each in answers]


def test_a_program_is_told_nothing_of_what_is_anothers(unharmed: World, deserted: World) -> None:
    beside, alone = told(unharmed), told(deserted)
    both = zip(ATTEMPTS, beside, alone, strict=True)
    assert [each for each in both if each[1] != each[2] or unharmed.secrets_in(each[1])] == []


def test_every_route_is_tried(unharmed: World) -> None:
    with Palaces.open(unharmed.settings, embedder=HashingEmbedder()) as palaces, served(palaces) as (url, _):
        described = httpx.get(f"{url}/openapi.json").json()["paths"]
    routes = {(method.upper(), path) for path, of in described.items() for method in of}
    tried = {(method, filled(path, unharmed).partition("?")[0]) for method, path, _ in ATTEMPTS}
    patterns = {each: re.sub(r"\{\w+\}", "[^/]+", each[1]) for each in routes}
    untried = [
        each for each, wanted in patterns.items() if not any(m == each[0] and re.fullmatch(wanted, p) for m, p in tried)
    ]
    assert sorted(untried) == [("GET", "/healthz"), ("GET", "/readyz")]
