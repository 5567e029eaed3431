"""Animated WebP made frame by frame is what Pillow reads back, pixel for pixel."""

from io import BytesIO

import pytest
from PIL import Image, ImageDraw

from core.drawing import raster

SIZE = (61, 43)


def pictures() -> list[Image.Image]:
    """Pictures that differ here and there, at odd places too, and two that are equal."""
    made = [Image.new("RGB", SIZE, "#f4efe2")]
    for box, colour in [
        ((3, 5, 8, 9), "#dd2300"), ((51, 40, 60, 42), "#0c5080"), ((0, 0, 0, 0), "#ffe400"),
        ((0, 0, 60, 42), "#000000"), ((7, 7, 20, 30), "#010000"),
    ]:  # fmt: skip
        made.append(made[-1].copy())
        ImageDraw.Draw(made[-1]).rectangle(box, fill=colour)
    return [*made, made[-1].copy()]


@pytest.fixture
def made() -> Image.Image:
    shown = pictures()
    pairs = zip(shown, [None, *shown], strict=False)
    frames = [raster.frame(picture, before, 100 + n) for n, (picture, before) in enumerate(pairs)]
    return Image.open(BytesIO(raster.animation(SIZE, b"".join(frames))))


def test_every_frame_comes_back_as_it_was(made: Image.Image):
    assert (made.format, made.size, made.n_frames) == ("WEBP", SIZE, len(pictures()))
    for n, picture in enumerate(pictures()):
        made.seek(n)
        assert made.convert("RGB").tobytes() == picture.tobytes(), n


def test_it_runs_for_ever_and_each_frame_has_its_time(made: Image.Image):
    assert made.info["loop"] == 0
    for n in range(made.n_frames):
        made.seek(n)
        made.load()
        assert made.info["duration"] == 100 + n


def test_what_has_not_changed_costs_nearly_nothing():
    noise = Image.effect_noise((400, 300), 80).convert("RGB")
    changed = noise.copy()
    ImageDraw.Draw(changed).point([(1, 1), (398, 298)], fill="#dd2300")
    assert len(raster.frame(changed, noise, 100)) < len(raster.frame(noise, None, 100)) / 50
