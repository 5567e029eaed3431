"""Celery: thin tasks around functions of core, and the doorbell that wakes them.

Redis holds no truth. A task takes an id, reads the rows afresh and does nothing where nothing is
to be done; what a lost task leaves behind is found again by the tick.
"""
