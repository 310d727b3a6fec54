"""Tests of the demos: each game has one that plays to the end and shows most lessons."""

import pytest
from flask import Flask

from companion.pages.demo import FOLDER, demo_frames, has_demo
from scoring.games import GAMES
from tests.support.lesson_readers import TAUGHT_GAMES
from tests.support.phones import Phone


@pytest.mark.parametrize("key", TAUGHT_GAMES)
def test_demo_plays_from_the_setup_to_the_result(app: Flask, key: str):
    frames = demo_frames(key)
    assert frames[0].table.setup_guide and not frames[0].table.steps and frames[-1].table.is_over
    for number in range(len(frames)):
        text = Phone(app).get(f"/demo/{key}?frame={number}").text
        assert ('http-equiv="refresh"' in text) == (number < len(frames) - 1)


@pytest.mark.parametrize("key", TAUGHT_GAMES)
def test_demo_shows_most_lessons(key: str):
    lessons, frames = GAMES[key].tracked.lessons, demo_frames(key)
    read = set(frames[-1].learner.read)
    assert len(read & set(lessons.by_id)) >= len(lessons.by_id) * 0.6
    assert {f"end-{lesson.id}" for lesson in lessons.texts.end} <= read


@pytest.mark.parametrize("number", ["-5", "999999", "x"])
def test_demo_of_a_wrong_number_shows_the_nearest_frame(app: Flask, number: str):
    assert Phone(app).get(f"/demo/trails?frame={number}").status_code == 200


def test_paused_demo_does_not_go_on(app: Flask):
    assert 'http-equiv="refresh"' not in Phone(app).get("/demo/trails?frame=3&play=0").text


def test_home_page_leads_to_each_demo(app: Flask):
    assert "/demo" in Phone(app).open("/").addresses
    addresses = Phone(app).open("/demo").addresses
    assert all(f"/demo/{key}" in addresses for key in TAUGHT_GAMES)


@pytest.mark.parametrize("path", ["/demo/chess", "/demo/trails-tally", "/demo/..%2fdemo%2ftrails"])
def test_unknown_demo_does_not_exist(app: Flask, path: str):
    assert Phone(app).get(path).status_code == 404


def test_every_recorded_demo_belongs_to_a_game():
    assert {file.stem for file in FOLDER.glob("*.json")} == {key for key in GAMES if has_demo(key)}
