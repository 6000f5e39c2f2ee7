"""What somebody's graph holds, as a function of the store could be given it by somebody else."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from palace.files.hidden import HiddenParts
from palace.files.lines import ConversationLine, DrawerLine, ReplyLine, RoomLine, SettingLine, WingLine
from palace.graph.resolve import Resolved
from palace.records import Role, WingKind
from palace.records.graph import Action, Alias, Claim, DecisionVerb, EntityType, FoldedRelation, Overtaken, Precision
from palace.store.database import UserSession
from palace.store.graph.asked import Moments
from palace.store.graph.decisions import NewDecision
from palace.store.graph.naming import Asking
from palace.store.graph.readings import NewAlias, NewAssertion, NewMention, NewReading
from palace.store.graph.relations import Group, NewRelations
from palace.store.transfer.decisions import iter_decisions
from palace.transfer.load import new_drawer

LEARNED = datetime(2026, 1, 1, tzinfo=UTC)


PLANTED_PARTS = HiddenParts(
    wing=WingLine(1, "planted", "Planted", WingKind.TOPIC, 1, LEARNED, ()),
    conversation=ConversationLine("openai:planted", "openai", None, 1, LEARNED),
    room=RoomLine("", 1, 1, "Planted", None, 1, LEARNED, ()),
    drawer=DrawerLine("", 1, 1, b"planted", 0, Role.USER, None, None, LEARNED, False, False, "Planted"),
    grave=None,
    replaces=(b"planted",),
    answered_by=(b"planted",),
    replies=(),
)


def planted_graph(name: str, value: str) -> tuple[str, ...]:
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


def _replied(session: UserSession) -> Any:
    """Read a drawer, and the conversation it is of."""
    query = sa.text(
        "SELECT c.identity, d.identity AS drawer FROM drawer AS d JOIN conversation AS c ON c.id = d.conversation_id"
        " AND c.user_id = :user_id WHERE d.user_id = :user_id ORDER BY d.id LIMIT 1"
    )
    return session.connection.execute(query, {"user_id": session.user_id}).one()


def _reply(about: Any) -> ReplyLine:
    empty: dict[str, Any] = {"entities": [], "assertions": []}
    return ReplyLine(b"\x05" * 32, "planted", 1, (bytes(about.drawer),), empty, LEARNED)


def _first(session: UserSession, table: str) -> int:
    query = sa.text(f"SELECT min(id) FROM {table} WHERE user_id = :user_id")
    return int(session.connection.execute(query, {"user_id": session.user_id}).scalar_one())


def graph_loot(session: UserSession, values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Give what functions of the graph are called with, by function."""
    query = sa.text("SELECT id, key FROM entity WHERE user_id = :user_id ORDER BY id DESC LIMIT 1")
    entity_id, key = session.connection.execute(query, {"user_id": session.user_id}).one()
    assertion_id, relation_id = _first(session, "assertion"), _first(session, "relation")
    asked = {"moments": Moments(), "most": 100}
    conversation_id, drawer_id = values["conversation_id"], values["drawer_id"]
    reply = _replied(session)
    group, place = Group(entity_id, "has_code"), (conversation_id, key)
    folded = FoldedRelation("4", "4", None, None, Precision.DAY, None, None, LEARNED, None, (assertion_id,))
    overtaken = Overtaken(assertion_id, LEARNED, assertion_id)
    families, entities = {"families": {key}}, {"entity_ids": {entity_id}}
    return {
        "graph.asked.list_relations_of": entities | asked,
        "graph.asked.list_relations_at": asked,
        "graph.asked.get_relations": {"ids": [relation_id], "believed": None},
        "graph.asked.list_going_by": {"folded": key},
        "graph.asked.get_named": {"entity_ids": [entity_id]},
        "graph.readings.replace_reading": {"reading": _reading(drawer_id)},
        "graph.entities.list_aliases": families | {"but": ""},
        "graph.entities.list_called": families,
        "graph.entities.list_held": families | {"predicates": ["works_at"]},
        "graph.entities.list_folded": families,
        "graph.entities.list_families_of": {"names": {key}},
        "graph.decisions.list_decisions": {"undone": True, "decision_id": _decision_id(session)},
        "graph.decisions.add_decision": {"new": _decided(key, conversation_id), "at": LEARNED},
        "graph.decisions.take_back_decision": {"decision_id": _decision_id(session), "at": LEARNED},
        "transfer.decisions.file_decisions": {"lines": list(iter_decisions(session))},
        "transfer.replies.file_replies": {"identity": reply.identity, "lines": [_reply(reply)]},
        "graph.kinds.list_around": {"width": 60},
        "graph.kinds.keep_kinds": {"kinds": {place: ["planted"]}},
        "graph.kinds.fold_kinds": entities,
        "graph.kinds.find_of_kinds": {"kinds": {"planted", "dog"}, "most": 9},
        "graph.kinds.stems_of": {"words": [key]},
        "graph.entities.list_standing": {"keys": {place}},
        "graph.entities.write_entities": {"resolved": [Resolved(key, "planted", EntityType.ITEM, True, (place,))]},
        "graph.entities.assign_entities": {"assigned": {place: entity_id}},
        "graph.entities.drop_unnamed": entities,
        "graph.entities.settle": {"key": "i", "name": "planted"},
        "graph.asked.list_changes": {"drawer_ids": [drawer_id]},
        "graph.relations.list_groups": {"conversation_id": None} | entities,
        "graph.relations.list_groups_held": entities,
        "graph.relations.list_assertions": {"groups": [group]},
        "graph.relations.write_relations": {
            "folded": [NewRelations(group, True, (folded,), (overtaken,))],
            "drawers": {assertion_id: drawer_id},
        },
        **_listed(entity_id, key, drawer_id),
        **_set(),
    }


def _set() -> dict[str, dict[str, Any]]:
    """Give what settings are read and written by."""
    return {
        "changes.hidden.hide": {"parts": [PLANTED_PARTS], "due_at": LEARNED},
        "changes.hidden.drop_hidden": {},
        "transfer.hiding.put_back": {"parts": [PLANTED_PARTS], "drawers": [new_drawer(PLANTED_PARTS.drawer, UTC)]},
        "transfer.hiding.link_back": {"parts": [PLANTED_PARTS]},
        "settings.stored.erase_settings": {"names": ["rerank_model"]},
        "settings.stored.write_setting": {"name": "rerank_model"},
        "settings.stored.follow_setting": {"name": "rerank_model"},
        "transfer.settings.file_settings": {"lines": [SettingLine("planted", "top_k", 3, LEARNED)]},
    }


def _listed(entity_id: int, key: str, drawer_id: int) -> dict[str, dict[str, Any]]:
    """Give what lists and finds entities."""
    entities = {"entity_ids": {entity_id}}
    return {
        "graph.listing.list_entities": {"type": None, "everything": True},
        "graph.listing.get_entities": {"entity_ids": [entity_id]},
        "graph.listing.find_going_by": {"folded": key},
        "graph.listing.find_called": {"folded": key, "where": None},
        "graph.listing.list_latest_naming": {"entity_ids": [entity_id]},
        "graph.listing.list_names": {"most": 9},
        "graph.listing.list_aliases_of": {"entity_id": entity_id},
        "graph.naming.list_entity_names": entities,
        "graph.naming.find_named": {"folded": [key], "self_key": "i"},
        "graph.naming.find_self": {"self_key": key, "predicates": ["lives_in"]},
        "graph.naming.list_naming": {"most": 9} | entities,
        "graph.naming.list_named_in": {"drawer_ids": [drawer_id]} | entities,
        "graph.tags.list_tagged": {"most": 9} | entities,
        "graph.tags.list_tagged_in": {"drawer_ids": [drawer_id]} | entities,
        "graph.tags.list_called_so": {"folded": [key], "self_key": "i"},
        "graph.tags.list_names_beginning": {"words": [key], "most": 9},
        "graph.tags.list_new_names": {"drawer_id": drawer_id, "most": 9},
        "graph.tags.list_drawers_naming": {"names": [key], "most": 9},
        "graph.tags.drop_untold_names": {"names": [key]},
        "graph.tags.add_known_names": {"found": [(drawer_id, key)]},
        "graph.tags.replace_known_names": {
            "looked_for": [key],
            "found": [(drawer_id, key)],
        },
        "graph.tags.list_tags": {"drawer_ids": [drawer_id], "self_key": "i", "most": 20, "as_said": True},
        "graph.naming.list_told": {"asking": Asking(["has_code"], None, (), 9), "self_key": "i"} | entities,
    }


def _decision_id(session: UserSession) -> int:
    query = sa.text("SELECT count(*) FROM entity_decision WHERE user_id = :user_id")
    return int(session.connection.execute(query, {"user_id": session.user_id}).scalar_one())


def _decided(key: str, conversation_id: int) -> NewDecision:
    return NewDecision(DecisionVerb.SPLIT, key, EntityType.ITEM, "planted", EntityType.ITEM, (conversation_id,))


def _reading(drawer_id: int) -> NewReading:
    alias = NewAlias(Alias(0, "planted", "Planted", EntityType.ITEM, True, 1), "planted")
    claim = Claim("planted", "has_code", "4", Action.HOLDS, 0, 1)
    return NewReading(
        (alias,),
        (NewMention(drawer_id, 0, 1, "planted"),),
        (NewAssertion(drawer_id, 0, claim, "planted", None),),
    )
