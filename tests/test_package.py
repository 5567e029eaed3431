"""What is built for others holds all that a running service reads (D1, D6)."""

import re
import subprocess
import sys
import tarfile
import tomllib
from importlib import metadata
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
VISIT = """
from pathlib import Path
import core.places, webapp.app
from core.settings import load
from core.mail.compose import templates

here = Path.cwd()
assert Path(core.__file__).is_relative_to(here), core.__file__
assert core.places.TEMPLATES.is_relative_to(here), core.places.TEMPLATES
visitor = webapp.app.create_app().test_client()
for page in ("/rules/standard", "/static/kraftpost.css", "/sign-in"):
    assert visitor.get(page).status_code == 200, page
assert templates(plain=True).get_template("turn.html")
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """The wheel and the sdist, built from the files of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    return folder


def _ours(*rooms: str) -> set[str]:
    """Every file of these rooms but what Python makes of them."""
    files = (path for room in rooms for path in (ROOT / room).rglob("*") if path.is_file())
    return {
        path.relative_to(ROOT).as_posix()
        for path in files
        if "__pycache__" not in path.parts and path.suffix not in (".pot", ".log")
    }


def test_the_wheel_holds_code_data_pages_and_mails(built):
    with ZipFile(next(built.glob("*.whl"))) as wheel:
        held = set(wheel.namelist())
    assert _ours("core", "tasks", "webapp") <= held
    assert {f"core/{name}" for name in _ours("templates")} <= held
    assert {"core/py.typed", "tasks/py.typed", "webapp/py.typed"} <= held
    others = {name.split("/")[0] for name in held} - {"core", "tasks", "webapp"}
    assert len(others) == 1, "nothing but the three rooms and what pip needs"


def test_a_service_runs_from_the_wheel_alone(built, tmp_path):
    """D1: the pages and mails are found where the wheel is unpacked, far from any checkout."""
    with ZipFile(next(built.glob("*.whl"))) as wheel:
        wheel.extractall(tmp_path)  # noqa: S202 (our own)
    subprocess.run(
        [sys.executable, "-c", VISIT],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "KRAFTPOST_DATA": str(tmp_path / "var"), "PATH": ""},
        check=True,
        timeout=60,
    )


def test_a_wheel_can_be_built_from_the_sdist(built):
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        held = {name.split("/", 1)[-1] for name in sdist.getnames()}
    assert _ours("core", "tasks", "webapp", "templates") <= held
    assert {"pyproject.toml", "README.md", "LICENSE", "NOTICE", "Procfile", "Makefile"} <= held


def test_the_package_says_what_it_is():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["authors"] and project["classifiers"] and project["keywords"]
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"\n## {project['version']}" in changes, "the version has its own part of the changelog"


def test_flask_finds_the_application(tmp_path):
    """D6: `flask --app webapp.app:create_app` needs no argument."""
    asked = subprocess.run(
        [sys.executable, "-m", "flask", "--app", "webapp.app:create_app", "routes"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "/healthz" in asked.stdout, asked.stderr


def test_notice_names_the_licence_of_every_package():
    """Of all that playing needs and that is installed here: `make licences` writes it."""
    notice = (ROOT / "NOTICE").read_text("utf-8")
    lines = (ROOT / "requirements" / "play.lock").read_text("utf-8").splitlines()
    names = [line.partition("==")[0] for line in lines if "==" in line and line[0] != " "]
    assert len(names) > 40
    for name in names:
        try:
            metadata.metadata(name)
        except metadata.PackageNotFoundError:
            continue  # for another platform
        assert re.search(rf"^  {re.escape(name)}: \S", notice, re.MULTILINE), name
