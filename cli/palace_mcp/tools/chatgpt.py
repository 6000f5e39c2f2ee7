"""The tools ``search`` and ``fetch`` as ChatGPT's connectors and deep research call them.

The contract is theirs (platform.openai.com/docs/mcp): ``search(query)`` returns one text, the JSON object ``{"results":
[{"id", "title", "url"}]}``; ``fetch(id)`` one with ``id``, ``title``, ``text``, ``url``, ``metadata``.
"""

from __future__ import annotations

import json
from typing import Any

from palace.config.zones import in_zone
from palace.models import Drawer, Memory, Pointer, Span
from palace.nlp.inert import inert, inert_name
from palace.recall.pack import written_item
from palace_mcp.arguments import Argument
from palace_mcp.tools.tool import LIST, MARK, OBJECT, TEXT, Answer, Called, Tool, block_of, marked

LONGEST_TITLE = 100
LONGEST_TEXT = 200_000
"""Characters of a drawer that are returned: research reads more than a chat does."""
MOST_RESULTS = 15


def search(call: Called) -> Answer:
    """List drawers that may answer, by pointer; the tool ``search``."""
    given, agent = call.given["query"], call.bounds.agent
    floor = call.palace.settings.effective(agent).model_floor
    found = call.palace.recall(given, scope=call.scope, top_k=MOST_RESULTS, agent=agent, floor=floor)
    return _answer({"results": [_named(hit.drawer, hit.memory) for hit in found.hits]})


def fetch(call: Called) -> Answer:
    """Return one drawer in full; the tool ``fetch``."""
    shown = call.show(call.given["id"])
    drawer, memory = shown.drawer, shown.memory
    zone, part = call.bounds.zone, Span(0, min(len(drawer.content), LONGEST_TEXT))
    metadata: dict[str, Any] = {
        "wing": inert_name(drawer.wing_name),
        "said_at": in_zone(drawer.said_at, zone).isoformat() if drawer.said_at else None,
        "role": drawer.role.value if memory is None else memory.origin.value,
        "speaker": inert_name(drawer.speaker) if drawer.speaker else None,
        "source": MARK,
    }
    if memory is not None:
        metadata |= {"memory": memory.type.value, "evidence": [_id_of(each) for each in memory.evidence]}
    text = marked(block_of([written_item(drawer, part, "", zone, memory)]))
    return _answer({**_named(drawer, memory), "text": text, "metadata": metadata})


def _id_of(pointer: Pointer) -> str:
    return str(pointer).removeprefix("§ ")


def _named(drawer: Drawer, memory: Memory | None) -> dict[str, str]:
    pointer, kind = _id_of(drawer.pointer), memory.type.noun if memory else drawer.role.value
    begins = inert(drawer.content[:LONGEST_TITLE])
    day = f"{drawer.said_at.date().isoformat()} " if drawer.said_at else ""
    return {"id": pointer, "title": f"{day}{kind}: {begins}", "url": f"palace://{pointer}"}


def _answer(data: dict[str, Any]) -> Answer:
    return Answer(json.dumps(data, ensure_ascii=False), data)


SEARCH = Tool(
    name="search",
    description=(
        "Search the person's long-term memory of earlier conversations and notes. Call it BEFORE answering whatever "
        "may depend on them. Gives ids for fetch."
    ),
    arguments=(Argument("query", "What to find out.", is_required=True),),
    answers={"results": LIST},
    run=search,
)

FETCH = Tool(
    name="fetch",
    description="Give one remembered message in full, by an id from search.",
    arguments=(Argument("id", "From search, like W-001/R-02/D-003.", is_required=True),),
    answers={"id": TEXT, "title": TEXT, "text": TEXT, "url": TEXT, "metadata": OBJECT},
    run=fetch,
)
