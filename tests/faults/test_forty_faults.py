"""The faults that the tests are checked by."""

from __future__ import annotations

import subprocess

import pytest

from tests.faults.patches import list_faults
from tests.faults.trees import ROOT


@pytest.mark.process
def test_every_fault_still_applies_to_the_code() -> None:
    broken = {}
    for fault in list_faults():
        command = ["git", "apply", "--check", str(fault.patch)]
        done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            broken[fault.patch.name] = done.stderr
    assert not broken


def test_no_two_of_the_forty_faults_change_one_file() -> None:
    files = [fault.files for fault in list_faults()]
    assert len(files) == 40
    assert len(set().union(*files)) == sum(map(len, files))
