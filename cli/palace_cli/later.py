"""A group of commands that are imported when they are asked for, so that each starts without the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, ClassVar, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command, get_group_from_info
from typer.models import TyperInfo

PACKAGE = "palace_cli.commands"


class LaterGroup(TyperGroup):
    """A group that knows its commands by where they stand."""

    where: ClassVar[Mapping[str, str]] = {}
    """The module of each in the package of commands, and behind ":" its name there, where that is another."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        # It is only read.
        self.commands = cast("dict[str, Any]", _Commands(self.where))

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 — as the group's own is called
        """List their names, in order; none is imported for that."""
        return list(self.commands)


class _Commands(Mapping[str, Any]):
    """Commands by name, each made when it is first looked up."""

    def __init__(self, where: Mapping[str, str]) -> None:
        self._where = where
        self._made = dict[str, Any]()

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = _make(name, self._where[name])
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._where

    def __iter__(self) -> Iterator[str]:
        return iter(self._where)

    def __len__(self) -> int:
        return len(self._where)


def _make(name: str, where: str) -> Any:
    module, _, inside = where.partition(":")
    found = getattr(import_module(f"{PACKAGE}.{module}"), inside or module)
    if isinstance(found, typer.Typer):
        told = TyperInfo(found, name=name)
        return get_group_from_info(told, pretty_exceptions_short=True, rich_markup_mode=None, suggest_commands=True)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    alone.command(name)(found)
    return get_command(alone)
