"""Answers on the wire: compressed, without telling secrets by their length.

Whoever can make a browser ask again and again and sees how long the answers are, could guess what
stands in them beside words of their own (BREACH). So the token of the forms reads otherwise each
time, each page carries some noise, and pages whose address is a secret are not compressed at all.
"""

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from http import HTTPStatus
from typing import Final

from flask import Flask, Response, request
from flask_compress import Compress
from flask_wtf.csrf import CSRFProtect, generate_csrf

_NOISE: Final = 48
"""At most so many random bytes, in hex, make a page longer."""
_compress: Final = Compress()


class Guard(CSRFProtect):  # type: ignore[misc]  # the library has no types
    """Checks the token of forms, which is masked anew on every page."""

    def init_app(self, app: Flask) -> None:
        """Guard all forms of an application."""
        super().init_app(app)
        app.jinja_env.globals["csrf_token"] = masked_token
        app.context_processor(lambda: {"csrf_token": masked_token})

    def _get_csrf_token(self) -> str | None:
        token = super()._get_csrf_token()
        return unmask(token) if token else token


def masked_token() -> str:
    """Return the token for a form, as no other page writes it."""
    return mask(generate_csrf())


def mask(token: str) -> str:
    """Hide a token in ASCII behind a random pad of its own length.

    >>> unmask(mask("abc.def")), mask("abc.def") == mask("abc.def")
    ('abc.def', False)
    """
    plain = token.encode()
    pad = secrets.token_bytes(len(plain))
    return urlsafe_b64encode(pad + _xor(plain, pad)).decode()


def unmask(text: str) -> str:
    """Return what `mask` has hidden; anything else as it is, which is then no token of ours."""
    try:
        both = urlsafe_b64decode(text)
        half = len(both) // 2
        return _xor(both[half:], both[:half]).decode("ascii")
    except ValueError:
        return text


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def init_app(app: Flask) -> None:
    """Compress what is worth it, as far as the asker can read it."""
    app.config.update(
        COMPRESS_REGISTER=False,
        COMPRESS_ALGORITHM=["gzip"],
        COMPRESS_ALGORITHM_STREAMING=["gzip"],
        COMPRESS_LEVEL=5,
        COMPRESS_MIMETYPES=[
            "text/html",
            "text/css",
            "text/plain",
            "text/javascript",
            "application/javascript",
            "application/json",
            "application/atom+xml",
            "image/svg+xml",
        ],
        COMPRESS_MIN_SIZE=1000,
        COMPRESS_STREAMS=False,
    )
    _compress.init_app(app)
    app.after_request(_pack)


def _pack(response: Response) -> Response:
    if "token" in (request.view_args or {}) or "gzip" not in request.headers.get(
        "Accept-Encoding", ""
    ):
        return response
    if request.endpoint == "static" and response.status_code == HTTPStatus.OK:
        response.direct_passthrough = False  # a file of ours is small: it is read, and packed
        response.set_data(response.get_data())
    if response.mimetype == "text/html" and not response.is_streamed:
        noise = secrets.token_hex(secrets.randbelow(_NOISE))
        response.set_data(response.get_data() + f"<!-- {noise} -->\n".encode())
    packed: Response = _compress.after_request(response)
    return packed
