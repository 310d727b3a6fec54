"""Scales photos down, turns them upright and removes their metadata."""

import io
import warnings
from typing import NamedTuple

from PIL import Image, ImageOps, UnidentifiedImageError

MAX_BYTES = 12_000_000
MAX_JPEG_PIXELS = 120_000_000  # for a JPEG, which is decoded at a fraction of its size
MAX_OTHER_PIXELS = 30_000_000  # for other formats, which must be decoded at full size
LARGE_SIDE, SMALL_SIDE = 1600, 320  # pixels of the longer side
QUALITY = 80
FORMATS = ("JPEG", "PNG", "WEBP")
ALPHA_MODES = ("LA", "La", "PA", "RGBA", "RGBa")  # modes with an alpha channel
DECODE_ERRORS = (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError)  # raised by Pillow


class InvalidPhotoError(Exception):
    """The data cannot be used as a photo; the message has the reason."""


class ScaledPhoto(NamedTuple):
    """A photo as JPEG in two sizes."""

    data: bytes
    small: bytes


def scale(content: bytes) -> ScaledPhoto:
    """Return a photo scaled down to 1600 and to 320 pixels, without metadata.

    :raises InvalidPhotoError: when the data is no readable photo, or too large.
    """
    if not content:
        raise InvalidPhotoError("Choose a photo first.")
    if len(content) > MAX_BYTES:
        raise InvalidPhotoError(f"This photo is larger than {MAX_BYTES // 1_000_000} MB. Choose a smaller one.")
    if content[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftyphevc"):
        raise InvalidPhotoError(
            "This is a HEIC photo. Set your camera to JPEG (“Most Compatible”), or upload a screenshot of the photo."
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # Pillow warns first when its pixel limit is exceeded
            return _scale(content)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise InvalidPhotoError("This photo has too many pixels. Choose a smaller one.") from None
    except DECODE_ERRORS:
        raise InvalidPhotoError("This file is not a readable photo. Use a JPEG, PNG or WebP.") from None


def _scale(content: bytes) -> ScaledPhoto:
    with Image.open(io.BytesIO(content), formats=FORMATS) as opened:
        jpeg = opened.format == "JPEG"
        if opened.width * opened.height > (MAX_JPEG_PIXELS if jpeg else MAX_OTHER_PIXELS):
            raise Image.DecompressionBombError
        if jpeg:
            opened.draft("RGB", (LARGE_SIDE, LARGE_SIDE))
        large = _fit(opened, LARGE_SIDE)
        return ScaledPhoto(_encode_jpeg(large), _encode_jpeg(_fit(large, SMALL_SIDE)))


def _fit(image: Image.Image, side: int) -> Image.Image:
    """Return an image upright, on white, with its longer side at most `side` pixels."""
    fitted = _normalize_mode(ImageOps.exif_transpose(image))
    fitted.thumbnail((side, side), Image.Resampling.LANCZOS)
    rgba = fitted.convert("RGBA")
    opaque = Image.new("RGB", rgba.size, "white")
    opaque.paste(rgba, mask=rgba.getchannel("A"))
    return opaque


def _normalize_mode(image: Image.Image) -> Image.Image:
    """Return an image with 8 bits per channel in a mode that can be scaled down."""
    if image.mode == "I" or image.mode.startswith("I;16"):  # 16-bit gray: `convert` would clip it, not scale it
        transparent_value = image.info.pop("transparency", None)
        image = image.convert("I").point(lambda value: value * (1 / 257) + 0.5).convert("L")
        if transparent_value is not None:
            image.info["transparency"] = round(transparent_value / 257)
    if image.mode in ALPHA_MODES or "transparency" in image.info:
        return image.convert("RGBA")
    return image if image.mode in ("L", "RGB") else image.convert("RGB")


def _encode_jpeg(image: Image.Image) -> bytes:
    output = io.BytesIO()
    image.save(output, "JPEG", quality=QUALITY, optimize=True)
    return output.getvalue()
