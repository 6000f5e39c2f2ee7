"""The description of the routes (OpenAPI): Palace's own shape of errors, and an example of each body and answer."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from palace_server.problems import Problem

Schema = dict[str, Any]
JSON = "application/json"
PLAIN = {"integer": 1, "number": 0.83, "boolean": False, "string": "…", "date-time": "2026-04-30T18:20:00+02:00"}
"""Examples by format or type, where a schema has none of its own."""
SET = ("default", "const")


class Described(FastAPI):
    """An application that describes its routes so that each body and answer has an example."""

    def openapi(self) -> dict[str, Any]:
        """Return the description; it is made once."""
        if self.openapi_schema is None:
            made = super().openapi()
            shapes = made["components"]["schemas"]
            problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
            shapes.update({**problem.pop("$defs"), "Problem": problem})
            for unused in ("HTTPValidationError", "ValidationError"):
                shapes.pop(unused, None)
            for operation in (each for of in made["paths"].values() for each in of.values()):
                for part in (operation.get("requestBody", {}), *operation["responses"].values()):
                    if content := part.get("content", {}).get(JSON):
                        content.setdefault("example", example_of(content["schema"], shapes))
        assert self.openapi_schema is not None
        return self.openapi_schema


def example_of(schema: Schema, shapes: dict[str, Schema]) -> Any:
    """Return a value that a schema allows: its own example or default, else a plain one."""
    if "$ref" in schema:
        return example_of(shapes[schema["$ref"].rpartition("/")[2]], shapes)
    if examples := schema.get("examples") or schema.get("enum") or [schema[key] for key in SET if key in schema]:
        return examples[0]
    if alternatives := schema.get("anyOf"):
        # Members that may be null are null in most answers.
        return None if {"type": "null"} in alternatives else example_of(alternatives[0], shapes)
    if schema.get("type") == "object":
        return {name: example_of(each, shapes) for name, each in schema.get("properties", {}).items()}
    if schema.get("type") == "array":
        return [example_of(schema["items"], shapes)]
    return PLAIN.get(str(schema.get("format", schema.get("type"))))
