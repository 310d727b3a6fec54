"""Photos of the real table: made smaller, turned upright, and with nothing in them of where, when and by what they were taken."""

import io
import warnings
from typing import NamedTuple

from PIL import Image, ImageOps, UnidentifiedImageError

MOST_BYTES = 12_000_000
MOST_PIXELS = 120_000_000  # of a JPEG, which is opened at a fraction of its size
MOST_AT_ONCE = 30_000_000  # of others, which have to be opened whole
LARGE, SMALL = 1600, 320  # pixels, the longer side
QUALITY = 80
KINDS = ("JPEG", "PNG", "WEBP")
SEE_THROUGH = ("LA", "La", "PA", "RGBA", "RGBa")  # modes with an alpha channel
SPOILT = (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError)  # what Pillow ends in


class NoPhoto(Exception):
    """This cannot be taken for a photo; the text says why."""


class Photo(NamedTuple):
    """A photo as JPEG, and a small one of it."""

    data: bytes
    small: bytes


def scaled(content: bytes) -> Photo:
    """Return a photo scaled down to 1600 pixels, and to 320, without any data beside the picture.

    :raises NoPhoto: when it is none, or too large.
    """
    if not content:
        raise NoPhoto("Choose a photo first.")
    if len(content) > MOST_BYTES:
        raise NoPhoto(f"That photo is larger than {MOST_BYTES // 1_000_000} MB. Send a smaller one.")
    if content[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftyphevc"):
        raise NoPhoto(
            "This is a HEIC photo. Have the camera save JPEG (“most compatible”), or send a screenshot of it."
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # Pillow's own limit of pixels is a warning first
            return _scaled(content)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise NoPhoto("That picture has too many pixels.") from None
    except SPOILT:
        raise NoPhoto("That is no photo that can be read: JPEG, PNG and WebP can.") from None


def _scaled(content: bytes) -> Photo:
    with Image.open(io.BytesIO(content), formats=KINDS) as opened:
        jpeg = opened.format == "JPEG"
        if opened.width * opened.height > (MOST_PIXELS if jpeg else MOST_AT_ONCE):
            raise Image.DecompressionBombError
        if jpeg:
            opened.draft("RGB", (LARGE, LARGE))
        large = _fitted(opened, LARGE)
        return Photo(_jpeg(large), _jpeg(_fitted(large, SMALL)))


def _fitted(image: Image.Image, side: int) -> Image.Image:
    """Return a picture upright, on white where it is transparent, with a longer side of so many pixels at most."""
    fitted = _smooth(ImageOps.exif_transpose(image))
    fitted.thumbnail((side, side), Image.Resampling.LANCZOS)
    seen = fitted.convert("RGBA")
    flat = Image.new("RGB", seen.size, "white")
    flat.paste(seen, mask=seen.getchannel("A"))
    return flat


def _smooth(image: Image.Image) -> Image.Image:
    """Return a picture with 8 bits per channel in a mode that can be scaled down."""
    if image.mode == "I" or image.mode.startswith("I;16"):  # 16-bit gray: `convert` would clip it, not scale it
        keyed = image.info.pop("transparency", None)
        image = image.convert("I").point(lambda value: value * (1 / 257) + 0.5).convert("L")
        if keyed is not None:
            image.info["transparency"] = round(keyed / 257)
    if image.mode in SEE_THROUGH or "transparency" in image.info:
        return image.convert("RGBA")
    return image if image.mode in ("L", "RGB") else image.convert("RGB")


def _jpeg(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=QUALITY, optimize=True)
    return out.getvalue()
