"""Which value of a setting holds, for every setting and every level, and what two processes see of each other."""

from __future__ import annotations

import subprocess
import sys
import threading
import uuid
from pathlib import Path

import pytest

from palace import BadRequest, Palace
from palace.settings import Settings, load_settings
from palace.settings.personal.process import said_of
from palace.settings.personal.table import SETTINGS, Setting, get_setting
from palace.testing import HashingEmbedder
from palace.turns import TurnOptions

LEVELS = ("agent", "user", "program", "environment", "file", "default")
TEXTS: dict[str, tuple[str, ...]] = {
    # What is said by agent, user, program, environment and file; never two the same, nor the default.
    "enabled": ("false", "true", "false", "true", "false"),
    "auto_mine": ("false", "true", "false", "true", "false"),
    "use_rerank": ("true", "false", "true", "false", "true"),
    "floor": ("strict", "low", "none", "strict", "low"),
    "gate": ("greeting", "tool", "knowledge", "none", "greeting,tool"),
    "query_strategy": ("prepend", "llm", "rewrite", "hyde", "prepend"),
    "injection": ("memories", "none", "memory_context", "memories", "none"),
    "working_memory": ("buffer_window", "token_window", "summary_buffer", "none", "token_window"),
    "secrets_off": ("", "key", "token", "password", "jwt"),
    "secrets_allowed": ("", "one", "two", "three", "four"),
    "secrets_patterns": ("", "a=A1", "b=B2", '{"c": "C3"}', '{"d": "D4"}'),
}
NUMBERS = ("0.1", "0.2", "0.3", "0.4", "0.5")


def texts_of(setting: Setting) -> tuple[str, ...]:
    if setting.name in TEXTS:
        return TEXTS[setting.name]
    if setting.name.endswith("model"):
        return tuple(f"{level}/model" for level in LEVELS[:5])
    return NUMBERS if setting.accepts(0.1) else tuple(str(number) for number in range(31, 36))


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


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_the_first_who_says_anything_is_right(setting: Setting, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = dict(zip(LEVELS[:5], texts_of(setting), strict=True))
    stored: dict[tuple[str, str], object] = {}
    for level in reversed(LEVELS):
        if level == "agent" and not setting.of_agents:
            continue
        if level == "file":
            (home / "config.toml").write_text(f"{setting.field} = {in_toml(for_process(setting, texts[level]))}\n")
        elif level == "environment":
            text = texts[level]
            is_list = setting.name in ("secrets_off", "secrets_allowed")
            monkeypatch.setenv(f"PALACE_{setting.field.upper()}", f'["{text}"]' if is_list else text)
        elif level in ("agent", "user"):
            value = setting.read(texts[level])
            stored["coder" if level == "agent" else "", setting.name] = (
                list(value) if isinstance(value, tuple) else value
            )
        given = {setting.field: for_process(setting, texts["program"])} if level in LEVELS[:3] else {}
        said = said_of(load_settings(**given), stored, setting, "coder")
        assert said[0].level == level
        assert [each.level for each in said] == [
            each for each in LEVELS[LEVELS.index(level) :] if each != "agent" or setting.of_agents
        ]
        if level != "default" and setting.name == "secrets_patterns":
            # Patterns of program, environment and file hold side by side.
            assert set(setting.read(texts[level])) <= set(said[0].value)  # type: ignore[arg-type]
        elif level != "default":
            assert said[0].value == setting.read(texts[level])


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_setting_can_be_explained(setting: Setting, palace: Palace) -> None:
    shown = palace.settings.get(setting.name.upper().replace("_", "-"))
    assert shown.said[-1].level == "default"
    assert (shown.value, shown.level) == (shown.said[0].value, shown.said[0].level)
    assert shown.means
    assert shown.wants


def test_an_argument_of_the_call_goes_before_everything(palace: Palace) -> None:
    for number in range(4):
        palace.note(f"The boat has a sail with number {number}")
    palace.settings.set("top_k", 2)
    palace.settings.set("top_k", 3, agent="coder")
    assert len(palace.recall("boat sail number", agent="coder", top_k=1).hits) == 1


@pytest.mark.parametrize(
    ("settings_first", "name", "value", "told"),
    [
        ({}, "working_memory", "summary_buffer", "wants a language model: set summary_model first"),
        ({}, "summary_target", 0.9, "summary_target 0.9 is above summary_trigger 0.85"),
        ({}, "summary_trigger", 0.5, "summary_target 0.7 is above summary_trigger 0.5"),
        ({"working_least": 9, "working_memory": "buffer_window"}, "working_messages", 8, "fewer than working_least 9"),
        ({}, "working_messages", 0, "working_messages must be a whole number from 1 to 100,000, not 0"),
        ({}, "working_tokens", 0, "working_tokens must be a whole number from 1"),
        ({}, "summary_recent", 1, "summary_recent must be a number from 0.01 to 0.99, not 1"),
        ({}, "working_memory", "everything", "working_memory must be one of none, buffer_window"),
    ],
)
def test_what_contradicts_itself_is_refused_in_one_line(
    palace: Palace, settings_first: dict[str, object], name: str, value: object, told: str
) -> None:
    for first, chosen in settings_first.items():
        palace.settings.set(first, chosen, agent="coder")
    before = palace.settings.effective("coder")
    with pytest.raises(BadRequest) as problem:
        palace.settings.set(name, value, agent="coder")
    assert told in str(problem.value)
    assert "\n" not in str(problem.value)
    assert palace.settings.effective("coder") == before


def test_a_model_that_sums_up_without_a_key_warns(palace: Palace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert palace.settings.set("summary_model", "openai/gpt-4o-mini").warnings == ()
    shown = palace.settings.set("working_memory", "summary_buffer")
    assert shown.warnings == (
        "openai/gpt-4o-mini has no key here: set OPENAI_API_KEY; until then older messages are left out without a"
        " summary, with a warning",
    )


def test_what_another_process_sets_holds_in_the_next_turn(palace: Palace, settings: Settings) -> None:
    history = [{"role": role, "content": f"{role} {n}"} for n in range(30) for role in ("user", "assistant")]
    how = {"history": history, "session": "chat"}
    assert palace.turn("And now?", **how).left_out == 0  # type: ignore[arg-type]
    script = """
import sys
from palace import Palace
from palace.settings import Settings
with Palace.open(Settings(database_url=sys.argv[1], home=sys.argv[2]), user=sys.argv[3]) as palace:
    palace.settings.set("working_memory", "buffer_window")
"""
    assert settings.database_url is not None
    told = [settings.database_url.get_secret_value(), str(settings.home), palace.user]
    subprocess.run([sys.executable, "-c", script, *told], check=True, capture_output=True)
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


def test_two_who_contradict_each_other_at_once_are_not_both_heeded(palace: Palace, settings: Settings) -> None:
    for _ in range(5):
        palace.settings.reset()
        refused: list[str] = []

        def set_one(name: str, value: object, refused: list[str] = refused) -> None:
            with Palace.open(settings, user=palace.user, embedder=HashingEmbedder()) as opened:
                try:
                    opened.settings.set(name, value)
                except BadRequest as problem:
                    refused.append(str(problem))

        pair = [("floor", "none"), ("similarity_threshold", 0.5)]
        threads = [threading.Thread(target=set_one, args=each) for each in pair]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(refused) == 1


def test_a_user_with_settings_alone_can_be_forgotten(settings: Settings) -> None:
    name = f"user-{uuid.uuid4()}"
    with Palace.open(settings, user=name, embedder=HashingEmbedder()) as palace:
        palace.settings.set("top_k", 3)
        palace.forget_everything()
        assert palace.settings.effective().top_k is None


def test_options_of_a_program_and_settings_of_secrets_do_not_meet(palace: Palace) -> None:
    palace.settings.set("secrets_off", "key")
    assert not hasattr(palace.settings.effective(), "secrets_off")
    assert palace.turn("Hello", options=TurnOptions(timeout=30)).notes == ()
    assert get_setting("secrets_off").is_of_secrets
