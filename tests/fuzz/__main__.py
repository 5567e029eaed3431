"""Spoil thousands of files: ``make fuzz``, or ``python -m tests.fuzz 500 7`` (files, seed)."""

import resource
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tests.fuzz.harness import Trial
from tests.support.site import open_site


def main(files: int = 10_000, seed: int = 1) -> None:
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="kp-fuzz-") as data,
        pytest.MonkeyPatch.context() as patch,
        open_site(Path(data), patch, LOG_LEVEL="ERROR") as site,
    ):
        trial = Trial(site, seed)
        for n, _way in enumerate(trial.files(files), start=1):
            if n % 500 == 0:
                sys.stdout.write(f"{n} files, {time.monotonic() - began:.0f} s\n")
                sys.stdout.flush()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    sys.stdout.write(f"{trial.tally}\n{time.monotonic() - began:.0f} s, at most {memory} MB\n")


main(*map(int, sys.argv[1:]))
