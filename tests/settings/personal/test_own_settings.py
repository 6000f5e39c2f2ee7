"""Settings of a user's own and of their agents: what holds, what is refused, what recall does with them."""

from __future__ import annotations

import pytest

from palace import BadRequest, EmbeddingError, Palace
from palace.testing import HashingEmbedder


def test_a_value_of_the_agent_goes_before_the_users(palace: Palace) -> None:
    palace.settings.set("top_k", 8)
    palace.settings.set("top_k", 3, agent="coder")
    held = [palace.settings.effective(agent).top_k for agent in (None, "coder", "writer")]
    assert held == [8, 3, 8]
    assert palace.settings.agents() == ("coder",)
    (shown,) = palace.settings.reset("top_k", agent="coder")
    assert (shown.value, shown.level) == (8, "user")
    palace.settings.reset()
    assert palace.settings.effective().top_k is None


def test_explaining_lists_every_level(palace: Palace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALACE_RERANK", "true")
    palace.settings.set("use_rerank", False)
    palace.settings.set("use_rerank", True, agent="coder")
    said = palace.settings.get("use_rerank", agent="coder").said
    assert [(each.level, each.where, each.value) for each in said if each.level != "program"] == [
        ("agent", "coder", True),
        ("user", "", False),
        ("environment", "PALACE_RERANK", True),
        ("default", "", False),
    ]


REFUSED: list[tuple[str, object, str]] = [
    ("topk", 3, "there is no setting 'topk' of a user's own: did you mean 'top_k'? (`palace settings` lists them)"),
    ("rerank", True, "did you mean 'use_rerank'?"),
    ("PALACE_RERANK_MODEL", "a/b", "did you mean 'rerank_model'?"),
    ("zzz", 3, "there is no setting 'zzz' of a user's own (`palace settings` lists them)"),
    ("top_k", "many", "top_k must be a whole number from 1 to 1,000, not 'many'"),
    ("top_k", 0, "top_k must be a whole number from 1 to 1,000, not 0"),
    ("top_k", True, "top_k must be a whole number from 1 to 1,000, not True"),
    ("similarity_threshold", 1.5, "similarity_threshold must be a number from 0 to 1, not 1.5"),
    ("similarity_threshold", float("nan"), "must be a number from 0 to 1, not nan"),
    ("similarity_threshold", 10**400, "must be a number from 0 to 1, not 1"),
    ("floor", "soft", "floor must be one of none, low, normal, strict, not 'soft'"),
    ("gate", ["greeting", "weather"], "gate must be some of greeting, tool, knowledge"),
    ("rerank_model", "a\nb", "rerank_model must be a name of 1 to 500 characters"),
    ("query_strategy", "rewrite", "query_strategy rewrite wants a language model: set query_model first"),
]


def test_what_may_not_be_is_refused_in_one_line(palace: Palace) -> None:
    before = palace.settings.effective()
    for name, value, told in REFUSED:
        with pytest.raises(BadRequest) as problem:
            palace.settings.set(name, value)
        assert told in str(problem.value)
        assert "\n" not in str(problem.value)
        assert palace.settings.effective() == before
    for agent in ("", "  ", "a\x00b", "x" * 201, 7):
        with pytest.raises(BadRequest, match="agent must be a name of 1 to 200 characters"):
            palace.settings.set("top_k", 3, agent=agent)  # type: ignore[arg-type]


def test_contradictions_are_refused_for_agents_too(palace: Palace) -> None:
    palace.settings.set("similarity_threshold", 0.4, agent="coder")
    with pytest.raises(BadRequest, match="for the agent 'coder', floor none keeps nothing back"):
        palace.settings.set("floor", "none")
    palace.settings.set("query_model", "openai/gpt-4o-mini")
    palace.settings.set("query_strategy", "hyde")
    with pytest.raises(BadRequest, match="set query_model first"):
        palace.settings.reset("query_model")
    assert palace.settings.effective().query_model == "openai/gpt-4o-mini"


def test_a_rerank_model_without_a_key_warns(palace: Palace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    shown = palace.settings.set("rerank_model", "anthropic/claude-haiku-4.5")
    assert shown.warnings == (
        "anthropic/claude-haiku-4.5 has no key here: set ANTHROPIC_API_KEY; until then hits stay in their order,"
        " with a warning",
    )
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key")
    assert palace.settings.set("use_rerank", True).warnings == ()


def test_recall_gives_as_many_hits_as_the_user_set(palace: Palace) -> None:
    for number in range(5):
        palace.note(f"The boat has a sail with number {number}")
    palace.settings.set("top_k", 2)
    palace.settings.set("top_k", 4, agent="coder")
    assert len(palace.recall("boat sail number").hits) == 2
    assert len(palace.recall("boat sail number", agent="coder").hits) == 4
    assert len(palace.recall("boat sail number", top_k=3, agent="coder").hits) == 3


def test_a_threshold_keeps_back_what_is_not_similar(palace: Palace) -> None:
    palace.note("The boat has a sail")
    palace.note("The boat stands in the harbour of Kiel since the summer and waits for a coat of paint")
    assert len(palace.recall("The boat has a sail").hits) == 2
    palace.settings.set("similarity_threshold", 0.9)
    assert [hit.drawer.content for hit in palace.recall("The boat has a sail").hits] == ["The boat has a sail"]
    assert len(palace.recall("The boat has a sail", floor="none").hits) == 2


def test_an_agent_without_memory_is_given_nothing_and_the_person_is(palace: Palace) -> None:
    palace.note("The boat has a sail")
    palace.settings.set("enabled", False, agent="coder")
    found = palace.recall("boat sail", agent="coder")
    assert found.hits == ()
    assert found.warnings[0].startswith("memory is disabled for the agent 'coder'")
    assert palace.recall("boat sail", agent="writer").hits
    palace.settings.set("enabled", False)
    assert palace.recall("boat sail").hits
    assert not palace.recall("boat sail", agent="writer").hits


def test_another_embedding_model_starts_a_generation_of_its_own_unless_it_does_not_answer(palace: Palace) -> None:
    palace.note("The boat has a sail")
    with pytest.raises(BadRequest, match="embedding_model is of the whole palace"):
        palace.settings.set("embedding_model", "testing/other", agent="coder")
    before = palace.embeddings.status()[0].generation.model
    with Palace.open(palace._opened.settings, user=palace.user, embedder=HashingEmbedder(64)) as other:
        other.settings.set("embedding_model", "testing/hashing-64")
        (status,) = other.embeddings.status()
        assert (status.generation.model, status.generation.dimension, status.pending) == ("testing/hashing-64", 64, 0)
        assert other.recall("boat sail").hits
    palace.embeddings.switch(before)
    assert palace.settings.get("embedding_model").value == before
    silent = HashingEmbedder(64, fail_on=lambda _: True)
    with Palace.open(palace._opened.settings, user=palace.user, embedder=silent) as other:
        with pytest.raises(EmbeddingError):
            other.settings.set("embedding_model", "testing/hashing-64")
        assert other.settings.get("embedding_model").value == before
    assert palace.recall("boat sail").hits
