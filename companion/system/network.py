"""Where phones reach this machine: its addresses, the likeliest first, and whether that has changed."""

import contextlib
import ipaddress
import re
import socket
import threading
import time
from collections.abc import Callable

import ifaddr

CHECK_INTERVAL = 5.0  # seconds between looks at the network
VIRTUAL_ADAPTERS = re.compile(  # adapters behind which no phone is: containers, virtual machines, tunnels
    r"^(docker|br-[0-9a-f]{12}|veth|virbr|vmnet|vboxnet|lxc|lxd|cni|podman|tun|tap|utun|wg|ppp|tailscale|zt)"
    r"|virtual|vmware|hyper-v|vethernet|vpn|wsl",
    re.IGNORECASE,
)


def local_addresses() -> list[str]:
    """Return the addresses phones may reach this machine at, the likeliest first; none without a network.

    Wi-Fi and cable come before tunnels and the bridges of containers, and of several the one that leads elsewhere.
    """
    routed = _routed_address()
    found: dict[str, str] = {routed: ""} if routed else {}  # address -> name of its adapter
    with contextlib.suppress(OSError):  # some systems keep the list to themselves
        every = ((ip.ip, adapter.nice_name) for adapter in ifaddr.get_adapters() for ip in adapter.ips)
        found |= {address: name for address, name in every if isinstance(address, str)}  # one of IPv6 is a tuple
    there = [address for address in found if not ipaddress.ip_address(address).is_loopback]

    def rank(address: str) -> tuple:
        ip = ipaddress.ip_address(address)
        return ip.is_link_local, bool(VIRTUAL_ADAPTERS.search(found[address])), address != routed, not ip.is_private, ip

    return sorted(there, key=rank)


def _routed_address() -> str | None:
    """Return the address of the interface that other networks are reached through."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address; nothing is sent
        except OSError:
            return None
        return probe.getsockname()[0]


class AddressWatcher:
    """Notices when phones have to be told another address."""

    def __init__(self, addresses: list[str], on_change: Callable[[list[str]], None]):
        self._announced = addresses[:1]
        self._on_change = on_change

    def check(self) -> None:
        """Look at the network once; a machine between two networks keeps its address until it has another."""
        now = local_addresses()
        if now and now[:1] != self._announced:
            self._announced = now[:1]
            self._on_change(now)

    def start(self) -> None:
        """Look every few seconds, as long as the process lives."""
        threading.Thread(target=self._run, name="network", daemon=True).start()

    def _run(self) -> None:
        while True:
            time.sleep(CHECK_INTERVAL)
            with contextlib.suppress(OSError):  # nobody reads what it prints any more
                self.check()
