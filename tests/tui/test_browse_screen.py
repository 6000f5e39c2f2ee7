"""The first screen: the tree and a drawer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from palace import Palace
from palace_cli.tui.app import BrowseApp
from palace_cli.tui.widgets.tree import PalaceTree


def test_the_tree_opens_to_a_drawer(filled: Palace, make_app: Callable[..., BrowseApp]) -> None:
    async def walk() -> None:
        app = make_app(filled)
        async with app.run_test(size=(80, 24)) as pilot:
            for _ in range(10):
                await asyncio.sleep(0.1)
                await pilot.pause()
            await pilot.press("down", "right")
            await asyncio.sleep(0.8)
            await pilot.press("right", "right")
            await asyncio.sleep(0.8)
            await pilot.press("right")
            await asyncio.sleep(0.8)
            await pilot.pause()
            print("\n".join("".join(s.text for s in strip) for strip in app.screen._compositor.render_strips()))
            tree = app.screen.query_one(PalaceTree)
            print(tree.place)

    asyncio.run(walk())
