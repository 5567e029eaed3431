"""What went wrong, as programs read it: problem details by RFC 9457."""

from http import HTTPStatus
from typing import Any, Final

from flask import Response, json
from pydantic import BaseModel, Field, ValidationError
from werkzeug.exceptions import HTTPException

TYPE: Final = "application/problem+json"


class Problem(BaseModel):
    """What went wrong, and the way out."""

    type: str = "about:blank"
    title: str = Field(description="The status in words.")
    status: int
    detail: str = Field("", description="What went wrong here, and the way out, for people.")
    code: str = Field(
        "", description="What went wrong, for programs: a rule's code, `stale`, `invalid` …"
    )


class Refusal(HTTPException):
    """A request of a program that is refused; `what` is its code for programs."""

    def __init__(self, status: HTTPStatus, what: str, detail: str) -> None:
        """Refuse with this status, for this reason."""
        self.code, self.what = status.value, what
        super().__init__(detail)

    def get_headers(self, *_: Any) -> list[tuple[str, str]]:
        """Return the headers of the answer: how to come in, where that was the reason."""
        known = self.code != HTTPStatus.UNAUTHORIZED
        return [] if known else [("WWW-Authenticate", "Bearer")]


def answer(status: int, detail: str, code: str = "", headers: Any = None) -> Response:
    """Return a problem as an answer."""
    title = HTTPStatus(status).phrase
    problem = Problem(title=title, status=status, detail=detail, code=code)
    return Response(json.dumps(problem.model_dump()), status, headers, content_type=TYPE)


def of(error: HTTPException) -> Response:
    """Return the problem that an error of a request is."""
    kept = ("retry-after", "allow", "www-authenticate")
    headers = [(name, value) for name, value in error.get_headers() if name.lower() in kept]
    what = error.what if isinstance(error, Refusal) else ""
    return answer(error.code or 500, error.description or "", what, headers)


def unreadable(error: ValidationError) -> Response:
    """Return the problem of a request that has not the shape that was asked for."""
    told = "; ".join(
        f"{'.'.join(map(str, one['loc'])) or 'body'}: {one['msg']}" for one in error.errors()
    )
    return answer(422, told, "invalid")
