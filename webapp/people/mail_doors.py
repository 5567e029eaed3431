"""Mail that comes in over HTTP: as it is, or as mail services deliver it (docs/mail-in.md).

Each call brings the secret of INBOUND_SECRET: as a bearer token, as the password of the address
(``https://kraftpost:SECRET@…``), or as ``?secret=``. What is not for an address of ours is answered
with 406, which tells a service not to try again.
"""

import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, json, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest, HTTPException, NotAcceptable, NotFound, Unauthorized

from core.mail.message import Mailbox
from tasks import arrivals
from webapp import web
from webapp.identity import limiter

pages = Blueprint("mail_doors", __name__, url_prefix="/mail-in")
LONGEST: Final = 12 << 20
"""Bytes of a request: a mail of 10 MB as the services write it."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A mail as a door delivers it. `sender`: the envelope's, None where it is not told."""

    raw: bytes
    sender: str | None
    recipients: Sequence[str]


def _plain() -> Delivery:
    """Read the mail itself as the body, with its envelope in two headers if it is known."""
    recipients = request.headers.get("X-Envelope-To", "")
    return Delivery(
        request.get_data(),
        request.headers.get("X-Envelope-From"),
        [address.strip() for address in recipients.split(",") if address.strip()],
    )


def _mailgun() -> Delivery:
    """Read what a route of Mailgun posts to an address that ends in ``mime``."""
    return Delivery(
        _field("body-mime"), request.form.get("sender"), [request.form.get("recipient", "")]
    )


def _sendgrid() -> Delivery:
    """Read what SendGrid's Inbound Parse posts with “POST the raw, full MIME message”."""
    envelope = _object(request.form.get("envelope", "{}"))
    return Delivery(_field("email"), envelope.get("from"), _texts(envelope.get("to")))


def _postmark() -> Delivery:
    """Read what Postmark posts with “Include raw email content in JSON payload”."""
    told = _object(request.get_data(as_text=True))
    raw, to = told.get("RawEmail"), told.get("OriginalRecipient")
    if not isinstance(raw, str):
        raise BadRequest("There is no RawEmail: include the raw email content in the payload.")
    return Delivery(raw.encode(errors="surrogateescape"), None, _texts([to]))


DOORS: Final[dict[str, Callable[[], Delivery]]] = {
    "raw": _plain,
    "mailgun-mime": _mailgun,
    "sendgrid": _sendgrid,
    "postmark": _postmark,
}


@pages.before_request
def enter() -> None:
    """Let in who brings the secret; where none is set there is no such address."""
    request.max_content_length = request.max_form_memory_size = LONGEST
    secret = web.settings().inbound_secret
    if not secret:
        raise NotFound
    scheme, _space, bearer = request.headers.get("Authorization", "").partition(" ")
    brought = [bearer.strip() if scheme.lower() == "bearer" else "", request.args.get("secret", "")]
    if request.authorization and request.authorization.type == "basic":
        brought.append(request.authorization.password or "")
    if not any(hmac.compare_digest(one.encode(), secret.encode()) for one in brought):
        raise Unauthorized("This address takes mail with the secret of INBOUND_SECRET alone.")


@pages.errorhandler(HTTPException)
def wrong(error: HTTPException) -> ResponseReturnValue:
    """Tell services what went wrong as JSON."""
    return jsonify(error=error.name, description=error.description), error.code or 500


@pages.post("/<door>")
@limiter.exempt
def take(door: str) -> ResponseReturnValue:
    """Store a mail that is delivered at this door."""
    if door not in DOORS:
        raise NotFound(f"There is no such door; there are {', '.join(DOORS)}.")
    mail = DOORS[door]()
    if not mail.raw.strip():
        raise BadRequest("There is no mail in this request.")
    mailbox = Mailbox.of(web.settings())
    recipients = [one for one in mail.recipients if one]
    taken = arrivals.store(web.services().engine, mailbox, mail.raw, mail.sender, recipients)
    if not taken:
        raise NotAcceptable("No such address here: answer a mail of ours, it has the right one.")
    return jsonify(stored=len(taken))


def _field(name: str) -> bytes:
    """Return a field of a form, posted as text or as a file."""
    if name in request.files:
        return bytes(request.files[name].read())
    if name not in request.form:
        raise BadRequest(f"There is no field {name}: let the service post the raw mail.")
    return request.form[name].encode(errors="surrogateescape")


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise BadRequest("This is no JSON object.")
    return found


def _texts(found: object) -> list[str]:
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
