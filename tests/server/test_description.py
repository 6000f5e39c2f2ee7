"""What the server says of itself: /openapi.json."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

PROBLEM = {"schema": {"$ref": "#/components/schemas/Problem"}}
OPEN = {"/healthz", "/readyz"}


@pytest.fixture(scope="module")
def described(address: str) -> dict[str, Any]:
    """The description, as clients get it."""
    answer = httpx.get(f"{address}/openapi.json")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def operations(described: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """List the path and the description of each operation."""
    return [(path, each) for path, of in described["paths"].items() for each in of.values()]


def test_its_schemas_are_all_there_and_all_of_ours(described: dict[str, Any]) -> None:
    assert described["openapi"].startswith("3.1")
    named = re.findall(r'"#/components/schemas/(\w+)"', json.dumps(described))
    assert set(named) <= described["components"]["schemas"].keys()
    assert "HTTPValidationError" not in json.dumps(described)


def test_each_operation_has_a_name_its_key_and_its_problems(described: dict[str, Any]) -> None:
    names = [each["operationId"] for _, each in operations(described)]
    assert len(names) == len(set(names)) > 15
    for path, each in operations(described):
        assert each["description"], path
        assert each.get("security", []) == ([] if path in OPEN else [{"HTTPBearer": []}]), path
        problems = {int(status): of for status, of in each["responses"].items() if status >= "4"}
        assert {400, 403, 413, 421, 503} | (set() if path in OPEN else {401, 422, 429}) <= problems.keys(), path
        assert [of["content"] for of in problems.values()] == [{"application/problem+json": PROBLEM}] * len(problems)


def test_each_body_and_answer_of_json_has_an_example_that_its_schema_allows(described: dict[str, Any]) -> None:
    seen = 0
    for path, each in operations(described):
        for told in (each.get("requestBody", {}), *each["responses"].values()):
            if content := told.get("content", {}).get("application/json"):
                schema = {**content["schema"], "components": described["components"]}
                Draft202012Validator(schema).validate(content["example"])
                seen += 1
        assert seen, path
    assert seen > 20
