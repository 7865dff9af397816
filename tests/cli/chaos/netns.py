"""Network namespaces for tests: a hub where the coordinator is and one for each
worker, joined to the hub by a veth pair, with firewalls that can cut them.

Everything is inside one private user, mount, process and network namespace, so
names cannot collide with anything and the kernel removes all of it with the
last process, also after SIGKILL.
"""

import os
import shutil
import subprocess
import sys

INSIDE = "BREWERY_TEST_NETNS"
# A tmpfs of our own on /run is where `ip netns` keeps its names.
PREPARE = "mount -t tmpfs none /run"
TRIAL = (PREPARE + " && ip netns add a && ip netns add b"
         " && ip link add x netns a type veth peer name x netns b"
         " && nsenter --net=/run/netns/a nft add table inet t")
PACKAGES = {"ip": "iproute2", "nft": "nftables", "unshare": "util-linux",
            "nsenter": "util-linux"}


def why_not():
    """(words that make the namespaces, None), or (None, why there are none)."""
    missing = sorted({package for tool, package in PACKAGES.items()
                      if not shutil.which(tool, path=search_path())})
    if missing:
        return None, "missing packages: " + " ".join(missing)
    kinds = ["--net", "--mount", "--pid", "--fork", "--kill-child"]
    refused = ""
    for user in ([], ["--user", "--map-root-user"]):
        words = ["unshare", *user, *kinds]
        done = subprocess.run([*words, "sh", "-c", TRIAL], text=True,
                              capture_output=True, env=environment())
        if done.returncode == 0:
            return words, None
        refused = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
    return None, ("namespaces are not permitted here, neither as this user nor "
                  f"in a user namespace: {refused}")


def search_path():
    """Debian keeps ip and nft where only root looks."""
    return os.environ.get("PATH", "/usr/bin:/bin") + ":/usr/sbin:/sbin"


def environment():
    return {**os.environ, "PATH": search_path()}


def enter():
    """Starts this program again inside; returns there, or says why not."""
    if os.environ.get(INSIDE):
        os.environ["PATH"] = search_path()
        subprocess.run(["sh", "-c", PREPARE], check=True)
        return None
    words, reason = why_not()
    if reason:
        return reason
    sys.stdout.flush()
    os.execvpe(words[0], [*words, sys.executable, *sys.argv],
               {**environment(), INSIDE: "1"})


class Net:
    """Worker i is 10.77.i.2; the coordinator is 10.77.0.1 for all of them.

    Packets are dropped where they arrive, as on a network: no sender is told.
    """

    HUB = "hub"
    ADDRESS = "10.77.0.1"

    def __init__(self, workers):
        self.workers = list(workers)
        self.ip("netns", "add", self.HUB)
        self.ip("-n", self.HUB, "link", "set", "lo", "up")
        self.ip("-n", self.HUB, "addr", "add", f"{self.ADDRESS}/32", "dev",
                "lo")
        for number, name in enumerate(self.workers, 1):
            self.add(number, name)

    def add(self, number, name):
        hub, own = f"10.77.{number}.1", f"10.77.{number}.2"
        self.ip("netns", "add", name)
        self.ip("link", "add", name, "netns", self.HUB, "type", "veth", "peer",
                "name", "up0", "netns", name)
        for space, device, address in ((self.HUB, name, hub),
                                       (name, "up0", own)):
            self.ip("-n", space, "addr", "add", f"{address}/30", "dev", device)
            self.ip("-n", space, "link", "set", device, "up")
        self.ip("-n", name, "link", "set", "lo", "up")
        self.ip("-n", name, "route", "add", "default", "via", hub)
        for space in (self.HUB, name):
            self.nft(space, f"add table inet {name}; add chain inet {name} in "
                     "{ type filter hook input priority 0; }")

    def where(self, role):
        """The words before a program so that it runs there."""
        space = self.HUB if role == "coordinator" else role
        return ("nsenter", f"--net=/run/netns/{space}")

    def deafen(self, name):
        """Nothing reaches this worker; what it sends arrives."""
        self.nft(name, f"add rule inet {name} in iifname up0 drop")

    def mute(self, name):
        """Nothing that this worker sends arrives; it hears everything."""
        self.nft(self.HUB, f"add rule inet {name} in iifname {name} drop")

    def cut(self, name):
        self.deafen(name)
        self.mute(name)

    def heal(self, name):
        for space in (self.HUB, name):
            self.nft(space, f"flush chain inet {name} in")

    @staticmethod
    def ip(*words):
        subprocess.run(["ip", *words], check=True)

    def nft(self, space, rules):
        subprocess.run(["nsenter", f"--net=/run/netns/{space}", "nft", rules],
                       check=True)
