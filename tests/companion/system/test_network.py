"""Tests of the addresses shown to phones: the most likely first, and updated on changes."""

from types import SimpleNamespace

import pytest

from companion.system import network
from companion.system.network import AddressWatcher, local_addresses

LOOPBACK = ("lo", "127.0.0.1")
WIFI = ("wlan0", "192.168.1.20")
CABLE = ("eth0", "10.0.0.3")
DOCKER = ("docker0", "172.17.0.1")
BRIDGE = ("br-0f3a5b6c7d8e", "172.18.0.1")
VPN = ("tun0", "10.8.0.2")
MACHINES = ("VirtualBox Host-Only Ethernet Adapter", "192.168.56.1")
LINK_LOCAL = ("eth1", "169.254.3.4")  # an address that the computer gave itself because nothing else did
PUBLIC = ("eth0", "198.51.100.7")
ROUTER = ("br-lan", "192.168.1.1")


@pytest.fixture
def interfaces(monkeypatch: pytest.MonkeyPatch):
    """Return a function that fakes the interfaces of the computer.

    The first interface has the route to other networks unless `routed` names another one.
    """

    def has(*interfaces: tuple[str, str], routed: tuple[str, str] | None = None) -> None:
        local = SimpleNamespace(ip=("fe80::1", 0, 2), is_IPv4=False)
        adapters = [
            SimpleNamespace(nice_name=name, ips=[SimpleNamespace(ip=ip, is_IPv4=True), local])
            for name, ip in interfaces
        ]
        monkeypatch.setattr(network.ifaddr, "get_adapters", lambda: adapters)
        monkeypatch.setattr(network, "_routed_address", lambda: (routed or (*interfaces, ("", None))[0])[1])

    return has


ORDERS = [
    ([LOOPBACK, WIFI], None, [WIFI]),
    ([LOOPBACK], None, []),
    ([LOOPBACK, DOCKER, WIFI], WIFI, [WIFI, DOCKER]),
    ([CABLE, WIFI], CABLE, [CABLE, WIFI]),
    ([CABLE, WIFI], WIFI, [WIFI, CABLE]),
    ([VPN, WIFI], VPN, [WIFI, VPN]),  # everything goes through the tunnel, but the phones are on the Wi-Fi
    ([LINK_LOCAL, DOCKER], LINK_LOCAL, [DOCKER, LINK_LOCAL]),
    ([BRIDGE, MACHINES, LINK_LOCAL, WIFI], WIFI, [WIFI, BRIDGE, MACHINES, LINK_LOCAL]),
    ([DOCKER, ROUTER], DOCKER, [ROUTER, DOCKER]),
    ([PUBLIC], PUBLIC, [PUBLIC]),
]


@pytest.mark.parametrize(("adapters", "routed", "offered"), ORDERS)
def test_addresses_are_listed_most_likely_first(interfaces, adapters, routed, offered):
    interfaces(*adapters, routed=routed)
    assert local_addresses() == [ip for _, ip in offered]


def test_routed_address_is_used_where_interfaces_cannot_be_listed(interfaces, monkeypatch: pytest.MonkeyPatch):
    interfaces(WIFI)

    def secret() -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(network.ifaddr, "get_adapters", secret)
    assert local_addresses() == [WIFI[1]]


def test_routed_address_is_found_without_sending_anything():
    found = network._routed_address()
    assert found is None or found.count(".") == 3


def test_local_addresses_contain_no_loopback_address():
    assert not [address for address in local_addresses() if address.startswith("127.")]


NETWORKS = [
    ([WIFI], [WIFI], []),  # nothing new
    ([WIFI], [WIFI, DOCKER], []),  # the best address is unchanged
    ([WIFI], [], []),  # between two networks
    ([WIFI], [CABLE], [[CABLE]]),
    ([], [WIFI], [[WIFI]]),
    ([WIFI, DOCKER], [("wlan0", "192.168.7.9"), DOCKER], [[("wlan0", "192.168.7.9"), DOCKER]]),
]


@pytest.mark.parametrize(("before", "after", "expected"), NETWORKS)
def test_new_address_is_reported_once(interfaces, before, after, expected):
    interfaces(*before)
    reported: list[list[str]] = []
    watcher = AddressWatcher(local_addresses(), reported.append)
    interfaces(*after)
    watcher.check()
    watcher.check()
    assert reported == [[ip for _, ip in each] for each in expected]


def test_network_that_returns_with_the_same_address_is_not_reported(interfaces):
    interfaces(WIFI)
    reported: list[list[str]] = []
    watcher = AddressWatcher(local_addresses(), reported.append)
    for addresses in ([], [WIFI]):
        interfaces(*addresses)
        watcher.check()
    assert reported == []
