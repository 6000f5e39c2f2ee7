"""A stranger presents sessions, codes and tokens of its own with the numbers of the victim's: none is accepted."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from palace import AppRequest, BadRequest, KeyGrant, KeyScope, NotFound, Palace, Palaces

URL, REDIRECT = "https://palace.example/mcp", "https://app.example/callback"


def grant_of(palaces: Palaces, palace: Palace) -> KeyGrant:
    """Make a key, and return what it allows."""
    grant = palaces.check_key(palace.keys.create("own", scopes=["read"]).secret)
    assert grant is not None
    return grant


def request_of(client: str) -> AppRequest:
    return AppRequest(client, "App", REDIRECT, URL, (KeyScope.READ,), "challenge")


def with_numbers_of(secret: str, other: str) -> str:
    """Return a secret that names the user and row of another."""
    head = re.compile(r"^pa[ls]_\d+[xg]\d+")
    found = head.match(other)
    assert found is not None
    return head.sub(found[0], secret)


@pytest.fixture
def pair(palaces: Palaces, palace: Palace) -> tuple[KeyGrant, KeyGrant]:
    """What a victim's and a stranger's key allow."""
    return grant_of(palaces, palace), grant_of(palaces, palaces.palace(f"user-{uuid4()}"))


def test_a_session_reaches_its_own_user_alone(palaces: Palaces, pair: tuple[KeyGrant, KeyGrant]) -> None:
    theirs, own = map(palaces.start_session, pair)
    for secret in (with_numbers_of(own, theirs), with_numbers_of(theirs, own)):
        assert palaces.check_session(secret) is None
        palaces.end_session(secret)
    checked = [palaces.check_session(secret) for secret in (theirs, own)]
    assert [grant and grant.user for grant in checked] == [grant.user for grant in pair]


def test_codes_and_tokens_reach_the_grant_that_they_are_of(palaces: Palaces, pair: tuple[KeyGrant, KeyGrant]) -> None:
    grants = palaces.grants
    theirs, own = (
        grants.allow(key, request_of(name)) for key, name in zip(pair, ("their app", "own app"), strict=True)
    )
    mixed: tuple[Callable[[str], object], ...] = (
        lambda secret: grants.find_code(secret, "own app"),
        lambda secret: grants.exchange_code(secret, "own app"),
        lambda secret: grants.find_refresh(secret, "own app"),
        lambda secret: grants.renew(secret, "own app"),
        lambda secret: grants.revoke(secret, "own app"),
        lambda secret: grants.check(secret, URL),
    )
    assert [attempt(secret) for attempt in mixed for secret in (theirs, with_numbers_of(own, theirs))] == [None] * 12
    tokens, others = grants.exchange_code(theirs, "their app"), grants.exchange_code(own, "own app")
    assert tokens is not None
    assert others is not None
    for secret in (tokens.refresh, with_numbers_of(others.refresh, tokens.refresh)):
        assert [attempt(secret) for attempt in mixed[:5]] == [None] * 5
    assert grants.check(with_numbers_of(others.access, tokens.access), URL) is None
    found = [grants.check(secret, URL) for secret in (tokens.access, others.access)]
    assert [grant and grant.user for grant in found] == [grant.user for grant in pair]


def test_a_grant_is_listed_and_revoked_by_its_own_user(palaces: Palaces, pair: tuple[KeyGrant, KeyGrant]) -> None:
    victim, stranger = (palaces.palace(grant.user) for grant in pair)
    palaces.grants.allow(pair[0], request_of("their app"))
    (grant,) = victim.grants.list()
    assert stranger.grants.list() == ()
    with pytest.raises(NotFound, match="there is no grant"):
        stranger.grants.revoke(grant.id)
    with pytest.raises(BadRequest, match="no grant's id"):
        stranger.grants.revoke(f"{grant.id}x")
    assert [each.state for each in victim.grants.list()] == ["valid"]
    assert grant.expires_at <= datetime.now(UTC) + timedelta(minutes=1)
