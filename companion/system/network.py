"""Finds the network addresses at which phones reach this machine, and watches for changes."""

import contextlib
import ipaddress
import re
import socket
import threading
import time
from collections.abc import Callable

import ifaddr

CHECK_INTERVAL = 5.0  # seconds
VIRTUAL_ADAPTERS = re.compile(  # adapters that lead to no phones: of containers, virtual machines, tunnels
    r"^(docker|br-[0-9a-f]{12}|veth|virbr|vmnet|vboxnet|lxc|lxd|cni|podman|tun|tap|utun|wg|ppp|tailscale|zt)"
    r"|virtual|vmware|hyper-v|vethernet|vpn|wsl",
    re.IGNORECASE,
)


def local_addresses() -> list[str]:
    """Return the addresses at which phones may reach this machine, the most likely first.

    Wi-Fi and cable come before tunnels and bridges of containers; among several, the default route comes first.
    The list is empty without a network.
    """
    routed = _routed_address()
    found: dict[str, str] = {routed: ""} if routed else {}  # address -> name of its adapter
    with contextlib.suppress(OSError):  # some systems do not disclose the list
        all_addresses = ((ip.ip, adapter.nice_name) for adapter in ifaddr.get_adapters() for ip in adapter.ips)
        found |= {
            address: name for address, name in all_addresses if isinstance(address, str)
        }  # an IPv6 address is a tuple
    reachable = [address for address in found if not ipaddress.ip_address(address).is_loopback]

    def rank(address: str) -> tuple:
        ip = ipaddress.ip_address(address)
        return ip.is_link_local, bool(VIRTUAL_ADAPTERS.search(found[address])), address != routed, not ip.is_private, ip

    return sorted(reachable, key=rank)


def _routed_address() -> str | None:
    """Return the address of the interface through which other networks are reached."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address; nothing is sent
        except OSError:
            return None
        return probe.getsockname()[0]


class AddressWatcher:
    """Reports when the address at which phones reach this machine changes."""

    def __init__(self, addresses: list[str], on_change: Callable[[list[str]], None]):
        self._announced = addresses[:1]
        self._on_change = on_change

    def check(self) -> None:
        """Check the network once and report a new address.

        A machine without a network keeps its last address until it has another.
        """
        current = local_addresses()
        if current and current[:1] != self._announced:
            self._announced = current[:1]
            self._on_change(current)

    def start(self) -> None:
        """Check every few seconds in a background thread for the life of the process."""
        threading.Thread(target=self._run, name="network", daemon=True).start()

    def _run(self) -> None:
        while True:
            time.sleep(CHECK_INTERVAL)
            with contextlib.suppress(OSError):  # standard output may have been closed
                self.check()
