"""Tests of the template environment: its output, and the names of Jinja that it uses."""

import functools

import jinja2
import pytest
from flask import render_template_string
from flask.templating import Environment
from jinja2.compiler import CodeGenerator
from jinja2.runtime import Context
from markupsafe import Markup, escape

from companion.rendering.environment import FastContext, TemplateEnvironment, escape_value
from companion.rendering.templating import create_template_app

JINJA_CHANGED = "Jinja has changed a name that companion/rendering/environment.py uses"
get_app = functools.cache(create_template_app)


def test_values_are_escaped_with_the_function_of_the_app():
    source = TemplateEnvironment(get_app(), autoescape=True).compile("{{ name }}", raw=True)
    assert f"from {escape_value.__module__} import escape_value as escape" in source, JINJA_CHANGED


def test_cached_text_is_escaped_as_the_first_time():
    for _ in range(2):
        assert escape_value("<b>Ana & Bo</b>") == escape("<b>Ana & Bo</b>")
        assert escape_value(Markup("<b>")) == Markup("<b>")
        assert escape_value(7) == "7"


@pytest.mark.parametrize(
    ("passed", "expected"),
    [
        (jinja2.pass_context, "context"),
        (jinja2.pass_environment, "environment"),
        (jinja2.pass_eval_context, "eval_ctx"),
    ],
    ids=["context", "environment", "eval context"],
)
def test_function_that_asks_for_something_of_jinja_receives_it(passed, expected: str):
    received: list[object] = []
    app = get_app()
    with app.app_context():
        render_template_string("{{ note('x') }}", note=passed(lambda given, _text: received.append(given)))
    (given,) = received
    kinds = {"context": FastContext, "environment": TemplateEnvironment, "eval_ctx": jinja2.nodes.EvalContext}
    assert isinstance(given, kinds[expected]), JINJA_CHANGED


def test_loop_variables_reach_only_functions_that_ask_for_the_context():
    received: list[object] = []
    with get_app().app_context():
        render_template_string(
            "{% for a in [1] %}{{ note(a, b=2) }}{% endfor %}", note=lambda *a, **b: received.append((a, b))
        )
    assert received == [((1,), {"b": 2})], JINJA_CHANGED


def test_templates_share_the_globals_of_the_environment():
    environment = get_app().jinja_env
    assert environment.get_template("_forms.html").globals is environment.globals, JINJA_CHANGED
    template = environment.from_string("{{ own }}", globals={"own": 7})
    assert template.render() == "7" and "own" not in environment.globals


@pytest.mark.parametrize(
    ("base", "name"),
    [(CodeGenerator, "visit_Template"), (CodeGenerator, "writeline"), (Context, "call"), (Environment, "make_globals")],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_jinja_has_the_methods_that_the_environment_overrides(base: type, name: str):
    assert callable(getattr(base, name, None)), JINJA_CHANGED
