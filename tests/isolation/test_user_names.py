"""Names that look like the victim's, or like something else than a name, are other users or none."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError
from typer.testing import CliRunner

from palace import Palace
from palace.errors import BadRequest, PalaceError
from palace.settings import Settings, load_settings
from palace.testing import HashingEmbedder
from palace_cli.app import app
from tests.isolation.victim import SECRETS, Victim
from tests.isolation.world import World

NAMES: dict[str, Callable[[Victim], str]] = {
    "decomposed": lambda v: unicodedata.normalize("NFD", v.user),
    "without accents": lambda v: v.user.replace("á", "a").replace("è", "e"),
    "upper case": lambda v: v.user.upper(),
    "lower case": lambda v: v.user.lower(),
    "cyrillic": lambda v: v.user.replace("e", "\u0435"),
    "full width": lambda v: v.user.replace("n", "\uff4e"),
    "joined by nothing": lambda v: v.user + "\u200d",
    "with a mark of direction": lambda v: "\u202e" + v.user,
    "blank before": lambda v: " " + v.user,
    "blank behind": lambda v: v.user + " ",
    "newline behind": lambda v: v.user + "\n",
    "newline before": lambda v: "\n" + v.user,
    "quoted": lambda v: f"'{v.user}'",
    "quoted twice": lambda v: f'"{v.user}"',
    "escaped": lambda v: v.user + "\\",
    "wildcard": lambda v: "%",
    "wildcards": lambda v: v.user[:-1] + "_",
    "folder": lambda v: f"../{v.user}",
    "beginning": lambda v: v.user[:-1],
    "number": lambda v: str(v.user_id),
    "setting": lambda v: f"palace.user_id={v.user_id}",
    "parameter": lambda v: ":user_id",
    "place": lambda v: "%(user_id)s",
    "statement": lambda v: f"x'; SELECT set_config('palace.user_id', '{v.user_id}', true); --",
    "condition": lambda v: f"x' OR name = '{v.user}",
    "array": lambda v: f"{{{v.user_id}}}",
    "nul": lambda v: v.user + "\0",
    "nul before": lambda v: "\0" + v.user,
    "half a character": lambda v: v.user + "\ud800",
    "nothing": lambda v: "",
    "a blank": lambda v: " ",
    "long": lambda v: v.user * 200,
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_like_the_victims_is_another_user_or_none(name: Callable[[Victim], str], unharmed: World) -> None:
    user = name(unharmed.victim)
    try:
        palace = Palace.open(unharmed.settings, user=user, embedder=HashingEmbedder())
    except BadRequest:
        return
    with palace:
        assert palace._opened.database.user_id != unharmed.victim.user_id
        assert palace.user == user
        assert palace.status().drawers == 0
        assert palace.tree.wings() == ()
        assert palace.recall(unharmed.guess.cast.query).hits == ()


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_command_takes_it_for_another_user_too(
    name: Callable[[Victim], str], unharmed: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    _use(unharmed, monkeypatch)
    _is_nobody_or_refused(_run("status", "--json", "--user", name(unharmed.victim)))


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"nothing", "nul", "nul before", "half a character"}))
def test_in_the_environment_it_is_another_user_too(name: str, unharmed: World, monkeypatch: pytest.MonkeyPatch) -> None:
    _use(unharmed, monkeypatch)
    monkeypatch.setenv("PALACE_USER", NAMES[name](unharmed.victim))
    _is_nobody_or_refused(_run("status", "--json"))


def _is_nobody_or_refused(result: Any) -> None:
    assert result.exit_code in (0, 2)
    if result.exit_code == 0:
        assert json.loads(result.stdout)["drawers"] == 0
    else:
        assert result.stdout == ""
        assert result.stderr.count("\n") == 1


SCHEMAS = (
    "palace; DROP TABLE palace.drawer",
    "palace, pg_temp",
    'palace"',
    "palace'",
    "palace\n",
    "palace\0",
    "pal ace",
    "Palace",
    "pàlace",
    "palace--",
    "palace.drawer",
    "$user",
    "",
)


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_schema_that_is_no_plain_name_is_refused(schema: str) -> None:
    with pytest.raises(ValidationError, match="database_schema"):
        Settings(database_schema=schema)
    with pytest.raises(PalaceError, match="PALACE_DATABASE_SCHEMA"):
        load_settings(database_schema=schema)


OPTIONS = (
    "-c palace.user_id={id}",
    "-c palace.user_id={id} -c palace.user_name={id}",
    "-c row_security=off",
    "-c search_path=pg_catalog",
    "-c session_replication_role=replica",
    "-c role=palace_owner",
)


@pytest.mark.parametrize("way", ["address", "environment"])
@pytest.mark.parametrize("options", OPTIONS)
def test_settings_of_the_connection_do_not_make_somebody_the_victim(
    options: str, way: str, unharmed: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, url = options.format(id=unharmed.victim.user_id), unharmed.settings.database_url
    assert url is not None
    address = url.get_secret_value()
    if way == "environment":
        monkeypatch.setenv("PGOPTIONS", said)
    else:
        address += ("&" if "?" in address else "?") + "options=" + said.replace(" ", "%20").replace("=", "%3D")
    settings = unharmed.settings.model_copy(update={"database_url": SecretStr(address)})
    try:
        with Palace.open(settings, user="anybody", embedder=HashingEmbedder()) as palace:
            seen = repr((palace.tree.wings(), palace.recall(unharmed.guess.cast.query), palace.status().drawers))
    except PalaceError as problem:
        seen = str(problem)
    assert [secret for secret in SECRETS if secret in seen.replace(unharmed.guess.cast.query, "")] == []


def _use(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    assert world.settings.database_url is not None
    monkeypatch.setenv("PALACE_HOME", str(world.folder))
    monkeypatch.setenv("PALACE_DATABASE_URL", world.settings.database_url.get_secret_value())


def _run(*arguments: str) -> Any:
    return CliRunner().invoke(app, arguments, catch_exceptions=False)
