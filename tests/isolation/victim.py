"""A user with something in every table, every text of whose is unmistakable."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from palace import Palace, Settings
from palace.testing import HashingEmbedder


@dataclass(frozen=True, slots=True)
class Cast:
    """Who somebody is, and what they have: texts of the same lengths for everybody."""

    user: str
    secret: str
    reply: str
    addition: str
    """What was said, and mined, later."""
    query: str
    wing: str
    former_wing: str
    number: int
    """Of the wing; the next one it had as well."""
    file: str
    model: str
    grave: str
    """16 bytes: the identity of what they have forgotten."""


VICTIM = Cast(
    user="Márlène",
    secret="The zirconium vault opens with code 4711 and the beryllium key.",
    reply="Noted: behind the malachite door.",
    addition="And the zirconium seal is on the inside.",
    query="zirconium vault code 4711",
    wing="Quartzmine",
    former_wing="Topazsafe",
    number=401,
    file="cinnabar.json",
    model="obsidian/embedder",
    grave="amethyst-grave-1",
)
GONE = Cast(
    user="Ráphaël",
    secret="The tellurium crypt opens with code 1822 and the zinnwaldi key.",
    reply="Noted: behind the porphyry_ door.",
    addition="And the tellurium seal is on the inside.",
    query="tellurium crypt code 1822",
    wing="Gypsumpits",
    former_wing="Flintcase",
    number=801,
    file="feldspar.json",
    model="dolomite/embedder",
    grave="sapphire-grave-1",
)

SECRETS = (
    "zirconium",
    "beryllium",
    "malachite",
    "quartzmine",
    "topazsafe",
    "cinnabar",
    "obsidian",
    "amethyst",
    "márlène",
)
"""What nobody but the victim may ever be told."""


class Victim:
    """A user with something in every table and one wing, which had another name and number before."""

    def __init__(self, settings: Settings, folder: Path, cast: Cast = VICTIM) -> None:
        self.cast = cast
        self.source = folder / cast.file
        turns = [{"role": "user", "content": cast.secret}, {"role": "assistant", "content": cast.reply}]
        self.source.write_text(json.dumps(turns), encoding="utf-8")
        self.user = f"{cast.user}-{uuid.uuid4()}"
        self.palace = Palace.open(settings, user=self.user, embedder=HashingEmbedder())
        self.user_id = self.palace._opened.database.user_id
        # Numbers that a stranger with a wing or two does not have.
        self._execute(f"UPDATE palace_user SET wing_seq = {cast.number - 1}")
        self.palace.mine(self.source, wing=cast.wing)
        turns += [
            {"role": "user", "content": cast.addition},
            {"role": "assistant", "content": f"It moved. {cast.reply}"},
        ]
        self.source.write_text(json.dumps(turns), encoding="utf-8")
        self.palace.mine(self.source)
        self.palace.forget(f"W-{cast.number}/R-01/D-004")
        self._execute(*_planted(cast))
        with self.palace._opened.session() as session:
            find = sa.text("SELECT id, conversation_id, run_id FROM drawer WHERE user_id = :user_id AND position = 0")
            found = session.connection.execute(find, {"user_id": self.user_id}).one()
            self.drawer_id, self.conversation_id, self.run_id = found
            ids = {"user_id": self.user_id, "conversation_id": self.conversation_id}
            enqueue = sa.text("SELECT enqueue_job(:user_id, 'index', :conversation_id)")
            self.job_id = session.connection.execute(enqueue, ids).scalar_one()

    def count(self, table: str) -> int:
        """Count the victim's rows, as the victim."""
        with self.palace._opened.session() as session:
            return int(session.connection.execute(sa.text(f"SELECT count(*) FROM {table}")).scalar_one())

    def _execute(self, *statements: str) -> None:
        with self.palace._opened.session() as session:
            for statement in statements:
                key = "id" if "palace_user" in statement else "user_id"
                session.connection.execute(sa.text(f"{statement} WHERE {key} = {self.user_id}"))


def _planted(cast: Cast) -> tuple[str, ...]:
    """Give the statements that fill what mining alone leaves empty."""
    return (
        "INSERT INTO cost_entry (user_id, purpose, model, tokens, cost_usd, seconds, outcome, conversation_id, source)"
        f" SELECT user_id, 'memory_extract', '{cast.model}', 1, 1, 1, 'ok', id, '{cast.file}' FROM conversation",
        "INSERT INTO extraction_reply (user_id, conversation_id, digest, model, prompt, drawers, reply)"
        f" SELECT user_id, id, '{cast.grave}', '{cast.model}', 1, ARRAY(SELECT drawer.id FROM drawer"
        " WHERE drawer.user_id = conversation.user_id AND drawer.conversation_id = conversation.id),"
        f" jsonb_build_object('entities', '{cast.secret}') FROM conversation",
        "INSERT INTO wing_alias (user_id, slug, name, wing_id, number)"
        f" SELECT user_id, '{cast.former_wing.lower()}', '{cast.former_wing}', id, {cast.number + 1} FROM wing",
        f"UPDATE palace_user SET wing_seq = {cast.number + 1}",
        "INSERT INTO room_alias (user_id, wing_number, room_number, room_id)"
        f" SELECT user_id, {cast.number + 1}, 1, id FROM room",
        "INSERT INTO run_basis (user_id, run_id, basis_id) SELECT user_id, id, (SELECT min(earlier.id)"
        " FROM mining_run AS earlier WHERE earlier.user_id = mining_run.user_id) FROM mining_run",
        "UPDATE passage_embedding SET embedding ="
        " CASE WHEN drawer_id < (SELECT max(id) FROM drawer) THEN embedding END",
        "INSERT INTO term_delta (user_id, lexemes, amounts)"
        f" SELECT id, ARRAY['{cast.query.split()[0]}'], ARRAY[1] FROM palace_user",
        "INSERT INTO rebuild (user_id) SELECT id FROM palace_user",
        f"UPDATE activity SET details = details || jsonb_build_object('message', '{cast.secret}')",
        "INSERT INTO tombstone (user_id, identity, conversation_id, position)"
        f" SELECT user_id, '{cast.grave}', id, 9 FROM conversation",
        "INSERT INTO tombstone (user_id, identity, conversation_id, position, restored_by)"
        f" SELECT user_id, '{cast.grave[::-1]}', id, 8, run_id FROM conversation",
        "INSERT INTO injection (user_id, key, block, cited_count, expires_at)"
        f" SELECT id, '{cast.grave}', '{cast.secret}', 1, '2999-01-01' FROM palace_user",
        "INSERT INTO injection_citation (user_id, key, drawer_id)"
        f" SELECT user_id, '{cast.grave}', drawer_id FROM (SELECT user_id, min(id) AS drawer_id FROM drawer"
        " GROUP BY user_id) AS first",
        "INSERT INTO memory (user_id, drawer_id, type, state, origin, maker, importance, confidence, is_pinned, reason,"
        " evidence, alike, contradicts)"
        f" SELECT user_id, id, 'semantic', 'accepted', 'person', 'person', 0.5, 1, false, '{cast.query}',"
        " '{}', '{}', '{}' FROM (SELECT user_id, max(id) AS id FROM drawer GROUP BY user_id) AS last",
        "INSERT INTO work_action (user_id, drawer_id, ordinal, kind, key, subject, operation)"
        f" SELECT user_id, id, 99, 'file', '{cast.file}', '{cast.secret}', 'edit' FROM drawer",
        "INSERT INTO drawer_use (user_id, drawer_id) SELECT user_id, drawer_id FROM memory",
        "INSERT INTO setting (user_id, agent, name, value)"
        f" SELECT id, '{cast.former_wing}', 'rerank_model', to_jsonb('{cast.model}'::text) FROM palace_user",
        "INSERT INTO project (user_id, key, wing_id, sources)"
        f" SELECT user_id, '{cast.former_wing}', id, '{{mail}}'"
        " FROM (SELECT user_id, min(id) AS id FROM wing GROUP BY user_id) AS w",
        "INSERT INTO project_wing (user_id, key, wing_id)"
        f" SELECT user_id, '{cast.former_wing}', id"
        " FROM (SELECT user_id, min(id) AS id FROM wing GROUP BY user_id) AS w",
        "INSERT INTO api_key (user_id, label, digest, scopes) SELECT id, "
        f"'{cast.former_wing}', '{cast.grave}', '{{read}}' FROM palace_user",
        "INSERT INTO web_session (user_id, digest, expires_at)"
        f" SELECT id, '{cast.grave}', '2999-01-01' FROM palace_user",
        "INSERT INTO oauth_grant (user_id, key_id, client, client_name, redirect_uri, resource, scopes, code_digest,"
        " code_challenge, access_digest, access_until, expires_at)"
        f" SELECT user_id, id, '{cast.grave}', '{cast.former_wing}', '{cast.query}', '{cast.query}', '{{read}}',"
        f" '{cast.grave}', '{cast.grave}', '{cast.grave}', '2999-01-01', '2999-01-01' FROM api_key",
        f"INSERT INTO audit_entry (user_id, key, action, target) SELECT id, '{cast.number}', 'recall', '{cast.query}'"
        " FROM palace_user",
        "INSERT INTO stored_answer (user_id, key, request, expires_at)"
        f" SELECT id, '{cast.grave}', '{cast.grave}', '2999-01-01' FROM palace_user",
        f"INSERT INTO sync_peer (user_id, name, synced_at) SELECT id, '{cast.former_wing}', now() FROM palace_user",
        f"INSERT INTO sync_mark (user_id, purpose, digest) SELECT id, 'taken', '{cast.grave}' FROM palace_user",
        "INSERT INTO review_mark (user_id, kind, item, by) SELECT user_id, 'redacted', id, 0 FROM drawer",
        "INSERT INTO working_summary (user_id, identity, agent, summary, covered, stays, covers, failures, tried,"
        " model, revision, expires_at)"
        f" SELECT id, 'openai:summed', '', '{cast.secret}', 1, '{{}}', ARRAY['{cast.grave}'::bytea], 0, 0,"
        f" '{cast.model}', 1, '2999-01-01' FROM palace_user",
        *_planted_graph(cast.former_wing.lower(), cast.query),
    )


def _planted_graph(name: str, value: str) -> tuple[str, ...]:
    """Give the statements that put an entity of a name into a palace, with all that may hang on one."""
    return (
        "INSERT INTO entity (user_id, key, name, type, is_named, kinds)"
        f" SELECT id, '{name}', '{name}', 'item', true, ARRAY['{value}', 'dog'] FROM palace_user",
        "INSERT INTO alias (user_id, conversation_id, folded, name, type, is_named, count, family, kinds, entity_id)"
        f" SELECT user_id, id, '{name}', '{name}', 'item', true, 1, '{name}', ARRAY['{value}', 'dog'],"
        f" (SELECT id FROM entity WHERE key = '{name}') FROM conversation",
        "INSERT INTO mention (user_id, drawer_id, char_start, char_end, conversation_id, folded)"
        f" SELECT user_id, id, 0, 1, conversation_id, '{name}' FROM drawer",
        f"INSERT INTO known_name (user_id, drawer_id, folded) SELECT user_id, id, '{name}' FROM drawer",
        "INSERT INTO assertion (user_id, drawer_id, conversation_id, ordinal, subject, predicate, object, action,"
        " char_start, char_end)"
        f" SELECT user_id, id, conversation_id, 99, '{name}', 'has_code', '{value}', 'holds', 0, 1 FROM drawer",
        "INSERT INTO relation (user_id, subject_id, predicate, ordinal, object, is_single, from_precision, recorded_at)"
        f" SELECT user_id, id, 'has_code', 0, '{value}', false, 'day', '2026-01-01' FROM entity",
        "INSERT INTO evidence (user_id, relation_id, assertion_id, closes)"
        " SELECT user_id, id, (SELECT min(id) FROM assertion), false FROM relation",
        "INSERT INTO entity_decision (user_id, verb, decided)"
        f""" SELECT id, 'rename', '{{"name": "{name}", "type": "item", "other": "{name}", "other_type": "item"}}'"""
        " FROM palace_user",
    )
