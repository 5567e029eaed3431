"""The registry of mail kinds is whole: each kind has its template and all that writes it."""

from itertools import groupby

from core.mail.compose import FOLDER
from core.mail.kinds import KINDS, MailKind, written_as
from tests.support.letters import TOPICS


def test_every_kind_is_registered_and_has_a_template_and_every_template_a_kind() -> None:
    assert list(KINDS) == list(MailKind)
    assert {kind.template for kind in KINDS.values()} == {
        folder.name for folder in FOLDER.iterdir() if folder.is_dir() and folder.name != "parts"
    }


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
