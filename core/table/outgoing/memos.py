"""Mails about the service itself: a webhook was switched off, something is not well."""

from collections.abc import Sequence

from core.mail.letter import Memo
from core.store.tables import Webhook
from core.table.health import Finding
from core.text import _


def hook_disabled(hook: Webhook) -> Memo:
    """To the owner of a webhook that has failed for a day."""
    service = {"slack": "Slack", "discord": "Discord"}.get(hook.kind, _("your own service"))
    return Memo(
        heading=_("A webhook has been switched off"),
        lines=(
            _("Your webhook for {service} has failed for a day, so it is called no more.").format(
                service=service
            ),
            _("What the last try met: {error}").format(error=hook.last_error),
            _("Mails are not touched by this. Once it is mended, a test switches it on again."),
        ),
        path="/profile/channels",
        button=_("To my channels"),
    )


def not_well(ill: Sequence[Finding]) -> Memo:
    """To whoever runs the service, once a day while it lasts."""
    return Memo(
        heading=_("Kraftpost is not well"),
        lines=(
            *(f"{one.name}: {one.told}. {one.mend}." for one in ill),
            _("“kraftpost doctor” looks at everything. This mail comes once a day while it lasts."),
        ),
    )
