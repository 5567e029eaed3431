"""M1: reports of other mail servers, as those in use write them."""

from pathlib import Path

import pytest

from core.mail.bounces import WHY_LENGTH, may_be_report, names, read_report

REPORTS = Path(__file__).parent / "reports"
NAME = "0123456789abcdef0123456789abcdef"
DOMAIN = "play.example.org"

CAME_BACK = {
    "postfix-unknown-user": "550 5.1.1 <anna@example.org>: Recipient address rejected: "
    "User unknown in virtual mailbox table",
    "exim-report": "552 5.2.2 Mailbox full",
    "exim-plain": "recipients. This is a permanent error. The following address(es) failed:",
    "exchange-online": "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient anna@example.org "
    "not found by SMTP address lookup",
    "gmail": "550-5.1.1 The email account that you tried to reach does not exist. Please try "
    "550-5.1.1 double-checking the recipient's email address for typos or "
    "550 5.1.1 unnecessary spaces.",
    "qmail": "Remote host said: 550 5.1.1 <anna@example.org>: User unknown",
    "sendmail": "553 5.3.0 <anna@example.org>... Addressee unknown",
    "international": "550 5.2.1 Postfach gelöscht",
}
NOTHING = ["postfix-delayed", "postfix-expired", "exim-plain-delayed", "arf-not-spam",
           "out-of-office"]  # fmt: skip


def raw(name: str) -> bytes:
    return (REPORTS / f"{name}.eml").read_bytes().replace(b"NAME", NAME.encode())


def test_all_reports_are_looked_at() -> None:
    found = {path.stem for path in REPORTS.glob("*.eml")}
    assert found == {*CAME_BACK, *NOTHING, "arf-abuse"}


@pytest.mark.parametrize("name", CAME_BACK)
@pytest.mark.parametrize("crlf", [False, True])
def test_m1_a_mail_that_came_back_for_good_is_known_with_its_reason(name: str, crlf: bool) -> None:
    text = raw(name)
    report = read_report(text.replace(b"\n", b"\r\n") if crlf else text, DOMAIN)
    assert report is not None
    assert (report.complaint, report.why, report.names) == (False, CAME_BACK[name], (NAME,))


@pytest.mark.parametrize("name", NOTHING)
def test_m1_what_is_late_or_no_trouble_is_no_report(name: str) -> None:
    assert read_report(raw(name), DOMAIN) is None


def test_m1_a_complaint_is_told_apart() -> None:
    report = read_report(raw("arf-abuse"), DOMAIN)
    assert report is not None
    assert (report.complaint, report.names) == (True, (NAME,))


@pytest.mark.parametrize("name", [*CAME_BACK, "arf-abuse"])
def test_names_are_those_of_our_domain(name: str) -> None:
    assert names(raw(name), DOMAIN) == (NAME,)
    assert names(raw(name), "other.example.org") == ()
    assert names(raw(name).replace(NAME.encode(), b"f00"), DOMAIN) == ()


def test_who_may_report() -> None:
    assert may_be_report(b"Subject: x\n\n", "")
    assert may_be_report(raw("arf-abuse"), "feedback@arf.mail.example.com")
    assert may_be_report(raw("gmail"), None)
    assert not may_be_report(b"Subject: Re: your turn\n\npass", "anna@example.org")
    assert not may_be_report(raw("qmail"), "anna@example.org")


@pytest.mark.parametrize("kind", ["delivery-status", "feedback-report", "global-delivery-status"])
def test_no_bytes_make_it_fail(kind: str) -> None:
    head = f"Content-Type: multipart/report; boundary=x\n\n--x\nContent-Type: message/{kind}\n\n"
    for rest in ("", "\n\n\n", "Action: failed", "Status: 5", "\xff: \xfe\n\nAction: failed\n",
                 "Action: failed\nStatus: 5.1.1\nDiagnostic-Code: " + "x" * 9000):  # fmt: skip
        report = read_report((head + rest + "\n--x--\n").encode("latin-1"), DOMAIN)
        assert report is None or len(report.why) <= WHY_LENGTH
