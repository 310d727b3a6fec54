"""Where phones reach this machine: its addresses, the likeliest first, and whether that has changed."""

import contextlib
import ipaddress
import re
import socket
import threading
import time
from collections.abc import Callable

import ifaddr

EVERY = 5.0  # seconds between looks at the network
HIDDEN = re.compile(  # adapters behind which no phone is: containers, virtual machines, tunnels
    r"^(docker|br-[0-9a-f]{12}|veth|virbr|vmnet|vboxnet|lxc|lxd|cni|podman|tun|tap|utun|wg|ppp|tailscale|zt)"
    r"|virtual|vmware|hyper-v|vethernet|vpn|wsl",
    re.IGNORECASE,
)


def addresses() -> list[str]:
    """Return the addresses phones may reach this machine at, the likeliest first; none without a network.

    Wi-Fi and cable come before tunnels and the bridges of containers, and of several the one that leads elsewhere.
    """
    routed = _routed()
    found: dict[str, str] = {routed: ""} if routed else {}  # address -> name of its adapter
    with contextlib.suppress(OSError):  # some systems keep the list to themselves
        every = ((ip.ip, adapter.nice_name) for adapter in ifaddr.get_adapters() for ip in adapter.ips)
        found |= {address: name for address, name in every if isinstance(address, str)}  # one of IPv6 is a tuple
    there = [address for address in found if not ipaddress.ip_address(address).is_loopback]

    def rank(address: str) -> tuple:
        ip = ipaddress.ip_address(address)
        return ip.is_link_local, bool(HIDDEN.search(found[address])), address != routed, not ip.is_private, ip

    return sorted(there, key=rank)


def _routed() -> str | None:
    """Return the address of the interface that other networks are reached through."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address; nothing is sent
        except OSError:
            return None
        return probe.getsockname()[0]


class Watch:
    """Notices when phones have to be told another address."""

    def __init__(self, known: list[str], changed: Callable[[list[str]], None]):
        self._best = known[:1]
        self._changed = changed

    def look(self) -> None:
        """Look at the network once; a machine between two networks keeps its address until it has another."""
        now = addresses()
        if now and now[:1] != self._best:
            self._best = now[:1]
            self._changed(now)

    def begin(self) -> None:
        """Look every few seconds, as long as the process lives."""
        threading.Thread(target=self._go_on, name="network", daemon=True).start()

    def _go_on(self) -> None:
        while True:
            time.sleep(EVERY)
            with contextlib.suppress(OSError):  # nobody reads what it prints any more
                self.look()
