"""Keys: what they allow, how long, and that wrong ones look alike."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from statistics import median

import pytest
from typer.testing import CliRunner

from palace import Administration, BadRequest, KeyScope, NotFound, Palace, Palaces
from palace_cli.app import app
from tests.held import execute, lead_to, rows


def expired(palace: Palace, key_id: str) -> None:
    """Let a key's time be over."""
    past = "UPDATE api_key SET expires_at = now() - interval '1 s' WHERE user_id = :user_id AND id = :id"
    execute(palace, past, id=int(key_id.partition("x")[2]))


def test_a_key_tells_whom_it_is_from_and_what_it_allows(palaces: Palaces, palace: Palace) -> None:
    palace.note("The shed is locked.", wing="Bees")
    made = palace.keys.create("laptop", scopes=["write", "read"], wings=["Bees"], days=3)
    grant = palaces.check_key(made.secret)
    assert grant is not None
    assert (grant.id, grant.user) == (made.key.id, palace.user)
    assert grant.scopes == (KeyScope.READ, KeyScope.WRITE)
    assert grant.wing_ids == (palace.tree.wing("Bees").id,)
    assert not grant.is_gateways
    (listed,) = palace.keys.list()
    assert (listed.label, listed.scopes, listed.wings) == ("laptop", (KeyScope.READ, KeyScope.WRITE), ("Bees",))
    assert listed.expires_at is not None
    assert timedelta(days=2) < listed.expires_at - datetime.now(UTC) < timedelta(days=3)
    assert listed.last_used_at is not None
    assert made.secret not in repr((made, listed))


def test_only_a_hash_is_stored_and_no_export_has_it(palace: Palace, tmp_path: object) -> None:
    made = palace.keys.create("laptop")
    secret = made.secret.rpartition("_")[2]
    ((row,),) = rows(palace, "SELECT api_key::text FROM api_key")
    assert secret not in row
    palace.note("Bees hum.")
    file = f"{tmp_path}/palace.jsonl"
    palace.transfer.export(file, settings=True)
    with open(file, encoding="utf-8") as written:  # noqa: PTH123
        assert "laptop" not in written.read()


def test_expired_revoked_and_wrong_keys_are_none_of_ours(palaces: Palaces, palace: Palace) -> None:
    valid, old, gone = (palace.keys.create(name) for name in ("valid", "old", "gone"))
    expired(palace, old.key.id)
    assert palace.keys.revoke(gone.key.id).state == "revoked"
    head, _, secret = valid.secret.rpartition("_")
    other = palaces.palace(f"user-{uuid.uuid4()}").keys.create("other").secret.rpartition("_")[2]
    wrong = (
        *("", "pal", "pal_", valid.secret[:-1], f"{valid.secret}0", valid.secret.upper(), f"{head}_{other}"),
        *(f"{head}_{'0' * 64}", f"pal_0x0_{secret}", f"pal_{'9' * 18}x1_{secret}", f"pal_-1x1_{secret}", "\ud800\x00"),
        *(old.secret, gone.secret, f" {valid.secret}", f"{valid.secret}\n", f"pal_{valid.key.id}_{'٠' * 64}"),
    )
    assert [key for key in wrong if palaces.check_key(key) is not None] == []
    assert palaces.check_key(valid.secret) is not None
    assert [key.state for key in palace.keys.list()] == ["valid", "expired", "revoked"]


@pytest.mark.nightly
def test_it_takes_the_same_time_to_refuse_any(palaces: Palaces, palace: Palace) -> None:
    old, gone = palace.keys.create("old"), palace.keys.create("gone")
    expired(palace, old.key.id)
    palace.keys.revoke(gone.key.id)
    head, _, secret = gone.secret.rpartition("_")
    keys = (old.secret, gone.secret, f"{head}_{'0' * 64}", f"pal_0x0_{secret}", "nonsense")
    seconds: dict[str, list[float]] = {key: [] for key in keys}
    for _ in range(200):
        for key in keys:
            begun = time.perf_counter()
            palaces.check_key(key)
            seconds[key].append(time.perf_counter() - begun)
    typical = [median(each) for each in seconds.values()]
    assert max(typical) < 1.3 * min(typical)


def test_each_of_two_rotations_at_once_makes_a_key_that_is_valid(palaces: Palaces, palace: Palace) -> None:
    key = palace.keys.create("laptop").key
    with ThreadPoolExecutor(2) as pool:
        for _ in range(20):
            made = list(pool.map(lambda _: palace.keys.rotate(key.id, hours=1), range(2)))
            assert all(palaces.check_key(each.secret) for each in made)


def test_a_rotated_key_is_another_and_the_former_one_stays_valid_for_its_grace(
    palaces: Palaces, palace: Palace
) -> None:
    first = palace.keys.create("laptop", scopes=["read", "forget"])
    second = palace.keys.rotate(first.key.id, hours=1)
    third = palace.keys.rotate(second.key.id)
    assert first.key.id == second.key.id == third.key.id
    assert len({first.secret, second.secret, third.secret}) == 3
    assert palaces.check_key(third.secret) is not None
    assert palaces.check_key(second.secret) is None
    fourth = palace.keys.rotate(first.key.id, hours=2)
    assert fourth.key.former_until is not None
    assert palaces.check_key(third.secret) is not None
    assert palaces.check_key(third.secret) == palaces.check_key(fourth.secret)
    palace.keys.revoke(first.key.id)
    assert palaces.check_key(third.secret) is palaces.check_key(fourth.secret) is None
    with pytest.raises(BadRequest, match="is revoked"):
        palace.keys.rotate(first.key.id)


def test_a_gateways_key_covers_its_list_and_its_prefix_and_nobody_else(palaces: Palaces, palace: Palace) -> None:
    listed = palaces.check_key(palace.keys.create("gateway", users=["anna", "ben"]).secret)
    prefixed = palaces.check_key(palace.keys.create("gateway", user_prefix="shop-").secret)
    own = palaces.check_key(palace.keys.create("own").secret)
    users = ("anna", "ben", "annabel", "shop-1", "shop", "", palace.user)
    assert listed is not None
    assert prefixed is not None
    assert own is not None
    assert [user for user in users if listed.covers(user)] == ["anna", "ben"]
    assert [user for user in users if prefixed.covers(user)] == ["shop-1"]
    assert [user for user in users if own.covers(user)] == [palace.user]


REFUSED: tuple[tuple[Callable[[Palace], object], str], ...] = (
    (lambda palace: palace.keys.create("x", scopes=[]), "a scope at least"),
    (lambda palace: palace.keys.create("x", scopes=["everything"]), "a scope must be one of"),
    (lambda palace: palace.keys.create("x", scopes="read"), "scopes must be several"),
    (lambda palace: palace.keys.create(" "), "label must be a name"),
    (lambda palace: palace.keys.create("x" * 201), "1 to 200 characters"),
    (lambda palace: palace.keys.create("x", days=0), "days must be from 1"),
    (lambda palace: palace.keys.create("x", users=[]), "1 to 1,000 users"),
    (lambda palace: palace.keys.create("x", user_prefix=""), "user_prefix must be a name"),
    (lambda palace: palace.keys.create("x", user_prefix=" shop"), "without spaces"),
    (lambda palace: palace.keys.create("x", wings=[]), "names one at least"),
    (lambda palace: palace.keys.create("x", wings=["Bees"], users=["anna"]), "reaches whole palaces"),
    (lambda palace: palace.keys.revoke("nonsense"), "is no key's id"),
    (lambda palace: palace.keys.rotate("1x1", hours=-1), "hours must be from 0"),
)


def test_what_makes_no_key_is_refused_in_a_line(palace: Palace) -> None:
    for call, told in REFUSED:
        with pytest.raises(BadRequest, match=told) as refused:
            call(palace)
        assert "\n" not in str(refused.value)
    with pytest.raises(NotFound, match="no wing"):
        palace.keys.create("x", wings=["Nowhere"])
    assert palace.keys.list() == ()


def test_forgetting_everything_takes_the_keys_along(palaces: Palaces, palace: Palace) -> None:
    made = palace.keys.create("laptop")
    palace.forget_everything()  # though there is nothing else
    assert palaces.check_key(made.secret) is None
    assert (palace.keys.list(), palace.keys.audit()) == ((), ())


def test_the_log_has_what_was_done_to_keys(palace: Palace) -> None:
    made = palace.keys.create("laptop")
    palace.keys.rotate(made.key.id)
    palace.keys.revoke(made.key.id)
    palace.keys.enter("77x1", "drawers.forget", "W-001/R-01/D-001")
    told = [(entry.key, entry.action, entry.target) for entry in palace.keys.audit()]
    of_key = [(made.key.id, f"keys.{verb}", "") for verb in ("revoke", "rotate", "create")]
    assert told == [("77x1", "drawers.forget", "W-001/R-01/D-001"), *of_key]
    assert [entry.action for entry in palace.keys.audit(limit=1)] == ["drawers.forget"]
    assert palace.keys.audit(since=datetime(2999, 1, 1, tzinfo=UTC)) == ()


def test_the_command_shows_a_key_once(palaces: Palaces, palace: Palace, monkeypatch: pytest.MonkeyPatch) -> None:
    lead_to(palace._opened.settings, monkeypatch)

    def run(*words: str) -> str:
        done = CliRunner().invoke(app, [*words, "--user", palace.user], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    assert run("keys") == ""
    made = json.loads(run("keys", "create", "laptop", "--scope", "read", "--scope", "write", "--days", "9", "--json"))
    assert palaces.check_key(made["secret"]) is not None
    assert made["key"]["scopes"] == ["read", "write"]
    key_id = made["key"]["id"]
    assert "laptop" in run("keys")
    assert made["secret"] not in run("keys", "list", "--json")
    rotated = run("keys", "rotate", key_id, "--grace", "1")
    assert f"pal_{key_id}_" in rotated
    assert "revoked" in run("keys", "revoke", key_id)
    assert palaces.check_key(made["secret"]) is None
    assert [entry["action"] for entry in json.loads(run("keys", "log", "--json"))][-1] == "keys.create"


def test_the_doctor_warns_of_a_key_that_expires_soon(palace: Palace) -> None:
    made = palace.keys.create("laptop", days=5)
    palace.keys.create("lasting", days=90)
    settings = palace._opened.settings.model_copy(update={"user": palace.user})
    told = [check for check in Administration(settings).doctor() if check.name == "keys"]
    assert [made.key.id in check.finding for check in told] == [True]


def test_a_key_that_somebody_says_in_a_chat_is_not_filed(palace: Palace) -> None:
    secret = palace.keys.create("laptop").secret
    drawer = palace.note(f"The laptop's key is {secret}, do not lose it.")
    assert secret.rpartition("_")[2] not in drawer.content
    assert drawer.redacted
