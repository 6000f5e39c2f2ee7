"""What a person had run another way, and fixes that did not last in their session."""

from __future__ import annotations

from pathlib import Path

from palace import Palace, WorkKind
from tests.work.sessions import Session
from tests.work.test_lasting import bears

DEVICE = "the reader is mmcblk0, it is never detected by itself, so always pass -d /dev/mmcblk0 on this box"
OUTSIDE = "oh wait, the folder is synced with iCloud here, put the build folder outside of it, no other hacks"
DETRITUS = "Plate.component: resource fork, Finder information, or similar detritus not allowed"
TOO_SMALL = "Error: app partition is too small for binary node.bin size 0xf4b20"


def test_what_a_person_had_run_another_way_is_told_before_the_next_run(palace: Palace, tmp_path: Path) -> None:
    session = Session("r-1").asks("burn me a card").runs("mix firmware.burn", "Success!").says("Burned.").asks(DEVICE)
    session.runs("mix firmware.burn -d /dev/mmcblk0", "Success!").says("It has it now.")
    palace.mine(session.write(tmp_path), wing="api")
    found = bears(palace, command="MIX_TARGET=rpi0 mix firmware.burn")
    assert found is not None
    assert (found.kind, found.text) == (WorkKind.DECISION, DEVICE)
    assert bears(palace, command="mix firmware.burn -d /dev/mmcblk0") is None


def test_a_further_run_that_no_message_names_is_no_correction(palace: Palace, tmp_path: Path) -> None:
    session = (
        Session("r-2").asks("list them").runs("mix deps.tree", "ok").asks("looks fine to me, look a bit deeper now")
    )
    palace.mine(session.runs("mix deps.tree --only prod", "ok").says("Done.").write(tmp_path), wing="api")
    assert bears(palace, command="mix deps.tree") is None


def test_what_a_person_answered_to_an_error_that_never_was_gone_is_handed_over(palace: Palace, tmp_path: Path) -> None:
    session = Session("r-3").asks("sign it").runs("cmake --build build-mac --target AU", DETRITUS, 65)
    session.says("The attributes are back within seconds.").asks(OUTSIDE)
    palace.mine(session.runs("cmake --build /tmp/b --target AU", "ok").says("Signed.").write(tmp_path), wing="api")
    found = bears(palace, error=DETRITUS.replace("Plate.component", "build/Plate.vst3"), command="codesign -s me")
    assert found is not None
    assert found.text == OUTSIDE


def test_a_fix_that_was_put_back_gives_way_to_the_next(palace: Palace, tmp_path: Path) -> None:
    session = Session("r-4").asks("add the sensor").runs("idf.py build", TOO_SMALL, 2)
    session.edits("partitions.csv", "0xf0000", "0x180000").runs("idf.py build", "complete").says("It fits now.")
    session.asks("on the bench only, the table on the nodes out there does not change by that")
    session.runs("git checkout partitions.csv", "").edits("sdkconfig.defaults", "", "CONFIG_SIZE=y")
    palace.mine(session.runs("idf.py build", "complete").says("15 % free.").write(tmp_path), wing="api")
    found = bears(palace, error=TOO_SMALL.replace("4b20", "1c40"))
    assert found is not None
    assert (found.fixed_by or "").endswith("/sdkconfig.defaults")


def test_a_filtered_run_that_still_fails_makes_no_error_gone(palace: Palace, tmp_path: Path) -> None:
    whole = (
        "ParseError: while parsing orders.xml:14\nError while validating view near:\ncannot be located in parent view"
    )
    session = Session("r-5").asks("add the field").runs("odoo-bin -u edi", whole, 1).edits("orders.xml", "a", "b")
    session.runs("odoo-bin -u edi 2>&1 | tail -1", "cannot be located in parent view")
    session.edits("priority.xml", "c", "d").runs("odoo-bin -u edi", "loaded").says("It loads.")
    palace.mine(session.write(tmp_path), wing="api")
    found = bears(palace, error="ParseError: while parsing orders.xml:20")
    assert found is not None
    assert (found.fixed_by or "").endswith("/priority.xml")


def test_silence_of_a_tool_that_tells_failures_is_success(palace: Palace, tmp_path: Path) -> None:
    session = Session("r-6").asks("run it").runs("Rscript run.R", "could not connect to server", 1)
    session.runs("scripts/tunnel.sh", "open").runs("Rscript run.R", "● completed target invoices [1.9 seconds]")
    palace.mine(session.says("It ran.").write(tmp_path), wing="api")
    found = bears(palace, command="Rscript run.R")
    assert found is not None
    assert found.fixed_by == "scripts/tunnel.sh"
