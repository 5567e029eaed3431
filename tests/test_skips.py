"""A skipped test is named with its reason, and is a failure where nothing may be skipped."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CASES = {
    "in_a_test": 'import pytest\ndef test_it(): pytest.skip("no chimney")\n',
    "by_a_mark": 'import pytest\n@pytest.mark.skip(reason="no chimney")\ndef test_it(): pass\n',
    "in_a_fixture": (
        'import pytest\n@pytest.fixture\ndef fire(): pytest.skip("no chimney")\n'
        "def test_it(fire): pass\n"
    ),
    "a_whole_module": 'import pytest\npytest.skip("no chimney", allow_module_level=True)\n',
}
EXPECTED = "import pytest\n@pytest.mark.xfail(strict=True)\ndef test_it(): assert 0\n"


def run(directory: Path, codes: dict[str, str], *words: str, forbid: bool) -> str:
    for name, code in codes.items():
        (directory / f"test_{name}.py").write_text(code)
    (directory / "test_other.py").write_text("def test_other(): pass\n")
    (directory / "conftest.py").write_text("from tests.conftest import *\n")
    options = ("-p", "no:cacheprovider", "--rootdir", str(directory), "-c", "/dev/null")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *words, str(directory)],
        env={**os.environ, "KRAFTPOST_FORBID_SKIPS": str(int(forbid)), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    return f"{done.stdout}\nexit code {done.returncode}"


@pytest.mark.parametrize("words", [(), ("-n", "1")], ids=["alone", "xdist"])
def test_skips_are_told(tmp_path: Path, words: tuple[str, ...]) -> None:
    told = run(tmp_path, CASES, *words, forbid=False)
    assert "4 skipped: no chimney\n" in told
    for name in CASES:
        assert f"    test_{name}.py" in told
    assert "1 passed, 4 skipped" in told
    assert "exit code 0" in told


@pytest.mark.parametrize("words", [(), ("-n", "1")], ids=["alone", "xdist"])
def test_skips_fail_where_they_are_forbidden(tmp_path: Path, words: tuple[str, ...]) -> None:
    told = run(tmp_path, CASES, *words, "--continue-on-collection-errors", forbid=True)
    assert told.count("Skipped where nothing may be: no chimney") >= len(CASES)
    assert "1 failed, 1 passed, 3 errors" in told
    assert "exit code 1" in told


def test_what_is_expected_to_fail_is_no_skip(tmp_path: Path) -> None:
    told = run(tmp_path, {"expected": EXPECTED}, forbid=True)
    assert "1 passed, 1 xfailed" in told
    assert "Nothing was skipped." in told
    assert "exit code 0" in told
