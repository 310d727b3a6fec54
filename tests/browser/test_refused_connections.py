"""Phones that cannot use Waymark as they are set: they insist on https, or block cookies."""

import pytest
from playwright.sync_api import Error, expect

pytestmark = pytest.mark.browser


def test_https_address_shows_the_error_of_the_browser_immediately(server, new_phone):
    phone = new_phone()
    with pytest.raises(Error, match="ERR_SSL_PROTOCOL_ERROR"):
        phone.page.goto(server.address.replace("http://", "https://"))
    phone.page.wait_for_url("chrome-error://**")
    phone.go("/")
    expect(phone.find("h1")).to_be_visible()


def test_phone_that_blocks_cookies_is_told_before_anything_is_entered(server, new_phone):
    phone = new_phone(locale="en-GB")  # no other test has these settings, and this page is changed
    phone.page.add_init_script("Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false })")
    phone.go("/new/trails")
    notice = phone.find("#error-banner > div")
    expect(notice).to_contain_text("This phone blocks cookies Waymark needs a cookie to know which seat is yours.")
    phone.button("Dismiss").tap()
    expect(notice).to_be_hidden()
