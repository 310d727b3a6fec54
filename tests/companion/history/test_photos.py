"""Tests of table photos: scaled down, upright and without metadata."""

import io
import random
import struct
import zlib

import pytest
from PIL import Image, ImageDraw, ImageFile

from companion.history.photos import LARGE_SIDE, MAX_BYTES, SMALL_SIDE, InvalidPhotoError, _fit, scale
from tests.support.parametrize import parametrize_cases, run_all_rows

TELLTALES = (b"Exif", b"GPS", b"http://ns.adobe.com", b"ICC_PROFILE", b"Secret Camera", b"a comment", b"2026:11:23")


@pytest.fixture(autouse=True)
def without_weasyprint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have Pillow refuse truncated pictures, as in the process that scales photos.

    WeasyPrint makes Pillow accept them, but that process never loads WeasyPrint.
    """
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", False)


def make_photo(size: tuple[int, int] = (2000, 1000), kind: str = "JPEG", **options) -> bytes:
    """Return a picture whose left half is red and whose right half is blue."""
    image = Image.new(options.pop("mode", "RGB"), size, "red")
    ImageDraw.Draw(image).rectangle((size[0] // 2, 0, *size), fill="blue")
    return encode(image, kind, **options)


def encode(image: Image.Image, kind: str, **options) -> bytes:
    output = io.BytesIO()
    image.save(output, kind, **options)
    return output.getvalue()


def make_exif(orientation: int = 1) -> Image.Exif:
    """Return the metadata of a camera, including the location."""
    data = Image.Exif()
    data[0x0112], data[0x0110], data[0x0132] = orientation, "Secret Camera", "2026:11:23 20:00:00"
    data.get_ifd(0x8825)[2] = (48.0, 8.0, 12.0)  # GPSLatitude
    data.get_ifd(0x8825)[1] = "N"
    return data


def open_image(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_photo_is_stored_as_a_large_and_a_small_jpeg(kind: str):
    photo = scale(make_photo(kind=kind))
    assert [open_image(item).format for item in photo] == ["JPEG", "JPEG"]
    assert open_image(photo.data).size == (LARGE_SIDE, LARGE_SIDE // 2) and open_image(photo.small).size == (
        SMALL_SIDE,
        SMALL_SIDE // 2,
    )


def test_small_photo_is_not_enlarged():
    assert open_image(scale(make_photo((300, 200))).data).size == (300, 200)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_photo_metadata_is_removed(kind: str):
    more = {"comment": b"a comment"} if kind == "JPEG" else {}
    content = make_photo(kind=kind, exif=make_exif(), icc_profile=b"ICC_PROFILE of Secret Camera", **more)
    assert b"Secret Camera" in content
    for image in scale(content):
        assert not [telltale for telltale in TELLTALES if telltale in image]
        assert open_image(image).getexif() == {} and set(open_image(image).info) <= {
            "jfif",
            "jfif_version",
            "jfif_unit",
            "jfif_density",
        }


# Orientation in the metadata -> the sides where the red half and the white top edge are then.
UPRIGHT = {
    1: "left top",
    2: "right top",
    3: "right bottom",
    4: "left bottom",
    5: "top left",
    6: "top right",
    7: "bottom right",
    8: "bottom left",
}


@run_all_rows("orientation", UPRIGHT)
def test_photo_taken_sideways_is_turned_upright(orientation: int):
    picture = open_image(make_photo((800, 400)))
    ImageDraw.Draw(picture).rectangle((0, 0, 800, 100), fill="white")
    content = encode(picture, "JPEG", exif=make_exif(orientation))
    image = open_image(scale(content).data)
    width, height = image.size
    assert (width > height) == (orientation in (1, 2, 3, 4))
    edges = {"left": (9, height // 2), "right": (width - 9, height // 2)}
    edges |= {"top": (width // 2, 9), "bottom": (width // 2, height - 9)}
    if width > height:  # the middle of a side is below the white edge
        corner = {"left": 9, "right": width - 9}
        red_side, white_side = UPRIGHT[orientation].split()
        red_at, white_at = (corner[red_side], height // 2), edges[white_side]
    else:
        corner = {"top": 9, "bottom": height - 9}
        red_side, white_side = UPRIGHT[orientation].split()
        red_at, white_at = (width // 2, corner[red_side]), edges[white_side]
    red, green, blue = image.getpixel(red_at)
    assert red > 200 and green < 60 and blue < 60
    assert min(image.getpixel(white_at)) > 200


@run_all_rows("mode", ["RGBA", "LA", "P", "L", "CMYK"])
def test_other_pixel_modes_are_accepted(mode: str):
    output = io.BytesIO()
    Image.new("RGB", (50, 40), "red").convert(mode).save(output, "JPEG" if mode == "CMYK" else "PNG")
    assert open_image(scale(output.getvalue()).data).mode == "RGB"


def test_transparent_pixels_become_white():
    output = io.BytesIO()
    Image.new("RGBA", (50, 40), (0, 0, 0, 0)).save(output, "PNG")
    assert open_image(scale(output.getvalue()).data).getpixel((5, 5)) == (255, 255, 255)


def grey_ramp(mode: str) -> Image.Image:
    """Return a picture that goes from black on the left to white on the right."""
    grey = Image.frombytes("L", (256, 40), bytes(range(256)) * 40)
    match mode:
        case "1":
            return grey.convert("1")  # dithered
        case "P":
            return grey.convert("P", palette=Image.Palette.ADAPTIVE)
        case "P with transparency":
            clear = grey.convert("P", palette=Image.Palette.ADAPTIVE)
            clear.info["transparency"] = bytes([255] * 256)
            return clear
        case "I":
            return grey.convert("I").point(lambda value: value * 257)
        case "I;16" | "I;16L" | "I;16B":
            order = "big" if mode == "I;16B" else "little"
            data = b"".join((value * 257).to_bytes(2, order) for value in range(256))
            return Image.frombytes(mode, grey.size, data * grey.height)
    return grey.convert("RGB").convert(mode)


def grey_levels(image: Image.Image) -> list[float]:
    """Return the mean brightness of each quarter of a picture."""
    parts = [
        image.convert("L").crop((column * 64, 0, column * 64 + 64, 40)).resize((1, 1), Image.Resampling.BOX)
        for column in range(4)
    ]
    return [part.getpixel((0, 0)) for part in parts]


MODES = ("1", "L", "LA", "P", "P with transparency", "RGB", "RGBA", "CMYK", "YCbCr", "I", "I;16", "I;16L", "I;16B", "F")


def test_gray_ramp_in_any_pixel_mode_stays_a_ramp():
    wrong = {}
    for mode in MODES:
        levels = grey_levels(_fit(grey_ramp(mode), LARGE_SIDE))
        if any(abs(level - expected) > 8 for level, expected in zip(levels, (32, 96, 160, 224), strict=True)):
            wrong[mode] = levels
    assert wrong == {}


def png(*chunks: tuple[bytes, bytes]) -> bytes:
    """Return a PNG of the given chunks: name and data."""
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )


def png_of_16_bits(colour: int, samples: int, *more: tuple[bytes, bytes]) -> bytes:
    """Return a PNG ramp with 16 bits a sample and the given additional chunks.

    :param colour: the PNG color type: gray (0), RGB (2), gray with alpha (4) or RGBA (6).
    """

    alpha = (65535,) if colour in (4, 6) else ()
    row = b"".join(struct.pack(f">{samples}H", *[x * 257] * (samples - len(alpha)), *alpha) for x in range(256))
    head = struct.pack(">IIBBBBB", 256, 40, 16, colour, 0, 0, 0)
    return png((b"IHDR", head), *more, (b"IDAT", zlib.compress((b"\0" + row) * 40)), (b"IEND", b""))


def test_ramp_in_any_file_format_stays_a_ramp():
    files = {
        f"16-bit PNG of colour type {kind}": png_of_16_bits(kind, many)
        for kind, many in ((0, 1), (2, 3), (4, 2), (6, 4))
    }
    supported = {
        "PNG": ("1", "L", "LA", "P", "P with transparency", "RGB", "RGBA", "I;16"),
        "JPEG": ("L", "RGB", "CMYK", "YCbCr"),
        "WEBP": ("L", "RGB", "RGBA"),
    }
    for kind, mode in [(kind, mode) for kind, modes in supported.items() for mode in modes]:
        output = io.BytesIO()
        grey_ramp(mode).save(output, kind)
        files[f"{kind} of mode {mode}"] = output.getvalue()
    levels = {name: grey_levels(open_image(scale(content).data)) for name, content in files.items()}
    expected = (32, 96, 160, 224)
    assert {
        n: found for n, found in levels.items() if any(abs(a - b) > 8 for a, b in zip(found, expected, strict=True))
    } == {}


def test_transparent_level_of_a_16_bit_gray_png_becomes_white():
    content = png_of_16_bits(0, 1, (b"tRNS", struct.pack(">H", 0)))
    assert open_image(scale(content).data).getpixel((0, 20))[0] > 200


def test_thin_lines_of_a_black_and_white_scan_survive_scaling():
    scan = Image.new("1", (4 * LARGE_SIDE, 400), 1)
    for x in range(0, scan.width, 40):
        ImageDraw.Draw(scan).line((x, 0, x, 400), fill=0)
    output = io.BytesIO()
    scan.save(output, "PNG")
    image = open_image(scale(output.getvalue()).data).convert("L")
    row = [image.getpixel((x, 50)) for x in range(200)]
    assert len([level for level in row if level < 235]) >= 18


@pytest.mark.parametrize("kind", ["WEBP", "PNG"])
def test_animation_is_kept_as_its_first_frame(kind: str):
    frames = [Image.new("RGB", (60, 40), colour) for colour in ("red", "blue", "lime")]
    output = io.BytesIO()
    frames[0].save(output, kind, save_all=True, append_images=frames[1:], duration=100)
    red, green, blue = open_image(scale(output.getvalue()).data).getpixel((30, 20))
    assert red > 200 and green < 60 and blue < 60


def interlaced_ramp() -> bytes:
    """Return an interlaced PNG of a gray ramp, which Pillow does not write."""
    passes = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
    rows = (
        bytes((0, *range(left, 256, step_x))) for left, top, step_x, step_y in passes for _ in range(top, 40, step_y)
    )
    head = struct.pack(">IIBBBBB", 256, 40, 8, 0, 0, 0, 1)
    return png((b"IHDR", head), (b"IDAT", zlib.compress(b"".join(rows))), (b"IEND", b""))


def red_and_blue(mode: str = "RGB", size: tuple[int, int] = (64, 40)) -> Image.Image:
    return open_image(make_photo(size, "PNG")).convert(mode)


def transparent_palette() -> Image.Image:
    """Return a palette image: its left half is red, its right half transparent."""
    image = Image.new("P", (64, 40), 0)
    image.putpalette([255, 0, 0, 0, 0, 255])
    image.paste(1, (32, 0, 64, 40))
    image.info["transparency"] = 1
    return image


RED, BLUE, WHITE, BLACK = (255, 0, 0), (0, 0, 255), (255, 255, 255), (0, 0, 0)
OTHER_FRAME = Image.new("RGB", (64, 40), "lime")
# A file, and the colors of its left and right half.
ACCEPTED = {
    "baseline JPEG": (lambda: encode(red_and_blue(), "JPEG"), RED, BLUE),
    "progressive JPEG": (lambda: encode(red_and_blue(), "JPEG", progressive=True), RED, BLUE),
    "JPEG with full color": (lambda: encode(red_and_blue(), "JPEG", subsampling=0), RED, BLUE),
    "gray JPEG": (lambda: encode(red_and_blue("L"), "JPEG"), (76, 76, 76), (29, 29, 29)),
    "inverted CMYK JPEG of Adobe": (lambda: encode(red_and_blue("CMYK"), "JPEG"), RED, BLUE),
    "large JPEG": (lambda: encode(red_and_blue(size=(8000, 6000)), "JPEG"), RED, BLUE),
    "large MPO": (
        lambda: encode(red_and_blue(size=(8000, 6000)), "MPO", save_all=True, append_images=[OTHER_FRAME]),
        RED,
        BLUE,
    ),
    "MPO": (lambda: encode(red_and_blue(), "MPO", save_all=True, append_images=[OTHER_FRAME]), RED, BLUE),
    "MPO with a damaged list of images": (
        lambda: damage(encode(red_and_blue(), "MPO", save_all=True, append_images=[OTHER_FRAME]), b"MPF\0", 4),
        RED,
        BLUE,
    ),
    "JPEG with damaged metadata": (
        lambda: damage(encode(red_and_blue(), "JPEG", exif=make_exif()), b"Exif\0\0", 10),
        RED,
        BLUE,
    ),
    "PNG with 1 bit": (
        lambda: encode(red_and_blue().convert("L").point(lambda v: 255 * (v > 50), "1"), "PNG"),
        WHITE,
        BLACK,
    ),
    "PNG with a palette": (lambda: encode(red_and_blue("P"), "PNG"), RED, BLUE),
    "PNG with a transparent color": (lambda: encode(transparent_palette(), "PNG"), RED, WHITE),
    "gray PNG with alpha": (lambda: encode(red_and_blue("LA"), "PNG"), (76, 76, 76), (29, 29, 29)),
    "interlaced PNG": (interlaced_ramp, (21, 21, 21), (234, 234, 234)),
    "16-bit gray PNG": (lambda: png_of_16_bits(0, 1), (21, 21, 21), (234, 234, 234)),
    "16-bit RGB PNG": (lambda: png_of_16_bits(2, 3), (21, 21, 21), (234, 234, 234)),
    "animated PNG": (lambda: encode(red_and_blue(), "PNG", save_all=True, append_images=[OTHER_FRAME]), RED, BLUE),
    "lossy WebP": (lambda: encode(red_and_blue(), "WEBP", quality=80), RED, BLUE),
    "lossless WebP": (lambda: encode(red_and_blue("RGBA"), "WEBP", lossless=True), RED, BLUE),
    "animated WebP": (lambda: encode(red_and_blue(), "WEBP", save_all=True, append_images=[OTHER_FRAME]), RED, BLUE),
}


def damage(content: bytes, mark: bytes, offset: int) -> bytes:
    """Return a file with four bytes overwritten after the mark of its metadata."""
    start = content.index(mark) + offset
    return content[:start] + b"\xff" * 4 + content[start + 4 :]


@pytest.mark.slow("large photos")
@parametrize_cases("kind", ACCEPTED)
def test_photo_of_any_accepted_kind_has_its_colors(kind: str):
    make_content, *expected = ACCEPTED[kind]
    for data in scale(make_content()):
        image = open_image(data)
        colors = [image.getpixel((image.width * part // 12, image.height // 2)) for part in (1, 11)]
        difference = max(abs(a - b) for pair in zip(colors, expected, strict=True) for a, b in zip(*pair, strict=True))
        assert difference <= 12, colors


def media_file(brand: bytes) -> bytes:
    """Return the beginning of a file of boxes, as of a video or a HEIC photo."""
    return b"\0\0\0\x18ftyp" + brand + b"\0" * 40


SAVE_AS_JPEG = "Save it as JPEG, or upload a screenshot of it."
REFUSED = {
    "nothing": (b"", "Choose a photo first."),
    "text": (b"hello", "This file is not a readable photo. Use a JPEG, PNG or WebP."),
    "text named like a photo": (
        b"BMW 316, a note\n" * 9,
        "This file is not a readable photo. Use a JPEG, PNG or WebP.",
    ),
    "HEIC": (media_file(b"heic"), "This is a HEIC photo. Set your camera to JPEG"),
    "HEIC of several images": (media_file(b"msf1"), "This is a HEIC photo. Set your camera to JPEG"),
    "HEIC with 10 bits": (media_file(b"heix"), "This is a HEIC photo. Set your camera to JPEG"),
    "AVIF": (media_file(b"avif"), f"This is an AVIF picture. {SAVE_AS_JPEG}"),
    "JPEG XL": (b"\xff\x0a" + b"\0" * 40, f"This is a JPEG XL picture. {SAVE_AS_JPEG}"),
    "JPEG XL in boxes": (b"\0\0\0\x0cJXL \r\n\x87\n" + b"\0" * 40, f"This is a JPEG XL picture. {SAVE_AS_JPEG}"),
    "raw, Canon": (media_file(b"crx "), f"This is a RAW photo. {SAVE_AS_JPEG}"),
    "raw, Fujifilm": (b"FUJIFILMCCD-RAW 0201" + b"\0" * 40, f"This is a RAW photo. {SAVE_AS_JPEG}"),
    "raw, DNG": (b"II*\0" + b"\0" * 40, f"This is a TIFF or RAW photo. {SAVE_AS_JPEG}"),
    "TIFF": (lambda: encode(red_and_blue(), "TIFF"), f"This is a TIFF or RAW photo. {SAVE_AS_JPEG}"),
    "TIFF of several pages": (
        lambda: encode(red_and_blue("CMYK"), "TIFF", save_all=True, append_images=[OTHER_FRAME.copy()]),
        f"This is a TIFF or RAW photo. {SAVE_AS_JPEG}",
    ),
    "GIF": (lambda: encode(red_and_blue(), "GIF"), f"This is a GIF. {SAVE_AS_JPEG}"),
    "animated GIF": (
        lambda: encode(red_and_blue(), "GIF", save_all=True, append_images=[OTHER_FRAME]),
        f"This is a GIF. {SAVE_AS_JPEG}",
    ),
    "BMP": (lambda: encode(red_and_blue(), "BMP"), f"This is a BMP picture. {SAVE_AS_JPEG}"),
    "SVG": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", f"This is an SVG drawing. {SAVE_AS_JPEG}"),
    "SVG with a head": (b"<?xml version='1.0'?>\n<!-- drawn -->\n<svg/>", f"This is an SVG drawing. {SAVE_AS_JPEG}"),
    "PDF": (b"%PDF-1.7\n" + b"\0" * 40, f"This is a PDF. {SAVE_AS_JPEG}"),
    "MP4": (media_file(b"isom"), "This is a video. Upload a photo, or a screenshot of the video."),
    "video of an iPhone": (media_file(b"qt  "), "This is a video. Upload a photo, or a screenshot of the video."),
    "WebM": (b"\x1aE\xdf\xa3" + b"\0" * 40, "This is a video. Upload a photo, or a screenshot of the video."),
    "JPEG cut off": (lambda: make_photo()[:9000], "This photo is damaged or incomplete. Choose another one."),
    "PNG cut off": (lambda: make_photo(kind="PNG")[:-900], "This photo is damaged or incomplete. Choose another one."),
    "WebP cut off": (
        lambda: make_photo(kind="WEBP")[:-300],
        "This photo is damaged or incomplete. Choose another one.",
    ),
    "too long": (b"\xff" * (MAX_BYTES + 1), "This photo is larger than 12 MB. Choose a smaller one."),
    "too many pixels": (
        lambda: make_photo((6000, 6000), "PNG"),
        "This photo has too many pixels. Choose a smaller one.",
    ),
    "a billion pixels": (
        lambda: png((b"IHDR", struct.pack(">IIBBBBB", 40000, 40000, 1, 0, 0, 0, 0)), (b"IDAT", b""), (b"IEND", b"")),
        "This photo has too many pixels. Choose a smaller one.",
    ),
}


@pytest.mark.slow("large photos")
@parametrize_cases("kind", REFUSED)
def test_file_that_cannot_be_used_is_refused_with_the_way_out(kind: str):
    data, why = REFUSED[kind]
    with pytest.raises(InvalidPhotoError) as refusal:
        scale(data() if callable(data) else data)
    assert str(refusal.value).startswith(why)


def test_damaged_photo_is_scaled_or_refused():
    dice, files = random.Random(3), [make_photo((200, 100), kind) for kind in ("JPEG", "PNG", "WEBP")]
    for _ in range(300):
        damaged = bytearray(dice.choice(files))
        for _ in range(dice.randint(1, 9)):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        try:
            assert open_image(scale(bytes(damaged)).data).format == "JPEG"
        except InvalidPhotoError as error:
            assert str(error).endswith(".")
