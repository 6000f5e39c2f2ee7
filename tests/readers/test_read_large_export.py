"""An export larger than memory allows is streamed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

MEBIBYTE = 1 << 20

PROGRAM = """
import sys
from pathlib import Path
from palace.mining.readers.registry import read_conversations
from palace.mining.readers.discovery.paths import list_sources
[source] = list_sources(sys.argv[1])
for _ in range(2):
    count = sum(len(conversation.turns) for conversation in read_conversations(source))
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(count, peak.split()[1])
"""


def write_export(path: Path, *, conversations: int, turns: int, text: str) -> None:
    """Write a ChatGPT export of about conversations x turns x text."""
    keys = [f"n{index}" for index in range(turns)]
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [text]}, "create_time": 1.7e9}
    mapping = {
        key: {"id": key, "parent": parent, "message": {"id": key, **message}}
        for key, parent in zip(keys, [None, *keys], strict=False)
    }
    each = json.dumps({"title": "T", "mapping": mapping, "current_node": keys[-1]}, ensure_ascii=False)
    with path.open("w") as file:
        file.write("[" + each)
        for _ in range(conversations - 1):
            file.write("," + each)
        file.write("]")


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read from /proc")
def test_a_large_export_is_read_in_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    write_export(path, conversations=600, turns=50, text="Wört " * 400)
    assert path.stat().st_size > 60 * MEBIBYTE
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(path)], capture_output=True, check=True, text=True)
    count, resident = map(int, done.stdout.split())
    assert count == 600 * 50
    assert resident * 1024 < 120 * MEBIBYTE
