"""Which value of a setting holds, for every setting and every level, and what two processes see of each other."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from palace import BadRequest, Palace, Settings, load_settings
from palace.config.table import SETTINGS, Setting, get_setting
from palace.operations.settings import levels_of
from palace.testing import HashingEmbedder

LEVELS = ("agent", "user", "program", "environment", "file", "default")
TEXTS: dict[str, tuple[str, ...]] = {
    # One of each kind, as said by agent, user, program, environment and file; never two the same, nor the default.
    "enabled": ("false", "true", "false", "true", "false"),
    "floor": ("strict", "low", "none", "strict", "low"),
    "gate": ("greeting", "tool", "knowledge", "none", "greeting,tool"),
    "top_k": ("31", "32", "33", "34", "35"),
    "similarity_threshold": ("0.1", "0.2", "0.3", "0.4", "0.5"),
    "rerank_model": tuple(f"{level}/model" for level in LEVELS[:5]),
    "secrets_off": ("", "key", "token", "password", "jwt"),
    "secrets_patterns": ("", "a=A1", "b=B2", '{"c": "C3"}', '{"d": "D4"}'),
}


def in_toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{name}" = "{text}"' for name, text in value.items()) + "}"
    return repr(list(value) if isinstance(value, tuple) else value)


def for_process(setting: Setting, text: str) -> object:
    """Give a value as the program's settings take it."""
    value = setting.read(text)
    if setting.name == "secrets_patterns":
        assert isinstance(value, tuple)
        return dict(pair.split("=", 1) for pair in value)
    return ",".join(value) or "none" if setting.name == "gate" and isinstance(value, tuple) else value


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tmp_path.chmod(0o700)
    monkeypatch.setenv("PALACE_HOME", str(tmp_path))
    return tmp_path


def holds(setting: Setting, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """See that of all who say something the first is right, from the default to the agent."""
    texts = dict(zip(LEVELS[:5], TEXTS[setting.name], strict=True))
    stored: dict[tuple[str, str], object] = {}
    for level in reversed(LEVELS):
        if level == "agent" and not setting.of_agents:
            continue
        if level == "file":
            (home / "config.toml").write_text(f"{setting.field} = {in_toml(for_process(setting, texts[level]))}\n")
        elif level == "environment":
            text = texts[level]
            written = f'["{text}"]' if setting.name == "secrets_off" else text
            monkeypatch.setenv(f"PALACE_{setting.field.upper()}", written)
        elif level in ("agent", "user"):
            value = setting.read(texts[level])
            stored["coder" if level == "agent" else "", setting.name] = (
                list(value) if isinstance(value, tuple) else value
            )
        given = {setting.field: for_process(setting, texts["program"])} if level in LEVELS[:3] else {}
        said = levels_of(load_settings(**given), stored, setting, "coder")
        assert said[0].level == level
        assert [each.level for each in said] == [
            each for each in LEVELS[LEVELS.index(level) :] if each != "agent" or setting.of_agents
        ]
        if level != "default" and setting.name == "secrets_patterns":
            # Patterns of program, environment and file hold side by side.
            assert set(setting.read(texts[level])) <= set(said[0].value)  # type: ignore[arg-type, call-overload]
        elif level != "default":
            assert said[0].value == setting.read(texts[level])


def test_the_first_who_says_anything_is_right(home: Path) -> None:
    for name in TEXTS:
        with pytest.MonkeyPatch.context() as patch:
            holds(get_setting(name), home, patch)
        (home / "config.toml").unlink()


def test_every_setting_can_be_explained(palace: Palace) -> None:
    assert [setting.name for setting in palace.settings.all()] == [setting.name for setting in SETTINGS]
    for setting in SETTINGS:
        shown = palace.settings.get(setting.name.upper().replace("_", "-"))
        assert shown.said[-1].level == "default"
        assert (shown.value, shown.level) == (shown.said[0].value, shown.said[0].level)
        assert shown.means
        assert shown.wants


CONTRADICTIONS: list[tuple[dict[str, object], str, object, str]] = [
    ({}, "working_memory", "summary_buffer", "wants a language model: set summary_model first"),
    ({}, "summary_target", 0.9, "summary_target 0.9 is above summary_trigger 0.85"),
    ({}, "summary_trigger", 0.5, "summary_target 0.7 is above summary_trigger 0.5"),
    ({"working_least": 9, "working_memory": "buffer_window"}, "working_messages", 8, "fewer than working_least 9"),
    ({}, "working_messages", 0, "working_messages must be a whole number from 1 to 100,000, not 0"),
    ({}, "summary_recent", 1, "summary_recent must be a number from 0.01 to 0.99, not 1"),
    ({}, "working_memory", "everything", "working_memory must be one of none, buffer_window"),
]


def test_what_contradicts_itself_is_refused_in_one_line(palace: Palace) -> None:
    for settings_first, name, value, told in CONTRADICTIONS:
        palace.settings.reset(agent="coder")
        for first, chosen in settings_first.items():
            palace.settings.set(first, chosen, agent="coder")
        before = palace.settings.effective("coder")
        with pytest.raises(BadRequest) as problem:
            palace.settings.set(name, value, agent="coder")
        assert told in str(problem.value)
        assert "\n" not in str(problem.value)
        assert palace.settings.effective("coder") == before


def test_what_another_program_sets_holds_in_the_next_turn(palace: Palace, settings: Settings) -> None:
    history = [{"role": role, "content": f"{role} {n}"} for n in range(30) for role in ("user", "assistant")]
    how = {"history": history, "session": "chat"}
    assert palace.turn("And now?", **how).left_out == 0  # type: ignore[arg-type]
    with Palace.open(settings, user=palace.user, embedder=HashingEmbedder()) as other:
        other.settings.set("working_memory", "buffer_window")
    assert palace.turn("And now?", **how).left_out  # type: ignore[arg-type]


def test_of_what_two_set_at_once_nothing_is_lost(palace: Palace, settings: Settings) -> None:
    names = [("top_k", "injection_tokens"), ("working_tokens", "working_messages")]
    failed: list[BaseException] = []

    def set_some(mine: tuple[str, ...], agent: str) -> None:
        try:
            with Palace.open(settings, user=palace.user, embedder=HashingEmbedder()) as opened:
                for number in range(1, 6):
                    for name in mine:
                        opened.settings.set(name, number, agent=agent or None)
        except BaseException as problem:  # noqa: BLE001 — told below
            failed.append(problem)

    threads = [threading.Thread(target=set_some, args=(mine, agent)) for mine in names for agent in ("", "coder")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    for agent in (None, "coder"):
        assert [palace.settings.get(name, agent=agent).value for pair in names for name in pair] == [5] * 4
