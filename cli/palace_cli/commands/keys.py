"""``palace keys``: keys by which programs reach this palace through `palace serve`."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Annotated

import typer
from rich.table import Table

from palace.models import ApiKey, AppGrant, AuditEntry, KeyScope, NewApiKey
from palace_cli import completion
from palace_cli.command import Answer, Palace, listing, subcommand
from palace_cli.options import argument, option, since
from palace_cli.render.layout import Columns, named_values, record, records

app = typer.Typer(help="Make, list, rotate and revoke the keys of `palace serve`; see what was done with them.")

KeyId = Annotated[str, argument("ID", "The key's id as `list` shows it: 12x345.")]
GrantId = Annotated[str, argument("ID", "The grant's id as `grants` shows it: 12g345.")]
SCOPES = "What it allows: read, write, forget, admin (export and jobs); may be repeated. read unless given."
Scopes = Annotated[
    list[str] | None, option("--scope", SCOPES, "SCOPE", default=..., completes=completion.words(*KeyScope))
]
ONLY = "The only wings that it reaches, by name or number; may be repeated."
Wings = Annotated[list[str] | None, option("--wing", ONLY, "NAME", default=..., completes=completion.places(1))]
LISTED = "A gateway's key: a user that its requests may name, instead of this one; may be repeated."
Users = Annotated[list[str] | None, option("--for", LISTED, "USER", default=...)]
BEGINNING = "A gateway's key: its requests may name all users whose names begin so, which are made when first needed."


def new_key_view(found: NewApiKey) -> Table:
    return named_values({"key": found.secret, "id": found.key.id, "scopes": ", ".join(found.key.scopes)})


def log_view(found: tuple[AuditEntry, ...]) -> Table:
    return records(found, {"when": "happened_at", "key": "key", "did": "action", "to": "target"})


def _reaches(key: ApiKey) -> str:
    wings = () if key.wings is None else key.wings or ("nothing",)
    prefixed = () if key.user_prefix is None else (f"{key.user_prefix}…",)
    return ", ".join((*wings, *key.users, *prefixed)) or "everything"


KEY: Columns = {
    "id": "id",
    "label": "label",
    "scopes": lambda each: ", ".join(each.scopes),
    "reaches": _reaches,
    "state": "state",
    "expires": "expires_at",
    "last used": "last_used_at",
}
GRANT: Columns = {
    "id": "id",
    "program": "client",
    "redirect": "redirect_uri",
    "scopes": lambda each: ", ".join(each.scopes),
    "key": "key",
    "state": "state",
    "last used": "last_used_at",
}
keys_view = partial(records, columns=KEY, elastic=("label", "reaches"))
grants_view = partial(records, columns=GRANT, elastic=("program", "redirect"))
key_view, grant_view = partial(record, columns=KEY), partial(record, columns=GRANT)
SHOWN_ONCE = "the key is shown this once: whoever has it can do what its scopes allow"


@listing(app, "list", keys_view, nothing="there are no keys yet: palace keys create LABEL")
def list_(palace: Palace) -> tuple[ApiKey, ...]:
    """List the keys, revoked ones too, without their secrets.

    \b
    palace keys
    """
    return palace.keys.list()


@subcommand(app, "create", new_key_view, makes_user=True)
def create(
    palace: Palace,
    label: str = argument("LABEL", "What you call it: the program or the machine that gets it."),
    *,
    scopes: Scopes = None,
    wings: Wings = None,
    days: int | None = option("--days", "It expires after so many days; never unless given.", "N", min=1, max=3650),
    users: Users = None,
    user_prefix: str | None = option("--for-prefix", BEGINNING, "TEXT"),
) -> Answer:
    """Make a key and print it, this once.

    \b
    palace keys create laptop --scope read --scope write
    palace keys create "web shop" --wing "Efoil rebuild" --days 90
    palace keys create gateway --for-prefix shop- --scope read --scope write
    """
    made = palace.keys.create(
        label,
        scopes=scopes or (KeyScope.READ,),
        wings=wings or None,
        days=days,
        users=users or None,
        user_prefix=user_prefix,
    )
    return Answer(made, remarks=(SHOWN_ONCE,))


@subcommand(app, "revoke", key_view)
def revoke(palace: Palace, key_id: KeyId) -> ApiKey:
    """Revoke a key at once and for good.

    \b
    palace keys revoke 12x345
    """
    return palace.keys.revoke(key_id)


@subcommand(app, "grants", grants_view, nothing="no program has access by OAuth")
def grants(palace: Palace) -> tuple[AppGrant, ...]:
    """List the programs with access by OAuth, each with the key that allowed it.

    \b
    palace keys grants
    """
    return palace.grants.list()


@subcommand(app, "revoke-grant", grant_view)
def revoke_grant(palace: Palace, grant_id: GrantId) -> AppGrant:
    """Revoke the access of a program by OAuth, at once and for good.

    \b
    palace keys revoke-grant 12g345
    """
    return palace.grants.revoke(grant_id)


@subcommand(app, "rotate", new_key_view)
def rotate(
    palace: Palace,
    key_id: KeyId,
    *,
    grace: int = option("--grace", "The former key stays valid for so many hours.", "HOURS", default=0, min=0),
) -> Answer:
    """Give a key another secret and print it, this once; the former one is void, at once or after the grace.

    \b
    palace keys rotate 12x345 --grace 24
    """
    return Answer(palace.keys.rotate(key_id, hours=grace), remarks=(SHOWN_ONCE,))


@subcommand(app, "log", log_view, nothing="nothing was done with keys yet")
def log(
    palace: Palace,
    *,
    limit: int = option("--limit", "So many entries at most.", "N", default=100, min=1, max=10_000),
    begun: datetime | None = since("--since", "Only from then on."),
) -> tuple[AuditEntry, ...]:
    """List who did what when with keys, the latest first: ids, never text. Reading is entered once an hour a key.

    \b
    palace keys log --since yesterday
    """
    return palace.keys.audit(limit=limit, since=begun)
