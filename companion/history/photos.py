"""Scales photos down, turns them upright and removes their metadata."""

import io
import re
import warnings
from typing import NamedTuple

from PIL import Image, ImageOps, UnidentifiedImageError

MAX_BYTES = 12_000_000
MAX_JPEG_PIXELS = 120_000_000  # for a JPEG, which is decoded at a fraction of its size
MAX_OTHER_PIXELS = 30_000_000  # for other formats, which must be decoded at full size
LARGE_SIDE, SMALL_SIDE = 1600, 320  # pixels of the longer side
QUALITY = 80
FORMATS = ("JPEG", "PNG", "WEBP")
JPEG_FORMATS = ("JPEG", "MPO")  # an MPO is a JPEG with further images after the photo, such as its depth
# The beginnings of files that are refused, with what they are and what to do instead.
SCREENSHOT_ADVICE = "Save it as JPEG, or upload a screenshot of it."
REFUSED_FORMATS = (
    (
        rb"....ftyp(hei[cmsx]|hev[cmsx]|mif1|msf1)",
        "a HEIC photo",
        "Set your camera to JPEG (\u201cMost Compatible\u201d), or upload a screenshot of the photo.",
    ),
    (rb"....ftypavi[fs]", "an AVIF picture", SCREENSHOT_ADVICE),
    (rb"\xff\x0a|\0\0\0\x0cJXL ", "a JPEG XL picture", SCREENSHOT_ADVICE),
    (rb"....ftypcrx |FUJIFILMCCD-RAW|IIU\0|IIRO", "a RAW photo", SCREENSHOT_ADVICE),
    (rb"II\*\0|MM\0[*+]|II\+\0", "a TIFF or RAW photo", SCREENSHOT_ADVICE),
    (rb"GIF8[79]a", "a GIF", SCREENSHOT_ADVICE),
    (rb"BM....\0\0\0\0", "a BMP picture", SCREENSHOT_ADVICE),
    (rb"%PDF", "a PDF", SCREENSHOT_ADVICE),
    (rb"\s*(<\?xml.*)?<svg", "an SVG drawing", SCREENSHOT_ADVICE),
    (rb"....ftyp|\x1aE\xdf\xa3|RIFF....AVI ", "a video", "Upload a photo, or a screenshot of the video."),
)
ALPHA_MODES = ("LA", "La", "PA", "RGBA", "RGBa")  # modes with an alpha channel
DECODE_ERRORS = (OSError, SyntaxError, ValueError, EOFError)  # raised by Pillow


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
    for beginning, kind, advice in REFUSED_FORMATS:
        if re.match(beginning, content[:1000], re.DOTALL):
            raise InvalidPhotoError(f"This is {kind}. {advice}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of metadata that is damaged, or of further images that are missing
            warnings.simplefilter("error", Image.DecompressionBombWarning)  # Pillow warns first when there are too many
            return _scale(content)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise InvalidPhotoError("This photo has too many pixels. Choose a smaller one.") from None
    except UnidentifiedImageError:
        raise InvalidPhotoError("This file is not a readable photo. Use a JPEG, PNG or WebP.") from None
    except DECODE_ERRORS:
        raise InvalidPhotoError("This photo is damaged or incomplete. Choose another one.") from None


def _scale(content: bytes) -> ScaledPhoto:
    with Image.open(io.BytesIO(content), formats=FORMATS) as opened:
        jpeg = opened.format in JPEG_FORMATS
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
