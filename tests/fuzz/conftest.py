"""A site to bring files to."""

from tests.webapp.conftest import site

__all__ = ["site"]
