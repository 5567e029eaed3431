"""A clock that only a test turns, shared by its processes through eight bytes of a file."""

import os
import struct
from datetime import UTC, datetime, timedelta
from pathlib import Path


class Clock:
    """Stands still until it is turned; every process that opened the file sees the same time."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    @property
    def now(self) -> datetime:
        (seconds,) = struct.unpack("d", os.pread(self._file, 8, 0))
        return datetime.fromtimestamp(seconds, UTC)

    def turn(self, to: datetime) -> None:
        os.pwrite(self._file, struct.pack("d", to.timestamp()), 0)

    def forward(self, **delta: float) -> None:
        self.turn(self.now + timedelta(**delta))

    def close(self) -> None:
        os.close(self._file)
