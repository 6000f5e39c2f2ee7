"""Why a hook answers a prompt as it does: each step, with what it decided. Nothing is written down for it."""

from __future__ import annotations

import os

from palace.errors import BadRequest
from palace.hooks.answering.asked.bearing import LEAST, bearing
from palace.hooks.answering.asked.looking import Looked, look_up
from palace.hooks.answering.asked.worth import why_not
from palace.hooks.answering.recalling import written_of
from palace.hooks.contract.events import Harness, HookEvent, Moment
from palace.hooks.sessions import Session
from palace.intake import given
from palace.opened import OpenPalace
from palace.projects import written_out
from palace.records import Drawer, Hit, HookHit, HookReason, ProjectScope
from palace.store.tree import list_wings
from palace.verbs.projects import project_scope

SHOWN = 120
"""Characters of a drawer that are told."""


def explain_hook(opened: OpenPalace, prompt: str, folder: str | os.PathLike[str], agent: str) -> HookReason:
    """Answer a prompt as in a new session, and say why.

    Raises:
        BadRequest: there is no such agent, or an argument is of a wrong type; others where recall failed.
    """
    prompt, at = given.text("prompt", prompt), given.text("folder", os.fspath(folder))
    if agent not in {*Harness}:
        raise BadRequest(f"agent must be one of {', '.join(Harness)}, not {agent!r}")
    return _explained(opened, prompt, written_out(at), Harness(agent))


def _explained(opened: OpenPalace, prompt: str, folder: str, harness: Harness) -> HookReason:
    where, effective = project_scope(opened, folder), opened.effective(harness.value)
    is_on = effective.enabled and opened.settings.hooks
    silent = _silent_before(prompt, where, harness, is_enabled=is_on)
    if silent:
        return HookReason(prompt, where.key, _wings(opened, where), "", "", "", None, (), silent, "")
    looked = look_up(opened, HookEvent(harness, Moment.PROMPT, prompt=prompt), Session(folder), where, effective)
    block = written_of(opened, looked, effective).block
    entry = looked.entry
    kept = {hit.drawer.id for hit in looked.kept[: looked.wanted]}
    return HookReason(
        prompt,
        where.key,
        _wings(opened, where),
        entry.decision.rule,
        entry.decision.reason,
        entry.stance.value,
        entry.least if entry.is_searched else None,
        tuple(_told(hit, looked, is_kept=hit.drawer.id in kept) for hit in looked.hits[: looked.wanted]),
        "" if block else _silent_behind(looked),
        block,
    )


def _silent_before(prompt: str, where: ProjectScope, harness: Harness, *, is_enabled: bool) -> str:
    if not is_enabled:
        return f"memory is switched off for {harness.value}"
    if not where.key:
        return "no project lies in this folder"
    if not where.wing_ids:
        return "nothing was filed for this project yet, and no wing is listed for it"
    return why_not(prompt)


def _silent_behind(looked: Looked) -> str:
    entry = looked.entry
    if not entry.is_searched:
        return f"the gate passes it over: {entry.decision.reason}"
    if not looked.hits:
        return "nothing relevant was found"
    if not looked.kept:
        best = max(_bears(hit, looked) for hit in looked.hits)
        return f"the best that was found bears {best:.2f} on it, and {entry.least:.2f} is asked for"
    return "what was found does not fit, or is written as nothing (`injection`, `injection_tokens`)"


def _bears(hit: Hit, looked: Looked) -> float:
    return bearing(hit) if looked.entry.stance in LEAST else hit.confidence or 0.0


def _told(hit: Hit, looked: Looked, *, is_kept: bool) -> HookHit:
    said = _said(hit.drawer, hit)
    return HookHit(hit.drawer.pointer, said, hit.confidence, hit.coverage, _bears(hit, looked), is_kept)


def _said(drawer: Drawer, hit: Hit) -> str:
    part = drawer.content[slice(*(hit.sentence or hit.passage))].strip()
    return part if len(part) <= SHOWN else part[: SHOWN - 1] + "…"


def _wings(opened: OpenPalace, where: ProjectScope) -> tuple[str, ...]:
    allowed = {*where.wing_ids}
    return tuple(wing.name for wing in opened.run(list_wings) if wing.id in allowed)
