"""Whether the server lives, whether it can answer, and its figures."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi import Request as HttpRequest
from fastapi.responses import PlainTextResponse
from fastapi.security import HTTPAuthorizationCredentials
from pydantic import BaseModel

from palace import KeyGrant, KeyScope
from palace_server.caller import BEARER, Service
from palace_server.metrics import MEDIA_TYPE
from palace_server.problems import Refused, responses

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """That all is well."""

    status: str = "ok"


@router.head("/healthz", include_in_schema=False)
@router.get("/healthz", operation_id="check_health", responses=responses(needs_key=False))
async def check_health() -> Health:
    """Tell that the server lives; takes no thread and no database."""
    return Health()


@router.head("/readyz", include_in_schema=False)
@router.get("/readyz", operation_id="check_readiness", responses=responses(needs_key=False))
def check_readiness(request: HttpRequest) -> Health:
    """Tell that the database answers, and has this program's schema."""
    request.app.state.service.palaces.check_schema()
    return Health()


@router.get("/metrics", operation_id="get_metrics", response_class=PlainTextResponse, responses=responses())
def get_metrics(
    request: HttpRequest, _credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)]
) -> PlainTextResponse:
    """Return figures for Prometheus: requests by route and status, and their seconds. No label names a user."""
    service: Service = request.app.state.service
    grant: KeyGrant = request.state.grant
    if KeyScope.ADMIN not in grant.scopes or grant.wing_ids is not None or grant.is_gateways:
        raise Refused(403, "figures of the server are for a key of a whole palace with the scope admin")
    return PlainTextResponse(service.metrics.text(request.app.state.guard.under_way), media_type=MEDIA_TYPE)
