"""Every payment is told: the amounts of text, pages and export sum up to everybody's Elektro."""

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape

import pytest

from core.game.evolve import replay
from core.game.log.jsonl import load
from core.game.rules import catalog
from core.story.accounts import by_round, ledger
from core.story.course import course, transitions
from tests.support.finished import NAMES, finished
from tests.support.site import Site, open_site

BOARDS = ("germany", "usa", "france", "italy")
PRESETS = [
    (info.key, BOARDS[n % len(BOARDS)], 2 + n % 5, ("open", "sealed")[n % 2])
    for n, info in enumerate(catalog.variants())
]
BOUGHT = re.compile(r"(\w+) bought (?:plant \d+|\d+ [a-z]+(?:, \d+ [a-z]+)*) for (\d+)")
BUILT = re.compile(r"(\w+) built in (.*)")
PAID = re.compile(r"(\w+) (\d+) for \d+ cit")

Told = dict[int, dict[str, int]]
"""By round: what each has at its end."""


class Reader:
    """Adds up the lines of a log, knowing nothing but how much everybody began with."""

    def __init__(self, names: list[str], start: int) -> None:
        self.purse = Counter(dict.fromkeys(names, start))
        self.lines = 0

    def read(self, line: str) -> None:
        before = self.purse.copy()
        if match := BOUGHT.match(line):
            self.purse[match[1]] -= int(match[2])
        elif match := BUILT.match(line):
            self.purse[match[1]] -= sum(map(int, re.findall(r" \((\d+)\)", match[2])))
        elif line.startswith("Income: "):
            for part in line.removeprefix("Income: ").split("; "):
                match = PAID.match(part)
                self.purse[match[1]] += int(match[2])
        self.lines += self.purse != before


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with (
        pytest.MonkeyPatch.context() as patch,
        open_site(tmp_path_factory.mktemp("sums"), patch) as opened,
    ):
        yield opened


@pytest.fixture(scope="module", params=PRESETS, ids=lambda preset: preset[0])
def played(request, site: Site):
    variant, board, players, auction = request.param
    game_id = finished(site.house, board, players, variant, auction=auction)
    events = site.house.events(game_id)
    wanted = {}
    for then in course(transitions(events)):
        purses = [p.elektro for p in replay(events[: then.last]).players]
        wanted[then.round] = dict(zip(NAMES, purses, strict=False))
    assert len(wanted) > 3
    return site.visitor(), game_id, wanted


def of_text(text: str) -> tuple[Told, Told]:
    """Sums of the lines, and the sums that stand under them."""
    start = int(re.search(r"began\s+with\s+(\d+)\s+Elektro", text)[1])
    by_lines, by_tables = {}, {}
    reader = None
    for chapter in text.split("\n\n\n"):
        number = re.match(r"Round (\d+)", chapter)
        if not number:
            continue
        lines = re.sub(r"\n  ", " ", chapter).splitlines()
        head = next(n for n, line in enumerate(lines) if line.startswith("Elektro in round"))
        rows = [line.split() for line in lines[head + 2 :]]
        by_tables[int(number[1])] = {row[0]: int(row[-1]) for row in rows}
        for row in rows:
            assert sum(map(int, row[1:-1])) == int(row[-1])
        reader = reader or Reader([row[0] for row in rows], start)
        for line in lines[:head]:
            reader.read(line.removeprefix("- "))
        by_lines[int(number[1])] = dict(reader.purse)
    assert reader.lines > 20
    return by_lines, by_tables


def test_every_amount_of_the_text_sums_up_to_everybodys_elektro_in_every_round(played):
    visitor, game_id, wanted = played
    by_lines, by_tables = of_text(visitor.page(f"/games/{game_id}/report.txt"))
    assert by_lines == wanted
    assert by_tables == wanted


def test_every_amount_of_the_page_does_so(played):
    visitor, game_id, wanted = played
    page = visitor.page(f"/games/{game_id}")
    log = page[page.index('<div class="log"') : page.index("</section>", page.index('class="log"'))]
    reader = Reader(list(wanted[1]), 50)
    told = {}
    for chapter in reversed(log.split("<h3>")):
        if number := re.match(r"(?:<a [^>]*>)?Round (\d+)", chapter):
            for line in reversed(re.findall(r"</a><span>(.*?)</span></li>", chapter)):
                reader.read(unescape(line))
            told[int(number[1])] = dict(reader.purse)
    assert told == wanted


def test_every_amount_of_the_printed_pages_does_so(played):
    visitor, game_id, wanted = played
    page = visitor.page(f"/games/{game_id}/print")
    reader = Reader(list(wanted[1]), 50)
    by_lines, by_tables = {}, {}
    for sheet in page.split('<article class="leaf round')[1:]:
        number = int(re.search(r'id="round-(\d+)"', sheet)[1])
        table = sheet[sheet.index('class="purses"') : sheet.index('<div class="told">')]
        by_tables[number] = {}
        for row in table.split("<tr>")[2:]:
            name = re.search(r"class=\"name\">(\w+)", row)[1]
            *flows, after = map(int, re.findall(r'num">(?:<b>)?(-?\d+)', row)[:7])
            assert sum(flows) == after
            by_tables[number][name] = after
        told = sheet[sheet.index('<div class="told">') : sheet.index("</article>")]
        for line in re.findall(r"<li>(.*?)</li>", told):
            reader.read(unescape(line))
        by_lines[number] = dict(reader.purse)
    assert by_tables == wanted
    assert by_lines == wanted


def test_every_amount_of_the_export_does_so(played):
    visitor, game_id, wanted = played
    log = load(visitor.page(f"/games/{game_id}/log.jsonl").splitlines())
    sums = by_round(ledger(transitions(log.events)), len(wanted))
    assert {
        number: {NAMES[one.seat]: one.after for one in seats} for number, seats in sums.items()
    } == wanted
