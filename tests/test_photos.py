"""Photos of the table: small, upright, and with no word of where and when they were taken."""

import io
import random

import pytest
from PIL import Image, ImageDraw, ImageFile

from companion.photos import LARGE, MOST_BYTES, SMALL, NoPhoto, scaled
from tests.cases import every_row

TELLTALES = (b"Exif", b"GPS", b"http://ns.adobe.com", b"ICC_PROFILE", b"Secret Camera", b"a comment", b"2026:11:23")


@pytest.fixture(autouse=True)
def as_in_the_web_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """WeasyPrint, which that process never loads, has Pillow take pictures that are cut off, too."""
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", False)


def photo(size: tuple[int, int] = (2000, 1000), kind: str = "JPEG", **how) -> bytes:
    """Return a picture whose left half is red and whose right half is blue."""
    image = Image.new(how.pop("mode", "RGB"), size, "red")
    ImageDraw.Draw(image).rectangle((size[0] // 2, 0, *size), fill="blue")
    out = io.BytesIO()
    image.save(out, kind, **how)
    return out.getvalue()


def exif(orientation: int = 1) -> Image.Exif:
    """Return what a camera says of a photo, its place on earth included."""
    data = Image.Exif()
    data[0x0112], data[0x0110], data[0x0132] = orientation, "Secret Camera", "2026:11:23 20:00:00"
    data.get_ifd(0x8825)[2] = (48.0, 8.0, 12.0)  # GPSLatitude
    data.get_ifd(0x8825)[1] = "N"
    return data


def opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_photo_is_a_jpeg_of_so_many_pixels_and_a_small_one(kind: str):
    made = scaled(photo(kind=kind))
    assert [opened(each).format for each in made] == ["JPEG", "JPEG"]
    assert opened(made.data).size == (LARGE, LARGE // 2) and opened(made.small).size == (SMALL, SMALL // 2)


def test_a_small_photo_is_not_made_larger():
    assert opened(scaled(photo((300, 200))).data).size == (300, 200)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_nothing_is_left_of_where_when_and_by_what_it_was_taken(kind: str):
    more = {"comment": b"a comment"} if kind == "JPEG" else {}
    content = photo(kind=kind, exif=exif(), icc_profile=b"ICC_PROFILE of Secret Camera", **more)
    assert b"Secret Camera" in content
    for made in scaled(content):
        assert not [each for each in TELLTALES if each in made]
        assert opened(made).getexif() == {} and set(opened(made).info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}


UPRIGHT = {1: "left", 3: "right", 6: "top", 8: "bottom"}  # orientation -> where the red half is then


@every_row("orientation", UPRIGHT)
def test_a_photo_taken_sideways_is_turned_upright(orientation: int):
    made = opened(scaled(photo((800, 400), exif=exif(orientation))).data)
    width, height = made.size
    assert (width > height) == (orientation in (1, 3))
    middle = {
        "left": (9, height // 2),
        "right": (width - 9, height // 2),
        "top": (width // 2, 9),
        "bottom": (width // 2, height - 9),
    }
    red, _, blue = made.getpixel(middle[UPRIGHT[orientation]])
    assert red > 200 and blue < 60


@every_row("mode", ["RGBA", "LA", "P", "L", "CMYK"])
def test_other_kinds_of_pixels_are_photos_too(mode: str):
    out = io.BytesIO()
    Image.new("RGB", (50, 40), "red").convert(mode).save(out, "JPEG" if mode == "CMYK" else "PNG")
    assert opened(scaled(out.getvalue()).data).mode == "RGB"


def test_what_shows_through_is_white():
    out = io.BytesIO()
    Image.new("RGBA", (50, 40), (0, 0, 0, 0)).save(out, "PNG")
    assert opened(scaled(out.getvalue()).data).getpixel((5, 5)) == (255, 255, 255)


REFUSED = {
    "nothing": (b"", "Choose a photo first"),
    "text": (b"hello", "no photo that can be read"),
    "SVG": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "no photo that can be read"),
    "GIF": (b"GIF89a" + b"\0" * 40, "no photo that can be read"),
    "cut off": (lambda: photo()[:900], "no photo that can be read"),
    "too long": (b"\xff" * (MOST_BYTES + 1), "larger than 12 MB"),
    "too many pixels": (lambda: photo((6000, 6000), "PNG"), "too many pixels"),
    "HEIC": (b"\0\0\0\x18ftypheic" + b"\0" * 40, "HEIC"),
}


@every_row("content", REFUSED)
def test_what_is_no_photo_is_refused_with_a_sentence(content: str):
    data, why = REFUSED[content]
    with pytest.raises(NoPhoto, match=why):
        scaled(data() if callable(data) else data)


def test_spoilt_photos_are_made_smaller_or_refused_and_nothing_else():
    dice, whole = random.Random(3), [photo((200, 100), kind) for kind in ("JPEG", "PNG", "WEBP")]
    for _ in range(300):
        spoilt = bytearray(dice.choice(whole))
        for _ in range(dice.randint(1, 9)):
            spoilt[dice.randrange(len(spoilt))] = dice.randrange(256)
        try:
            assert opened(scaled(bytes(spoilt)).data).format == "JPEG"
        except NoPhoto as fault:
            assert str(fault).endswith(".")
