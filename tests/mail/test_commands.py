"""Commands of an answer: what counts, where reading stops, what is asked back."""

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.mail import commands as module
from core.mail.commands import (
    GAME_VERBS,
    MAX_COMMANDS,
    VERBS,
    Accept,
    CancelOrder,
    Chat,
    Command,
    Decline,
    GameMove,
    GiveOrder,
    GoAway,
    Help,
    ListOrders,
    Ready,
    Status,
    Unknown,
    read_command,
    read_commands,
)

BID = GameMove("bid 15")


def test_the_examples_in_the_module_hold():
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("line, command", [
    ("bid 15", BID),
    ("BID  15", BID),
    ("Bíd 15", BID),
    ("ｂｉｄ　１５", BID),
    ("bid 15.", BID),
    ("bid 15 # my last", BID),
    ("bid 15#", BID),
    ("bid: 15", BID),
    ("bid15", BID),
    ("- bid 15", BID),
    ("• bid 15", BID),
    ("*bid 15*", BID),
    ("“bid 15”", BID),
    ("'bid 15'", BID),
    ("    bid 15", BID),
    ("bid −5", GameMove("bid -5")),
    ("bid", GameMove("bid")),
    ("pass", GameMove("pass")),
    ("PASS!!", GameMove("pass")),
    ("power all.", GameMove("power all")),
    ("Power 5 with 1 coal 1 oil", GameMove("power 5 with 1 coal 1 oil")),
    ("build Köln, Frankfurt (Oder), ’s-Hertogenbosch",
     GameMove("build Köln, Frankfurt (Oder), 's-Hertogenbosch")),
    ("build Halle – Saale", GameMove("build Halle - Saale")),
    ("discard 4 keep 3 coal 1 oil", GameMove("discard 4 keep 3 coal 1 oil")),
    ("auction 13 for 15", GameMove("auction 13 for 15")),
    ("buy nothing", GameMove("buy nothing")),
    ("chat Hello, Köln!", Chat("Hello, Köln!")),
    ("Chat: “well”… I am #1", Chat("“well”… I am #1")),
    ("chat yes # not for the table", Chat("yes")),
    ("chat bid 15", Chat("bid 15")),
    ("chat", Unknown("chat")),
    ("chat # nothing", Unknown("chat # nothing")),
    ("Status", Status()),
    ("help?", Help()),
    ("HELP.", Help()),
    ("help # please", Help()),
    ("accept", Accept()),
    ("Accept!", Accept()),
    ("DECLINE", Decline()),
    ("accept not", Unknown("accept not", ("accept",))),
    ("# bid 15", None),
    ("", None),
    ("   ", None),
    ("\u0301", None),
    ("> bid 15", None),
    (" >bid 15", None),
    ("＞ bid 15", None),
    ("| bid 15", None),
    ("bidd 15", Unknown("bidd 15", ("bid 15",))),
    ("aucton 13 for 15", Unknown("aucton 13 for 15", ("auction 13 for 15",))),
    ("I bid 15", Unknown("I bid 15", ("bid 15",))),
    ("Hi, bid 15!", Unknown("Hi, bid 15!", ("bid 15",))),
    ("Limit 20 to 26", GiveOrder("limit 20 to 26")),
    ("limit 20 off.", GiveOrder("limit 20 off")),
    ("limit", Unknown("limit", ("limit 20 to 26",))),
    ("order build Erfurt, Halle at most 15 each or ask", GiveOrder(
        "order build Erfurt, Halle at most 15 each or ask")),
    ("orders", ListOrders()),
    ("cancel 3", CancelOrder(3)),
    ("cancel order 4", CancelOrder(4)),
    ("cancel it", Unknown("cancel it", ("cancel 3",))),
    ("ready!", Ready()),
    ("vacation 5 days", GoAway(5)),
    ("15", Unknown("15")),
    ("!?", Unknown("!?")),
])  # fmt: skip
def test_one_line(line: str, command: Command | None):
    assert read_command(line) == command


LONG = "build Erfurt, Halle, Leipzig, Dresden, Berlin, Magdeburg, Frankfurt-Oder,"
LONG_CHAT = "chat I think that all of you buy far too much coal, and next time you may"


@pytest.mark.parametrize("lines, commands", [
    ([], ()),
    (["bid 15"], (BID,)),
    (["chat hi", "bid 15"], (Chat("hi"), BID)),
    (["bid 15", "", "pass"], (BID,)),
    (["bid 15", "Thanks,", "pass"], (BID,)),
    (["bid 15", "Viele Grüße", "Anna"], (BID,)),
    (["bid 15", "ありがとう。", "Anna"], (BID,)),
    (["bid 15", "Anna"], (BID,)),
    (["Hi,", "bid 15"], (BID,)),
    (["Dear Kraftpost,", "", "bid 15"], (BID,)),
    (["# remark", "", "bid 15"], (BID,)),
    (["Thanks!"], ()),
    (["Thanks, pass"], (Unknown("Thanks, pass", ("pass",)),)),
    (["raise it to 20", "pass"], (Unknown("raise it to 20"), GameMove("pass"))),
    (["my move:", "", "bid 15", "", "pass"], (BID,)),
    (["> pass", "bid 15"], (BID,)),
    # lines that a mail program broke
    ([LONG, "Köln"], (GameMove(f"{LONG} Köln"),)),
    ([LONG, "", "Köln"], (GameMove(LONG[:-1]),)),
    ([LONG, "chat hi"], (GameMove(LONG[:-1]), Chat("hi"))),
    (["build Halle,", "Köln"], (GameMove("build Halle, Köln"),)),
    ([LONG_CHAT, "pass"], (Chat(f"{LONG_CHAT[5:]} pass"),)),
    ([LONG_CHAT + " be sorry", "pass"], (Chat(f"{LONG_CHAT[5:]} be sorry"), GameMove("pass"))),
    ([LONG_CHAT, "Limit 20 to 26"],
     (Chat(LONG_CHAT[5:]), Unknown("Limit 20 to 26", torn=True))),
    ([LONG_CHAT, "bid farewell to us"], (Chat(f"{LONG_CHAT[5:]} bid farewell to us"),)),
    (["bid 15   # that is all that I have, and more than it is worth to me, as",
      "pass might be better"], (BID, GameMove("pass might be better"))),
    (["bid 15 # that is all that I have, and more than it is worth to all of us,",
      "I think"], (BID,)),
])  # fmt: skip
def test_several_lines(lines: list[str], commands: tuple[Command, ...]):
    assert read_commands(lines) == commands


def test_a_flood_of_lines_is_cut():
    assert read_commands(["chat a"] * 50) == (Chat("a"),) * (MAX_COMMANDS + 1)
    assert len(read_commands(["what is this, 1 or 2"] * 2000)) == MAX_COMMANDS + 1


@given(st.lists(st.text(max_size=90), max_size=12))
def test_no_text_breaks_the_reader(lines: list[str]):
    for command in read_commands(lines):
        match command:
            case GameMove(text):
                assert text.split(" ")[0] in GAME_VERBS
                assert "#" not in text
                assert text == " ".join(text.split())
            case Chat(text) | Unknown(text):
                assert text.strip()


@given(st.sampled_from(VERBS), st.sampled_from([" ", "  ", "\t", "\u00a0"]), st.data())
def test_case_and_blanks_do_not_matter(verb: str, blank: str, data: st.DataObject):
    cased = "".join(data.draw(st.sampled_from([c, c.upper()])) for c in verb)
    assert read_command(f"{blank}{cased}{blank}2 Ab{blank}") == read_command(f"{verb} 2 Ab") or (
        isinstance(read_command(f"{verb} 2 Ab"), Unknown)
        and isinstance(read_command(f"{cased} 2 Ab"), Unknown)
    )
