"""The program around Palace keeps its process as it was, and importing reads no file."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import uuid
from pathlib import Path

import pytest
import sqlalchemy as sa

from palace import Settings
from palace.db.database import Database, UserSession

LOOK = """
import asyncio, decimal, faulthandler, gc, json, locale, logging, multiprocessing, os, random, resource, signal
import socket, sys, threading, time, warnings
import numpy

def looked():
    umask = os.umask(0)
    os.umask(umask)
    return {
        # But what keeps the embedding runtime from reporting to its maker, for good.
        "environment": dict(os.environ) | {"ORT_DISABLE_TELEMETRY": "1"},
        "folder, umask": (os.getcwd(), umask),
        "signals": {str(number): repr(signal.getsignal(number)) for number in signal.valid_signals()},
        "locale, zone": (locale.setlocale(locale.LC_ALL), time.tzname),
        "warnings": [repr(each) for each in warnings.filters],
        "logging": [(logger.level, repr(logger.handlers), repr(logger.filters)) for logger in (logging.getLogger(),)],
        "logging off": logging.root.manager.disable,
        "hooks": [repr(each) for each in (sys.excepthook, threading.excepthook, sys.unraisablehook, sys.displayhook)],
        "streams": [repr(each) for each in (sys.stdin, sys.stdout, sys.stderr)],
        "digits, recursion, switch": (sys.get_int_max_str_digits(), sys.getrecursionlimit(), sys.getswitchinterval()),
        "start method": multiprocessing.get_start_method(allow_none=True),
        "event loop": repr(type(asyncio.get_event_loop_policy())),
        "timeout": socket.getdefaulttimeout(),
        "decimals": repr(decimal.getcontext()),
        "random": repr(random.getstate()),
        "numpy": (repr(numpy.random.get_state()), numpy.geterr(), repr(numpy.get_printoptions())),
        "garbage": (gc.isenabled(), gc.get_threshold()),
        "faults": faulthandler.is_enabled(),
        "limits": [resource.getrlimit(which) for which in (resource.RLIMIT_NOFILE, resource.RLIMIT_STACK)],
        "path": sys.path[:],
    }

def differences(before, after):
    return sorted(name for name in before if before[name] != after[name])
"""
USE = """
before = looked()
from palace import Palace, Settings
user, path, *settings = json.loads(sys.argv[1])
with Palace.open(Settings(**settings[0]), user=user) as palace:
    palace.mine(path, exclude=["[[a]"])
    palace.note("The spare battery is with Derek.")
    hits = palace.recall("who has the battery?").hits
print(json.dumps([len(hits) > 0, differences(before, looked())]))
"""
IMPORT = """
import importlib, os, pkgutil, sys, sysconfig

opened, standard = [], ("<frozen", sysconfig.get_paths()["stdlib"])

def hook(event, arguments):
    if event != "open" or str(arguments[0]).endswith((".py", ".pyc")) or str(arguments[0]).startswith(ours):
        return
    frame = sys._getframe(1)
    while frame and frame.f_code.co_filename.startswith(standard):
        frame = frame.f_back
    if frame and frame.f_code.co_filename.startswith(ours):
        opened.append([str(arguments[0]), frame.f_code.co_filename])

import palace, palace_cli
ours = tuple(os.path.dirname(package.__file__) for package in (palace, palace_cli))
sys.addaudithook(hook)
names = [f.name for p in (palace, palace_cli) for f in pkgutil.walk_packages(p.__path__, p.__name__ + ".")]
for name in names:
    if "_migrations" not in name and not name.endswith("__main__"):
        importlib.import_module(name)
print(len(names) > 200, opened)
"""


def said_by(program: str, *arguments: str) -> str:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.nightly
@pytest.mark.process
@pytest.mark.slow
def test_mining_and_recalling_leave_the_process_as_it_was(settings: Settings, tmp_path: Path) -> None:
    talk = tmp_path / "talk.txt"
    talk.write_text("Ana: The red lantern hangs in the harbour.\nBen: Since when?\n", encoding="utf-8")
    assert settings.database_url is not None
    assert settings.database_owner_url is not None
    given = {
        "home": str(tmp_path / "home"),
        "database_url": settings.database_url.get_secret_value(),
        "database_owner_url": settings.database_owner_url.get_secret_value(),
    }
    asked = json.dumps([f"user-{uuid.uuid4()}", str(talk), given])
    assert json.loads(said_by(LOOK + USE, asked)) == [True, []]


def test_what_is_tried_again_draws_no_random_number_of_the_program_s(database: Database, user_id: int) -> None:
    tries, drawn = [0], random.getstate()

    def lose_once(session: UserSession) -> None:
        tries[0] += 1
        if tries[0] == 1:
            session.connection.execute(sa.text("DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END $$"))

    database.of(user_id).run(lose_once)
    assert (tries, random.getstate()) == ([2], drawn)


@pytest.mark.nightly
@pytest.mark.process
def test_importing_reads_no_file_but_its_own() -> None:
    assert said_by(IMPORT) == "True []\n"
