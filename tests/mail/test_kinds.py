"""The registry of mail kinds is whole: each kind has its template and all that writes it."""

from itertools import groupby

import pytest

from core.mail.compose import templates
from core.mail.kinds import KINDS, MailKind, written_as
from core.places import TEMPLATES
from core.store.tables import Game, User
from core.table.notify import mails
from core.table.views import render
from tests.support.mails import TOPICS
from tests.support.played import NOW


def test_every_kind_is_registered_and_has_a_template_and_every_template_a_kind() -> None:
    assert list(KINDS) == list(MailKind)
    written = {file.stem for file in (TEMPLATES / "email").glob("*.html")}
    assert {kind.template for kind in KINDS.values()} == written


@pytest.mark.parametrize("name", sorted({kind.template for kind in KINDS.values()}))
def test_one_template_has_subject_and_both_parts(name: str) -> None:
    """The subject is looked up in the template itself, so a kind cannot inherit another's."""
    for plain in (True, False):
        blocks = templates(plain=plain).get_template(f"{name}.html").blocks
        assert {"subject", "slip"} <= set(blocks)


@pytest.mark.parametrize("plain", [True, False])
def test_a_macro_of_one_part_is_one_of_the_other(plain: bool) -> None:
    ours, theirs = (templates(plain=p).globals["m"] for p in (plain, not plain))
    for name, macro in vars(ours).items():
        if callable(macro) and not name.startswith("_"):
            assert getattr(theirs, name).arguments == macro.arguments


def test_kinds_of_one_model_are_written_alike() -> None:
    kinds = sorted(KINDS.values(), key=lambda kind: kind.model.__name__)
    for _name, of_one in groupby(kinds, key=lambda kind: kind.model):
        looks = {(kind.template, kind.header, kind.scope, kind.board) for kind in of_one}
        assert len(looks) == 1


def test_every_template_has_a_sample_mail() -> None:
    written = {written_as(make()).template for make in TOPICS.values()}
    assert written == {kind.template for kind in KINDS.values()}


def test_what_was_held_and_is_told_together_waits_for_a_reader_whom_no_mail_reaches() -> None:
    """Of the kinds that are gathered only those of the moment are dropped instead."""
    dropped = {name for name, kind in KINDS.items() if kind.gather and kind.unreached != "keep"}
    assert dropped == {MailKind.REMINDER, MailKind.CHAT}


def test_every_kind_is_rendered_and_each_notice_has_its_words() -> None:
    assert set(render._TOPICS) == set(MailKind) - {MailKind.PLAN, MailKind.GATHERED}
    user = User(name="Anna", email="a@example.org", zone="UTC", locale="en")
    game = Game(title="Friday", created_at=NOW)
    for what in set(mails.SeatNotice) - {"act", "proposal", "over"}:
        assert all(render.seat_words(what, {"line": "pass", "days": 14}, user, NOW))
    for told in mails.UserNotice:
        assert render.user_memo(told, {"name": "Ben"}, game, user).lines[0]
