"""Counts what Python does: a measure of time that no other load on the machine disturbs."""

import sys
from collections.abc import Callable


def work(function: Callable[[], object]) -> int:
    """Lines executed and built-in functions called."""
    count = 0

    def trace(frame: object, event: str, arg: object) -> object:
        nonlocal count
        count += 1
        return trace

    def profile(frame: object, event: str, arg: object) -> None:
        nonlocal count
        count += event == "c_call"

    before, before_profile = sys.gettrace(), sys.getprofile()
    sys.setprofile(profile)
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
        sys.setprofile(before_profile)
    return count
