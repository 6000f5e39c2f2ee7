"""Write the transcripts: ``python -m bench.hooks.sets [--to FOLDER] [--home FOLDER]``."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.hooks.sets.talk import Talk, read_talks
from bench.hooks.sets.transcript import HOME, session_id, transcript

HISTORIES = Path(__file__).parent / "histories"


def write_histories(to: Path = HISTORIES, home: str = HOME) -> list[Path]:
    """Write each session of each project to a file of its own; files of sessions that are no more are removed."""
    written = [_write(talk, to, home) for talk in read_talks()]
    files = [path for paths in written for path in paths]
    for stale in set(to.rglob("*.jsonl")) - set(files):
        stale.unlink()
    return files


def _write(talk: Talk, to: Path, home: str) -> list[Path]:
    folder = to / talk.half / talk.project
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for session in talk.sessions:
        path = folder / f"{session_id(talk, session)}.jsonl"
        path.write_text(transcript(talk, session, home), encoding="utf-8")
        paths.append(path)
    return paths


def main() -> None:
    """Write the transcripts and say how many."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=HISTORIES, help="the folder to write to")
    parser.add_argument("--home", default=HOME, help=f"where the projects lie, in place of {HOME}")
    options = parser.parse_args()
    files = write_histories(options.to, options.home)
    print(f"{len(files)} transcripts in {options.to}")


if __name__ == "__main__":
    main()
