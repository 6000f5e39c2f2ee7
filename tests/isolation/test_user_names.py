"""Names that look like the victim's, or like something else than a name, are other users or none."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError
from typer.testing import CliRunner

from palace import BadRequest, Palace, PalaceError, Settings, load_settings
from palace.testing import HashingEmbedder
from palace_cli.app import app
from tests.held import lead_to
from tests.isolation.victim import SECRETS, VICTIM, Victim
from tests.isolation.world import World

SAID = VICTIM.query
NAMES: dict[str, Callable[[Victim], str]] = {
    "decomposed": lambda v: unicodedata.normalize("NFD", v.user),
    "without accents": lambda v: v.user.replace("á", "a").replace("è", "e"),
    "lower case": lambda v: v.user.lower(),
    "cyrillic": lambda v: v.user.replace("e", "\u0435"),
    "blank before": lambda v: " " + v.user,
    "newline behind": lambda v: v.user + "\n",
    "quoted": lambda v: f"'{v.user}'",
    "wildcard": lambda v: "%",
    "number": lambda v: str(v.user_id),
    "setting": lambda v: f"palace.user_id={v.user_id}",
    "statement": lambda v: f"x'; SELECT set_config('palace.user_id', '{v.user_id}', true); --",
    "nul": lambda v: v.user + "\0",
    "half a character": lambda v: v.user + "\ud800",
    "nothing": lambda v: "",
    "long": lambda v: v.user * 200,
}


def test_a_name_like_the_victims_is_another_user_or_none(unharmed: World) -> None:
    wrong, opened = [], set()
    for name, make in NAMES.items():
        user = make(unharmed.victim)
        try:
            palace = Palace.open(unharmed.settings, user=user, embedder=HashingEmbedder())
        except BadRequest:
            continue
        with palace:
            seen = (palace.user, palace.status().drawers, palace.tree.wings(), palace.recall(SAID).hits)
            is_victim = palace._opened.database.user_id == unharmed.victim.user_id
        opened.add(name)
        wrong += [] if seen == (user, 0, (), ()) and not is_victim else [(name, seen)]
    assert wrong == []
    assert {"quoted", "wildcard", "number", "setting", "statement"} <= opened


def test_a_command_takes_it_for_another_user_too(unharmed: World, monkeypatch: pytest.MonkeyPatch) -> None:
    lead_to(unharmed.settings, monkeypatch)
    for name in ("decomposed", "quoted", "statement", "nul", "nothing"):
        user = NAMES[name](unharmed.victim)
        _is_nobody_or_refused(_run("status", "--json", "--user", user))
        if user and not {"\0", "\ud800"} & set(user):  # which no environment holds
            monkeypatch.setenv("PALACE_USER", user)
            _is_nobody_or_refused(_run("status", "--json"))
            monkeypatch.delenv("PALACE_USER")


def _is_nobody_or_refused(result: Any) -> None:
    assert result.exit_code in (0, 2)
    if result.exit_code == 0:
        assert json.loads(result.stdout)["drawers"] == 0
    else:
        assert result.stdout == ""
        assert result.stderr.count("\n") == 1


SCHEMAS = ("palace; DROP TABLE palace.drawer", "palace, pg_temp", 'palace"', "palace\0", "Palace", "$user", "")


def test_a_schema_that_is_no_plain_name_is_refused() -> None:
    for schema in SCHEMAS:
        with pytest.raises(ValidationError, match="database_schema"):
            Settings(database_schema=schema)
        with pytest.raises(PalaceError, match="PALACE_DATABASE_SCHEMA"):
            load_settings(database_schema=schema)


OPTIONS = ("-c palace.user_id={id} -c palace.user_name={id}", "-c row_security=off", "-c role=palace_owner")


def test_settings_of_the_connection_do_not_make_somebody_the_victim(unharmed: World) -> None:
    url, leaks = unharmed.settings.database_url, []
    assert url is not None
    for options in OPTIONS:
        said, address = options.format(id=unharmed.victim.user_id), url.get_secret_value()
        query = "options=" + said.replace(" ", "%20").replace("=", "%3D")
        for there, variable in ((f"{address}{'&' if '?' in address else '?'}{query}", ""), (address, said)):
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("PGOPTIONS", variable)
                seen = _seen(unharmed.settings.model_copy(update={"database_url": SecretStr(there)}))
            leaks += [(options, seen) for secret in SECRETS if secret in seen.replace(SAID, "")]
    assert leaks == []


def _seen(settings: Settings) -> str:
    try:
        with Palace.open(settings, user="anybody", embedder=HashingEmbedder()) as palace:
            return repr((palace.tree.wings(), palace.recall(SAID), palace.status().drawers))
    except PalaceError as problem:
        return str(problem)


def _run(*arguments: str) -> Any:
    return CliRunner().invoke(app, arguments, catch_exceptions=False)
