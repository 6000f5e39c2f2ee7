"""Run commands for the command line in a worker, over the socket for hooks: recall and note."""

from __future__ import annotations

import pickle
from base64 import b64encode
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from palace.config.zones import in_zone
from palace.models import Drawer, Recollection
from palace.nlp.secrets.numbers import with_accounts
from palace.opened import OpenPalace
from palace.operations.mine import note, note_of
from palace.operations.recall import narrowed, recall_captured, request_of, scope_in
from palace.operations.tree import TreeVerbs
from palace.recall.pack import memory_context

MOMENTS = ("since", "until", "now", "said_at")
NARROWING = ("since", "until", "tools", "role", "speaker", "language")


def carry_out(opened: OpenPalace, command: str, given: Mapping[str, Any]) -> str:
    """Run a command with its arguments; return the worker's time zone and the result, pickled in Base64."""
    moments = {name: datetime.fromisoformat(given[name]) for name in MOMENTS if given.get(name)}
    done = {"recall": _recall, "note": _note}[command](opened, {**given, **moments})
    return b64encode(pickle.dumps((opened.settings.timezone, done))).decode()


def _recall(opened: OpenPalace, given: dict[str, Any]) -> tuple[Recollection, str | None]:
    within = narrowed(opened, scope_in(opened, given["wing"]), **{name: given[name] for name in NARROWING})
    numbers = {name: given[name] for name in ("top_k", "context", "now")}
    request = request_of(opened, given["query"], within, **numbers)
    effective, basis = opened.effective_and_basis(given["agent"])
    options = {name: given[name] for name in ("floor", "order", "rerank")}
    found = recall_captured(opened, request, effective, **options, basis=basis)
    if not given["block"]:
        return found, None
    block = memory_context(found, token_budget=1500, zone=opened.settings.zone)
    return found, with_accounts(block, opened.effective(None).accounts)


def _note(opened: OpenPalace, given: dict[str, Any]) -> tuple[Drawer, bool]:
    """File a note; also return whether it is in another wing than the requested one."""
    said_at = given["said_at"] or in_zone(given["now"], opened.settings.zone)
    handed = note_of(opened, given["text"], wing=given["wing"], said_at=said_at, id=given["id"])
    drawer = note(opened, handed, keeps_secrets=given["keep_secrets"], background=True)
    is_elsewhere = given["wing"] is not None and TreeVerbs(opened).wing(given["wing"]).number != drawer.pointer.wing
    return drawer, is_elsewhere
