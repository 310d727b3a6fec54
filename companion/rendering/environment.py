"""The template environment: Flask's, with faster rendering, and cached addresses.

It is the only module that changes how Jinja works. A page takes a fifth less time with it (`make bench`, part `pages`).
Jinja documents `code_generator_class`, `context_class` and `Context.call`. It does not document
`CodeGenerator.visit_Template` and `writeline`, `Environment.make_globals` and the attribute `jinja_pass_arg`; the tests
of tests/companion/rendering/test_environment.py check each of them.
"""

import functools
from collections.abc import Callable, MutableMapping
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from flask import url_for
from flask.templating import Environment
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape

ESCAPE_CACHE_SIZE = 4096  # cached escaped strings
URL_CACHE_SIZE = 4096  # cached addresses of pages

_escape_text = functools.lru_cache(maxsize=ESCAPE_CACHE_SIZE)(escape)
# Types of callables that Jinja calls with their own arguments only, unless they are marked with `jinja_pass_arg`.
_PLAIN_CALLABLES = frozenset((Macro, type(_escape_text), FunctionType, MethodType, BuiltinFunctionType, type))


def escape_value(value: Any) -> str:
    """Return a value as `escape` would, but faster for the most common types."""
    kind = type(value)
    if kind is Markup:
        return value
    if kind is int:
        return str(value)
    return _escape_text(value) if kind is str else escape(value)


@functools.lru_cache(maxsize=URL_CACHE_SIZE)
def cached_url_for(endpoint: str, **values: Any) -> str:
    """Return the address of a page as `url_for` does; it is the same in all requests."""
    return url_for(endpoint, **values)


class FastCodeGenerator(CodeGenerator):
    """Jinja's compiler, generating templates that escape with `escape_value`."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802 (Jinja's name)
        super().visit_Template(node, frame)
        self.writeline(f"from {__name__} import escape_value as escape")


class FastContext(Context):
    """Jinja's context, with a shortcut for callables that take only their own arguments."""

    def call(self, function: Callable, /, *args: Any, **values: Any) -> Any:
        if type(function) not in _PLAIN_CALLABLES or hasattr(function, "jinja_pass_arg"):
            return super().call(function, *args, **values)
        if values:
            values.pop("_loop_vars", None)
            values.pop("_block_vars", None)
        return function(*args, **values)


class TemplateEnvironment(Environment):
    """Flask's template environment, with faster rendering."""

    code_generator_class = FastCodeGenerator
    context_class = FastContext

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return a template's globals; the shared dict if possible, as a ChainMap is slow to copy."""
        return super().make_globals(d) if d else self.globals
