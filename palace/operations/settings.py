"""Set, reset and explain the settings of a user or an agent."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import partial

from palace.ai.provider import missing_keys
from palace.cancellation import Cancellation
from palace.config.effective import Effective, Stored, check_consistent, is_said, value_of_process
from palace.config.settings import CONFIGURATION_FILE, Settings, configured_home
from palace.config.table import SETTINGS, Setting, Value, check_agent, get_setting, pairs_of
from palace.config.trust import read_configuration
from palace.db.database import UserSession
from palace.db.settings import all_settings, erase_settings, lock_settings, write_setting
from palace.errors import BadRequest, PalaceError
from palace.models import OnProgress
from palace.models.settings import SettingLevel, SettingSaid, ShownSetting
from palace.opened import Verbs

MOST_AGENTS = 1_000
"""Agents of one user with settings of their own, at most."""


class SettingVerbs(Verbs):
    """The user's own settings, which an agent can override; docs/settings.md lists them."""

    def effective(self, agent: str | None = None) -> Effective:
        """Return all settings that apply to an agent, or to the user."""
        return self._opened.effective(agent)

    def all(self, *, agent: str | None = None) -> tuple[ShownSetting, ...]:
        """List every setting with the value for an agent, or for the user, and the level it comes from."""
        name, stored = self._held(agent)
        return tuple(self._shown(setting, stored, name) for setting in SETTINGS)

    def get(self, name: str, *, agent: str | None = None) -> ShownSetting:
        """Return one setting with its effective value, and the values of all levels.

        Raises:
            BadRequest: there is no such setting, or the agent has no name.
        """
        setting = get_setting(name)
        of, stored = self._held(agent)
        return self._shown(setting, stored, of, said=True)

    def set(
        self,
        name: str,
        value: object,
        *,
        agent: str | None = None,
        progress: OnProgress | None = None,
        cancel: Cancellation | None = None,
    ) -> ShownSetting:
        """Set a value for the user, or for an agent; values of lower levels are kept, and apply again after a reset.

        ``embedding_model`` applies to the whole palace: setting another model embeds everything again beside the old
        embeddings, and takes effect once that is complete (``palace.embeddings.switch``).

        Raises:
            BadRequest: there is no such setting, the value is invalid, or it contradicts another.
            EmbeddingError: the new model does not answer; nothing is set.
            Cancelled: ``cancel`` was cancelled during the embedding.
        """
        setting, of = get_setting(name), check_agent(agent)
        if of and not setting.of_agents:
            raise BadRequest(f"{setting.name} is of the whole palace: set it without an agent")
        taken = setting.check(value)
        if setting.is_of_secrets:
            check_rules(setting.name, taken)
        self._opened.database.shared.check_schema()
        if setting.name == "embedding_model":
            assert isinstance(taken, str)
            self._embed_with(taken, progress, cancel)
        stored = self._opened.run(partial(self._write, setting=setting, agent=of, value=taken))
        self._know_rules([setting])
        shown = self._shown(setting, stored, of, said=True)
        effective = Effective.of(self._opened.settings, stored, of)
        warnings = (*key_warnings(setting.name, effective), *rule_warnings(self._opened.settings, setting, shown.value))
        return replace(shown, warnings=warnings)

    def reset(self, name: str | None = None, *, agent: str | None = None) -> tuple[ShownSetting, ...]:
        """Remove a value, or all values of the user or an agent; return the settings as they are now.

        Raises:
            BadRequest: there is no such setting, or the remaining values contradict each other.
        """
        of = check_agent(agent)
        chosen = SETTINGS if name is None else (get_setting(name),)
        self._opened.database.shared.check_schema()

        def erase(session: UserSession) -> Stored:
            lock_settings(session)
            erase_settings(session, of, [setting.name for setting in chosen])
            return self._checked(session, of)

        stored = self._opened.run(erase)
        self._know_rules(chosen)
        return tuple(self._shown(setting, stored, of) for setting in chosen)

    def _know_rules(self, changed: Sequence[Setting]) -> None:
        """Update the local copy of redaction rules, which is used while the database is away."""
        if any(setting.is_of_secrets for setting in changed):
            from palace.agent.known_rules import KnownRules
            from palace.operations.outbox import outbox_of

            outbox = outbox_of(self._opened.settings, self._opened.user)
            self._opened.run(KnownRules(self._opened.settings, outbox.rules_path).find)

    def agents(self) -> tuple[str, ...]:
        """List the agents that have settings of their own."""
        return tuple(sorted({agent for agent, _ in self._opened.run(all_settings) if agent}))

    def _held(self, agent: str | None) -> tuple[str, Stored]:
        of = check_agent(agent)
        return of, self._opened.run(all_settings)

    def _write(self, session: UserSession, *, setting: Setting, agent: str, value: Value) -> Stored:
        lock_settings(session)
        write_setting(session, agent, setting.name, list(value) if isinstance(value, tuple) else value)
        return self._checked(session, agent)

    def _checked(self, session: UserSession, agent: str) -> Stored:
        """Validate all settings together before they are committed."""
        stored = all_settings(session)
        agents = {of for of, _ in stored} - {""}
        if len(agents) > MOST_AGENTS:
            raise BadRequest(f"{MOST_AGENTS:,} agents have settings of their own: reset those of one first")
        check_consistent(self._opened.settings, stored, agents if not agent else {agent})
        return stored

    def _embed_with(self, model: str, progress: OnProgress | None, cancel: Cancellation | None) -> None:
        if self._opened.find_generation() is not None:
            from palace.operations.embeddings import EmbeddingVerbs  # most calls only read

            EmbeddingVerbs(self._opened).switch(model, progress=progress, cancel=cancel)
        else:
            # Nothing is embedded yet: refuse an invalid name now, not at the first mining.
            self._opened.embedders.named(model)

    def _shown(self, setting: Setting, stored: Stored, agent: str, *, said: bool = False) -> ShownSetting:
        levels = levels_of(self._opened.settings, stored, setting, agent)
        return ShownSetting(
            name=setting.name,
            value=levels[0].value,
            level=levels[0].level,
            means=setting.means,
            wants=setting.kind.wanted,
            agent=agent or None,
            said=tuple(levels) if said else (),
        )


def levels_of(settings: Settings, stored: Stored, setting: Setting, agent: str) -> list[SettingSaid]:
    """List the values of a setting by level, the effective one first; the default is always included."""
    levels = []
    if agent and is_said(stored, setting, agent):
        levels.append(SettingSaid(SettingLevel.AGENT, agent, setting.check(stored[agent, setting.name])))
    if is_said(stored, setting, ""):
        levels.append(SettingSaid(SettingLevel.USER, "", setting.check(stored["", setting.name])))
    return [*levels, *_levels_of_process(settings, setting)]


def _levels_of_process(settings: Settings, setting: Setting) -> list[SettingSaid]:
    outside = _joined(setting, [*_in_environment(setting), *_in_file(setting)])
    levels: list[SettingSaid] = []
    held = value_of_process(settings, setting)
    if setting.field in settings.model_fields_set and held not in [each.value for each in outside[:1]]:
        levels.append(SettingSaid(SettingLevel.PROGRAM, "Palace.open(settings)", held))
    default = Settings.model_fields[setting.field].get_default(call_default_factory=True)
    return [
        *levels,
        *outside,
        SettingSaid(SettingLevel.DEFAULT, "", None if default is None else setting.check(default)),
    ]


def _joined(setting: Setting, outside: list[SettingSaid]) -> list[SettingSaid]:
    """For a setting of named values, merge those of the file into those of the environment."""
    if not setting.kind.is_mapping or len(outside) < 2:
        return outside
    tables = [pairs_of(said.value) for said in reversed(outside) if isinstance(said.value, tuple)]
    both = {name: text for table in tables for name, text in table.items()}
    return [replace(outside[0], value=setting.check(both)), *outside[1:]]


def _in_environment(setting: Setting) -> list[SettingSaid]:
    wanted = f"PALACE_{setting.field.upper()}"
    for name, text in os.environ.items():
        if name.upper() == wanted and setting.accepts(setting.kind.read(text)):
            return [SettingSaid(SettingLevel.ENVIRONMENT, name, setting.read(text))]
    return []


def _in_file(setting: Setting) -> list[SettingSaid]:
    file = configured_home() / CONFIGURATION_FILE
    value = read_configuration(file).get(setting.field)
    if value is None or not setting.accepts(value):
        return []
    return [SettingSaid(SettingLevel.FILE, str(file), setting.check(value))]


_MODEL_OF = {
    "use_rerank": "rerank_model",
    "rerank_model": "rerank_model",
    "query_model": "query_model",
    "query_strategy": "query_model",
    "summary_model": "summary_model",
    "working_memory": "summary_model",
}
_INSTEAD = {
    "rerank_model": "hits stay in their order",
    "query_model": "queries are written without it",
    "summary_model": "older messages are left out without a summary, or their state is made by rule",
}


def key_warnings(name: str, effective: Effective) -> tuple[str, ...]:
    """Warn about the missing key of a model that a setting names; the setting is kept."""
    is_called = {
        "rerank_model": effective.use_rerank or name == "rerank_model",
        "query_model": effective.query_strategy not in ("local", "prepend"),
        "summary_model": effective.working_memory in ("summary_buffer", "current_state"),
    }
    about = _MODEL_OF.get(name)
    model = getattr(effective, about) if about and is_called[about] else None
    missing = missing_keys(model) if model else ()
    if about is None or not missing:
        return ()
    return (f"{model} has no key here: set {missing[0]}; until then {_INSTEAD[about]}, with a warning",)


LONGEST = 10_000
"""Characters of JSON in one value, at most: each filing reads it, and exports include it."""


def check_rules(name: str, value: Value) -> None:
    """Check that redaction rules are usable.

    Raises:
        BadRequest: one is not, with the reason in one line.
    """
    # The rules are imported only where they are set.
    from palace.mining.redaction import patterns_of
    from palace.nlp.secrets import Rules

    assert isinstance(value, tuple)
    if len(json.dumps(value)) > LONGEST:
        raise BadRequest(f"{name} has more than {LONGEST:,} characters: say less, or use config.toml")
    if name == "secrets_off":
        _check_names(value)
    if name == "secrets_patterns":
        try:
            Rules(patterns_of(value))
        except PalaceError as problem:
            raise BadRequest(str(problem)) from problem


def rule_warnings(settings: Settings, setting: Setting, value: object) -> tuple[str, ...]:
    """Warn about patterns of the environment or the file that no longer apply."""
    if setting.name != "secrets_patterns" or not isinstance(value, tuple):
        return ()
    outside = value_of_process(settings, setting)
    others = pairs_of(outside).keys() - pairs_of(value).keys() if isinstance(outside, tuple) else set()
    if not others:
        return ()
    return (
        f"{', '.join(sorted(others))} of the environment or config.toml will not be taken out any more:"
        " name them too, or reset this",
    )


def _check_names(names: Sequence[str]) -> None:
    from palace.nlp.secrets import KINDS, known_rules

    known = {*KINDS, *known_rules()}
    for name in names:
        if name not in known:
            alike = get_close_matches(name, known, n=1)
            meant = f": did you mean {alike[0]!r}?" if alike else f"; kinds are {', '.join(KINDS)}"
            raise BadRequest(f"there is no kind or rule of secrets {name[:80]!r}{meant}")
