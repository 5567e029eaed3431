"""What fails again and again is put aside."""

from core.store.tables import InboundMail, Submission
from core.table.attempts import ATTEMPTS, begin_game, begin_mail, flag, unflag


def test_m78_a_game_that_fails_too_often_is_stopped_and_can_be_released(house):
    game, allowed = house.start("Anna", "Ben", auction="open"), []
    for _ in range(ATTEMPTS + 1):
        with house.write() as s:
            allowed.append(begin_game(s, game))
    assert allowed == [True] * ATTEMPTS + [False]
    assert "failed" in house.game(game).flag
    number = house.submit(game, house.asked(game)[0].seat, "auction 4 for 4")
    house.adjudicate(game)
    assert house.get(Submission, number).status == "pending"
    with house.write() as s:
        unflag(s, game)
    house.adjudicate(game)
    assert house.get(Submission, number).status == "accepted"
    assert house.game(game).attempts == 0


def test_m78_a_flag_keeps_its_first_reason(house):
    game = house.start("Anna", "Ben")
    for reason in ("slow", "slower"):
        with house.write() as s:
            flag(s, game, reason)
    assert house.game(game).flag == "slow"


def test_a_mail_that_fails_too_often_is_put_aside(house):
    with house.write() as s:
        mail = InboundMail(key="k", message_id="<m@x>", envelope_from="a@x", raw=b"")
        s.add(mail)
    allowed = []
    for _ in range(ATTEMPTS + 2):
        with house.write() as s:
            allowed.append(begin_mail(s, mail.id, house.now))
    assert allowed == [True] * ATTEMPTS + [False, False]
    assert house.get(InboundMail, mail.id).status == "failed"


def test_an_adjudication_that_ends_well_sets_the_count_back(house):
    game = house.start("Anna", "Ben")
    with house.write() as s:
        begin_game(s, game)
    assert house.game(game).attempts == 1
    house.adjudicate(game)
    assert house.game(game).attempts == 0
