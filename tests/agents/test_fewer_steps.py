"""Thirty tasks, run twice: with what the first time taught, the second takes fewer steps.

The model is a program that reads the messages of its request and nothing else. It looks into one source after the
other; where its prompt holds an earlier task about the same thing, it begins with the source that ended that one.
"""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

import pytest

from palace import Palace, ReActAgent, Settings
from palace.testing import LanguageModelServer, ModelRequest, tool_call

THINGS = """torque of the keel bolts; colour code of the hull paint; length of the main halyard; price of the spare
rudder; phone of the harbour office; dose of the diesel additive; size of the shower pump; date of the liferaft check;
name of the sail maker; number of the insurance policy; pressure of the dinghy tubes; width of the berth in Ghent;
voltage of the bow thruster; weight of the storm anchor; age of the standing rigging; height of the mast light;
frequency of the coast radio; maker of the stove burner; thread of the grease nipple; depth of the marina entrance;
code of the shower door; rate of the winter storage; grade of the engine oil; type of the chart plotter fuse;
address of the customs shed; count of the fender covers; speed of the old wind sensor; spare of the bilge switch;
opening hours of the crane; brand of the deck varnish""".replace("\n", " ").split("; ")
SOURCES = ("archive", "binder", "calendar", "desk", "email", "ledger", "manual", "notebook")
FIRST, AGAIN = "What is the {}?", "I need to know the {} once more, please."
COMMON = {"what", "is", "the", "of", "i", "need", "to", "know", "once", "more", "please", "in", "a"}


def place_of(thing: str) -> str:
    return SOURCES[(5 * THINGS.index(thing) + 3) % len(SOURCES)]


def look_into(source: str, subject: str) -> str:
    """Look for a subject in one source."""
    thing = next(each for each in THINGS if each in subject)
    return f"found: {THINGS.index(thing)}" if place_of(thing) == source else "nothing about it"


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower())) - COMMON


class Explorer(LanguageModelServer):
    """Decides by the messages of a request alone."""

    def answer(self, request: ModelRequest) -> Any:
        """Reply to a request for a step, an answer, or lessons."""
        messages = request.body["messages"]
        is_learning = messages[0]["content"].startswith("You keep the memory")
        self.script.append(self._lessons(messages[1]["content"]) if is_learning else self._next(messages))
        return super().answer(request)

    def _next(self, messages: list[dict[str, Any]]) -> Any:
        last = messages[-1]
        if last["role"] == "tool" and last["content"].startswith("found: "):
            return f"It is {last['content'].removeprefix('found: ')}."
        *_, asked = [each["content"] for each in messages if each["role"] == "user"]
        block, _, question = asked.rpartition("</memories>\n\n")
        calls = [call for each in messages for call in each.get("tool_calls") or ()]
        tried = {json.loads(call["function"]["arguments"])["source"] for call in calls}
        sources = re.findall(r"\w+", re.findall(r"The sources are: (.*)", messages[0]["content"])[0])
        order = [*self._remembered(block, words(question)), *sources]
        subject = re.sub(r"^.*\bthe (.* (?:of|hours) .*?)( once more.*|\?)$", r"\1", question)
        source = next((each for each in order if each not in tried), sources[0])
        return tool_call("look_into", "I look there.", source=source, subject=subject)

    def _remembered(self, block: str, wanted: set[str]) -> list[str]:
        """List the sources that ended earlier tasks about what is wanted, the likest first."""
        found = []
        for episode in re.findall(r'category="episodic"[^>]*>(.*?)</memory>', block):
            goal, _, rest = episode.partition("Steps: ")
            steps = re.findall(r"&quot;source&quot;: &quot;(\w+)|\"source\": \"(\w+)", rest)
            alike = len(wanted & words(goal)) / len(wanted)
            if steps and alike > 0.6:
                found.append((alike, "".join(steps[-1])))
        return [source for _, source in sorted(found, reverse=True)]

    def _lessons(self, quoted: str) -> str:
        ended = [line for line in quoted.splitlines() if "| found: " in line]
        sources = [source for line in ended for source in re.findall(r'"source": "(\w+)', line)]
        lessons = [f"Look into the {source} first." for source in sources]
        return json.dumps({"summary": "Looked it up.", "facts": [], "lessons": lessons})


def steps_taken(palace: Palace, server: Explorer, question: str, *, memory: bool = True) -> list[int]:
    context = f"The sources are: {', '.join(SOURCES)}"
    options: dict[str, Any] = {"api_base": server.api_base, "palace": palace}
    settings = {"additional-context": context, "memory-timeout": 60}
    with ReActAgent("openai/scripted", [look_into], settings=settings, **options) as agent:
        runs = [agent.run(question.format(thing), enable_memory=memory) for thing in THINGS]
    assert [run.answer for run in runs] == [f"It is {number}." for number in range(len(THINGS))]
    return [len(run.steps) for run in runs]


@pytest.mark.nightly
def test_what_was_done_before_takes_fewer_steps(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with Palace.open(settings, user=f"user-{uuid.uuid4()}") as palace, Explorer() as server:
        first, second = (steps_taken(palace, server, question) for question in (FIRST, AGAIN))
        without = steps_taken(palace, server, AGAIN, memory=False)
    print(f"steps: {sum(first)} at first, {sum(second)} with memory, {sum(without)} without")
    assert without == first
    assert len(first) == 30
    assert sum(again < once for once, again in zip(first, second, strict=True)) >= 24
    assert all(again <= once for once, again in zip(first, second, strict=True))
