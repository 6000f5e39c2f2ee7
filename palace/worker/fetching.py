"""Taking jobs from the queue as procrastinate does, but for whom it believes."""

from __future__ import annotations

from typing import cast

from procrastinate.jobs import Notification
from procrastinate.worker import Worker

WAKING = "job_inserted"


class Fetcher(Worker):
    """Takes jobs; what a notification says of ending one is looked up.

    Whoever may connect to a database may notify of anything. That a job is there is looked up anyhow.
    """

    async def _handle_notification(self, *, channel: str, notification: Notification) -> None:
        told = cast(object, notification)
        if isinstance(told, dict) and told.get("type") == WAKING:
            await super()._handle_notification(channel=channel, notification=notification)
            return
        wanted = await self.app.job_manager.list_jobs_to_abort_async()
        self._handle_abort_jobs_requested(wanted)
