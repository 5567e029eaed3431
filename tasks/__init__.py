"""Celery: thin tasks around functions of core."""
