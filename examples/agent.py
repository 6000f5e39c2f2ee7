"""An agent that remembers, in five lines; a line of standard input is a message. Run from the repository's root.

It asks whatever OPENAI_BASE_URL and OPENAI_API_KEY name; without a key, a stand-in on this machine that says back what
memory put in front of the message.

printf 'My boat is called Zephyrine.\\n' | PALACE_HOME=/tmp/palace-demo python examples/agent.py
printf 'What is my boat called?\\n' | PALACE_HOME=/tmp/palace-demo python examples/agent.py
"""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from typing import Any
from uuid import uuid4

from openai import OpenAI

from palace import Palace
from palace.testing import EchoingServer
from palace.turns import remember


def talk(plain: Any) -> None:
    """Answer each line, in a session of its own, with what was ever said to it at hand."""
    with Palace.open() as palace:
        client = remember(plain, palace, session=f"agent-{uuid4()}")
        for line in sys.stdin:
            said = [{"role": "user", "content": line.strip()}]
            reply = client.chat.completions.create(model=os.environ.get("MODEL", "gpt-4o-mini"), messages=said)
            print(reply.choices[0].message.content)


def main() -> None:
    """Talk with a provider, or with the stand-in."""
    has_key = "OPENAI_API_KEY" in os.environ
    with nullcontext() if has_key else EchoingServer() as server:
        talk(OpenAI() if server is None else OpenAI(base_url=server.api_base, api_key="none"))


if __name__ == "__main__":
    main()
