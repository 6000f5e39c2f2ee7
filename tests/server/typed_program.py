"""A program on the client that test_description.py generates: ``python typed_program.py URL KEY``."""

from __future__ import annotations

import sys

from palace_client import AuthenticatedClient
from palace_client.api.conversations import file_conversation
from palace_client.api.drawers import file_note, forget_drawer, get_drawer, list_drawers
from palace_client.api.recall import recall
from palace_client.models import (
    ConversationIn,
    ConversationInMessagesItem,
    DrawerIn,
    DrawerPage,
    Filed,
    FiledConversation,
    Forgotten,
    Problem,
    Recalled,
    RecallIn,
    ShownDrawerOut,
)

KEY = "The spare key is under the blue pot."


def main(url: str, key: str) -> None:
    """File, recall, look at and forget; each answer is of the class that its operation describes."""
    client = AuthenticatedClient(base_url=url, token=key)
    filed = file_note.sync(client=client, body=DrawerIn(content=KEY, wing="House"))
    assert isinstance(filed, Filed)
    said = ConversationInMessagesItem.from_dict({"role": "user", "content": "Bees hum."})
    talk = file_conversation.sync(client=client, body=ConversationIn(messages=[said], id="bees"))
    assert isinstance(talk, FiledConversation)
    assert talk.new == 1
    found = recall.sync(client=client, body=RecallIn(query="where is the spare key?", top_k=1))
    assert isinstance(found, Recalled)
    assert [hit.drawer.content for hit in found.hits] == [KEY]
    page = list_drawers.sync(client=client, wing="House", limit=10)
    assert isinstance(page, DrawerPage)
    assert (page.items[0].pointer, page.next_cursor) == (filed.pointer, None)
    wing, room, drawer = filed.pointer.split("/")
    shown = get_drawer.sync(wing, room, drawer, client=client, context=1)
    assert isinstance(shown, ShownDrawerOut)
    assert shown.drawer.until is None
    gone = forget_drawer.sync(wing, room, drawer, client=client, if_match="*")
    assert isinstance(gone, Forgotten)
    assert gone.restorable_until is not None
    problem = get_drawer.sync(wing, room, drawer, client=client)
    assert isinstance(problem, Problem)
    assert problem.code == "not_found"


if __name__ == "__main__":
    main(*sys.argv[1:])
