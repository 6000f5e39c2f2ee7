"""Requests drawn from the server's own description, valid and not: each answer is one that it describes.

schemathesis does the same and more; it takes 33 MB and makes each start of pytest slower, so it is run by hand:
``st run http://127.0.0.1:8798/openapi.json -H "Authorization: Bearer pal_…"``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from palace import Palace
from palace_server.app import make_app
from palace_server.caller import Service
from tests.server.conftest import Connects

TOLD: dict[str, Any] = make_app(Service(None, keyless_user=None, rate=1)).openapi()  # type: ignore[arg-type]
OPERATIONS = [(path, method, each) for path, of in TOLD["paths"].items() for method, each in of.items()]
ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=40),
    st.lists(st.text(max_size=5), max_size=3), st.dictionaries(st.text(max_size=5), st.none(), max_size=2),
)  # fmt: skip
"""What may stand anywhere instead of what is described."""
MOMENTS = ("2026-04-30T18:20:00Z", "2026-04-30", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00", "soon")
HELD = st.sampled_from(["W-001/R-01/D-001", "W-001", "Derek", "spare key", "1", "D-001", "R-01", "Notes"])
"""What the palace has, so that not everything is missing there."""


def described(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Draw values that a schema describes."""
    if "$ref" in schema:
        return described(TOLD["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    if "anyOf" in schema:
        return st.one_of(*map(described, schema["anyOf"]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    return OF_TYPE[schema["type"]](schema)


def _text(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    if schema.get("format") == "date-time":
        return st.sampled_from(MOMENTS)
    if "pattern" in schema:
        return st.from_regex(schema["pattern"])
    return HELD | st.text(min_size=schema.get("minLength", 0), max_size=min(schema.get("maxLength", 60), 60))


def _array(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    least = schema.get("minItems", 0)
    return st.lists(described(schema["items"]), min_size=least, max_size=least + 3)


def _object(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    known = {name: described(each) for name, each in schema.get("properties", {}).items()}
    if not known:
        return st.dictionaries(st.sampled_from(["role", "content", "name", "id"]), HELD | ODD, max_size=4)
    required = {name: each for name, each in known.items() if name in schema.get("required", ())}
    return st.fixed_dictionaries(
        required, optional={name: each for name, each in known.items() if name not in required}
    )


OF_TYPE: dict[str, Callable[[dict[str, Any]], st.SearchStrategy[Any]]] = {
    "string": _text,
    "integer": lambda schema: st.integers(schema.get("minimum", -(2**70)), schema.get("maximum", 2**70)),
    "number": lambda _: st.floats(allow_nan=False, allow_infinity=False),
    "boolean": lambda _: st.booleans(),
    "null": lambda _: st.none(),
    "array": _array,
    "object": _object,
}


def mostly(likely: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Draw from a strategy, and once in a while something odd."""
    return st.integers(0, 9).flatmap(lambda number: ODD if number == 0 else likely)


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, str, dict[str, Any], dict[str, Any]]:
    """Draw a request: its path as described, its method, the operation, and what to send."""
    path, method, operation = draw(st.sampled_from(OPERATIONS))
    given: dict[str, dict[str, Any]] = {"path": {}, "query": {}, "header": {}}
    for each in operation.get("parameters", ()):
        if each.get("required") or draw(st.booleans()):
            given[each["in"]][each["name"]] = draw(mostly(described(each["schema"])))
    sent: dict[str, Any] = {
        "url": path.format_map({name: _quoted(value) for name, value in given["path"].items()}),
        "params": {name: value for name, value in given["query"].items() if not isinstance(value, dict)},
        "headers": {name: ascii(value)[1:-1] or "x" for name, value in given["header"].items()},
    }
    if body := operation.get("requestBody"):
        sent["json"] = draw(mostly(described(body["content"]["application/json"]["schema"])))
    return path, method, operation, sent


def _quoted(value: object) -> str:
    return (
        httpx.QueryParams({"": str(value).encode("utf-8", "replace").decode()}).__str__()[1:].replace("+", "%20") or "x"
    )


def is_described(answer: httpx.Response, operation: dict[str, Any]) -> str:
    """Return what is wrong with an answer; "" where it is one that the operation describes."""
    of = operation["responses"].get(str(answer.status_code))
    if of is None:
        return f"{answer.status_code} is not described"
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if kind not in of.get("content", {kind: None}):
        return f"{kind} is not described for {answer.status_code}"
    schema = of.get("content", {}).get(kind, {}).get("schema")
    if schema is None or not kind.endswith("json"):
        return ""
    validator = Draft202012Validator({**schema, "components": TOLD["components"]})
    return next((error.message for error in validator.iter_errors(answer.json())), "")


@pytest.mark.nightly
@given(request=requests(), has_key=st.integers(0, 9).map(bool))
def test_every_answer_is_one_that_is_described(
    connect: Connects, palace: Palace, request: tuple[str, str, dict[str, Any], dict[str, Any]], has_key: bool
) -> None:
    client = _clients.get(palace.user)
    if client is None:
        client = _clients[palace.user] = connect(palace)
        palace.note("Derek has the spare key.")
    path, method, operation, sent = request
    headers = sent["headers"] | ({} if has_key else {"Authorization": "Bearer pal_1x1_wrong"})
    with client.stream(method.upper(), **(sent | {"headers": headers})) as answer:
        if not path.endswith("/events"):
            answer.read()
            assert is_described(answer, operation) == "", (method, sent, answer.status_code, answer.text[:500])
        assert answer.status_code < 500 or answer.status_code == 503, (method, sent)
        assert has_key or answer.status_code in (401, 404, 405, 422) or not operation.get("security"), (method, sent)


_clients: dict[str, httpx.Client] = {}
