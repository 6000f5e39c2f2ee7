"""``/v1/jobs``: background jobs, and their progress as server-sent events."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated

import anyio
from fastapi import APIRouter, Depends, Path, Query
from fastapi import Request as HttpRequest
from fastapi.responses import StreamingResponse
from fastapi.security import HTTPAuthorizationCredentials
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from palace import Job, JobState, NotFound, PalaceError
from palace_server.caller import BEARER, Administrator, Caller, Follower
from palace_server.models import Answer
from palace_server.problems import Refused, responses

router = APIRouter(prefix="/v1/jobs", tags=["jobs"])
LOOK_SECONDS = 0.5
LONGEST_SECONDS = 900.0
"""After that a stream of events ends; the client opens another."""
MOST_STREAMS = 64
MOST_OF_KEY = 8
"""Streams of one key that are open at once."""
KEY_SECONDS = 10.0
"""Seconds after which the key of an open stream is checked again."""
JobId = Annotated[int, Path(ge=1, le=2**63 - 1)]


class JobOut(Answer):
    """A background job."""

    id: int
    state: JobState
    attempts: int = Field(description="How often it failed.")
    enqueued_at: datetime
    changed_at: datetime
    due_at: datetime | None = Field(description="The earliest time of the next try.")


class JobList(BaseModel):
    """Jobs: running ones, then waiting ones in their order, then failed ones."""

    items: list[JobOut]


@router.get("", operation_id="list_jobs", responses=responses(404))
def list_jobs(
    caller: Follower,
    state: Annotated[JobState | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> JobList:
    """List background jobs; those that are done are gone."""
    return JobList(items=[*map(JobOut.of, caller.palace.jobs.list(state=state, limit=limit))])


@router.get("/{job_id}", operation_id="get_job", responses=responses(404))
def get_job(caller: Follower, job_id: JobId) -> JobOut:
    """Return a job; one that is done is gone."""
    return JobOut.of(caller.palace.jobs.show(job_id))


@router.post("/{job_id}/retry", operation_id="retry_job", responses=responses(404))
def retry_job(caller: Administrator, job_id: JobId) -> JobOut:
    """Start a job at once that failed or waits for its next try."""
    job = caller.palace.jobs.retry(job_id)
    caller.did("jobs.retry", str(job_id))
    return JobOut.of(job)


@router.delete("/{job_id}", operation_id="cancel_job", responses=responses(404))
def cancel_job(caller: Administrator, job_id: JobId) -> JobOut:
    """Cancel a job; what it was to do stays pending."""
    job = caller.palace.jobs.cancel(job_id)
    caller.did("jobs.cancel", str(job_id))
    return JobOut.of(job)


@router.get(
    "/{job_id}/events",
    operation_id="follow_job",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "Events `job` with the job when its state changes, then `done` with how it ended",
            "content": {"text/event-stream": {}},
        },
        **responses(404),
    },
)
async def follow_job(
    caller: Follower,
    job_id: JobId,
    request: HttpRequest,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)],
) -> StreamingResponse:
    """Follow a job until it is done, or the key is no longer valid; a key has 8 streams at most."""
    first = await run_in_threadpool(caller.palace.jobs.show, job_id)
    streams: Counter[str] = request.app.state.streams
    if streams[caller.grant.id] >= MOST_OF_KEY:
        raise Refused(429, "this key follows too many jobs: look at the job itself")
    if streams.total() >= MOST_STREAMS:
        raise Refused(503, "too many streams of events are open: look at the job itself")
    secret = credentials.credentials if credentials else None
    return StreamingResponse(_events(caller, secret, first, streams), media_type="text/event-stream")


async def _events(caller: Caller, secret: str | None, job: Job, streams: Counter[str]) -> AsyncIterator[str]:
    """Yield an event whenever a job changes, and one with how it ended: done, failed or cancelled."""
    streams[caller.grant.id] += 1
    begun = checked = time.monotonic()
    told: Job | None = None
    try:
        while (now := time.monotonic()) < begun + LONGEST_SECONDS:
            if now >= checked + KEY_SECONDS:
                await run_in_threadpool(caller.service.grant_of, secret)
                checked = now
            # A comment keeps the connection alive, and finds out that the client has gone.
            yield f"event: job\ndata: {JobOut.of(job).model_dump_json()}\n\n" if job != told else ": \n\n"
            told = job
            if job.state is JobState.FAILED:
                yield _end("failed")
                return
            await anyio.sleep(LOOK_SECONDS)
            job = await run_in_threadpool(caller.palace.jobs.show, job.id)
    except NotFound:
        is_left = await run_in_threadpool(caller.palace.jobs.is_left, job.conversation_id)
        yield _end("cancelled" if is_left else "done")
    except Refused:
        yield "event: error\ndata: unauthorized\n\n"
    except PalaceError as problem:
        yield f"event: error\ndata: {problem.code}\n\n"
    finally:
        streams[caller.grant.id] -= 1
        if not streams[caller.grant.id]:
            del streams[caller.grant.id]


def _end(state: str) -> str:
    return f'event: done\ndata: {{"state":"{state}"}}\n\n'
