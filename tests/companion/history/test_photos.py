"""Tests of table photos: scaled down, upright and without metadata."""

import io
import random
import struct
import zlib

import pytest
from PIL import Image, ImageDraw, ImageFile

from companion.history.photos import LARGE_SIDE, MAX_BYTES, SMALL_SIDE, InvalidPhotoError, _fit, scale
from tests.support.parametrize import run_all_rows

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


UPRIGHT = {1: "left", 3: "right", 6: "top", 8: "bottom"}  # orientation -> where the red half is then


@run_all_rows("orientation", UPRIGHT)
def test_photo_taken_sideways_is_turned_upright(orientation: int):
    image = open_image(scale(make_photo((800, 400), exif=make_exif(orientation))).data)
    width, height = image.size
    assert (width > height) == (orientation in (1, 3))
    middle = {
        "left": (9, height // 2),
        "right": (width - 9, height // 2),
        "top": (width // 2, 9),
        "bottom": (width // 2, height - 9),
    }
    red, _, blue = image.getpixel(middle[UPRIGHT[orientation]])
    assert red > 200 and blue < 60


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


def png_of_16_bits(colour: int, samples: int, *more: tuple[bytes, bytes]) -> bytes:
    """Return a PNG ramp with 16 bits a sample and the given additional chunks.

    :param colour: the PNG color type: gray (0), RGB (2), gray with alpha (4) or RGBA (6).
    """

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    alpha = (65535,) if colour in (4, 6) else ()
    row = b"".join(struct.pack(f">{samples}H", *[x * 257] * (samples - len(alpha)), *alpha) for x in range(256))
    head = struct.pack(">IIBBBBB", 256, 40, 16, colour, 0, 0, 0)
    chunks = (b"IHDR", head), *more, (b"IDAT", zlib.compress((b"\0" + row) * 40)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*each) for each in chunks)


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


REFUSED = {
    "nothing": (b"", "Choose a photo first"),
    "text": (b"hello", "not a readable photo"),
    "SVG": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not a readable photo"),
    "GIF": (b"GIF89a" + b"\0" * 40, "not a readable photo"),
    "cut off": (lambda: make_photo()[:900], "not a readable photo"),
    "too long": (b"\xff" * (MAX_BYTES + 1), "larger than 12 MB"),
    "too many pixels": (lambda: make_photo((6000, 6000), "PNG"), "too many pixels"),
    "HEIC": (b"\0\0\0\x18ftypheic" + b"\0" * 40, "HEIC"),
}


@pytest.mark.slow("large photos")
@run_all_rows("content", REFUSED)
def test_file_that_is_no_photo_is_refused_with_a_sentence(content: str):
    data, why = REFUSED[content]
    with pytest.raises(InvalidPhotoError, match=why):
        scale(data() if callable(data) else data)


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
