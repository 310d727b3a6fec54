"""Read a page as a phone does: its text, links, forms and buttons."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

ADDRESS_ATTRIBUTES = ("href", "src", "action", "formaction", "hx-get", "hx-post", "hx-sse:connect")
SILENT_TAGS = ("script", "style", "title")


@dataclass
class Form:
    """A form with the values it would send unchanged, and its buttons."""

    method: str
    action: str
    htmx_action: str  # address htmx posts it to, or an empty string
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    button_actions: list[str] = field(default_factory=list)  # the address that each button posts to

    @property
    def default_values(self) -> dict[str, str]:
        return dict(self.fields)

    def button_values(self, name: str) -> list[str]:
        """Return the values of the buttons with a name."""
        return [value for key, value in self.buttons if key == name]


@dataclass
class Page:
    """A parsed page."""

    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    forms: list[Form] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Return the text of the page, with single spaces."""
        return " ".join(" ".join(self.words).split())

    @property
    def addresses(self) -> list[str]:
        """Return every address the page links to or requests."""
        return [attributes[name] for _, attributes in self.tags for name in ADDRESS_ATTRIBUTES if attributes.get(name)]

    def values(self, name: str) -> list[str]:
        """Return the values of the fields and buttons with a name."""
        return [attributes.get("value", "") for _, attributes in self.tags if attributes.get("name") == name]

    def value(self, name: str) -> str:
        return self.values(name)[0]

    def tags_with_class(self, name: str) -> list[dict[str, str]]:
        return [attributes for _, attributes in self.tags if name in attributes.get("class", "").split()]

    def form(self, suffix: str) -> Form:
        """Return the first form that posts to an address with this suffix; "" means the page itself."""
        return next(form for form in self.forms if form.action.endswith(suffix) and (suffix or not form.action))


class _PageParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()
        self._silent = 0
        self._select = ""
        self._chosen: str | None = None
        self._open: list[Form] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.page.tags.append((tag, attributes))
        self._silent += tag in SILENT_TAGS
        match tag:
            case "form":
                method, action = attributes.get("method", "get"), attributes.get("action", "")
                form = Form(method, action, attributes.get("hx-post", ""))
                self.page.forms.append(form)
                self._open.append(form)
            case "button" if self._open and "name" in attributes and "disabled" not in attributes:
                self._open[-1].buttons.append((attributes["name"], attributes.get("value", "")))
                self._open[-1].button_actions.append(attributes.get("formaction", self._open[-1].action))
            case "input" if self._open and "name" in attributes and self._is_sent(attributes):
                self._open[-1].fields.append((attributes["name"], attributes.get("value", "")))
            case "select":
                self._select, self._chosen = attributes.get("name", ""), None
            case "option" if self._chosen is None or "selected" in attributes:
                self._chosen = attributes.get("value", "")

    def _is_sent(self, attributes: dict[str, str]) -> bool:
        return attributes.get("type") not in ("radio", "checkbox") or "checked" in attributes

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self._silent -= tag in SILENT_TAGS

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in SILENT_TAGS
        match tag:
            case "form":
                self._open.pop()
            case "select" if self._open:
                self._open[-1].fields.append((self._select, self._chosen or ""))

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.page.words.append(data)


def parse_page(text: str) -> Page:
    reader = _PageParser()
    reader.feed(text)
    reader.close()
    return reader.page
