"""A Kubernetes cluster of one node from its real programs: etcd, apiserver,
scheduler, controller-manager, kubelet, containerd with runc, CoreDNS.

It runs inside a mount, network and process namespace of its own (`enter`), so
names and addresses collide with nothing, and everything ends with the last
process, also after SIGKILL. There is no kube-proxy: Services without a virtual
address need none. Needs root, for containers.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

INSIDE = "BREWERY_K8S_NODE"
ADDRESS = "10.88.0.1"
HERE = Path(__file__).resolve().parent
PACKAGES = {"etcd": "etcd-server", "containerd": "containerd", "ctr":
            "containerd", "runc": "runc", "buildah": "buildah",
            "unshare": "util-linux", "ip": "iproute2", "openssl": "openssl"}

CONTAINERD = """
version = 2
root = "{at}/containerd/root"
state = "{at}/containerd/state"
oom_score = 0
[grpc]
  address = "{at}/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/pause:1"
  restrict_oom_score_adj = true
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "{at}/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      SystemdCgroup = false
"""
NETWORK = {"cniVersion": "0.4.0", "name": "pods", "plugins": [
    {"type": "bridge", "bridge": "cni0", "isGateway": True,
     "ipam": {"type": "host-local", "dataDir": "{at}/addresses",
              "ranges": [[{"subnet": "10.88.0.0/16", "rangeStart": "10.88.1.1"}]]}}]}
KUBELET = {
    "apiVersion": "kubelet.config.k8s.io/v1beta1",
    "kind": "KubeletConfiguration",
    "failCgroupV1": False, "cgroupDriver": "cgroupfs", "oomScoreAdj": 0,
    "enforceNodeAllocatable": [], "failSwapOn": False,
    "authentication": {"anonymous": {"enabled": True},
                       "webhook": {"enabled": False}},
    "authorization": {"mode": "AlwaysAllow"},
    "address": ADDRESS, "readOnlyPort": 0,
    "containerRuntimeEndpoint": "unix://{at}/containerd.sock",
    "imageGCHighThresholdPercent": 100,
    "evictionHard": {"memory.available": "100Mi"},
    "resolvConf": "", "clusterDNS": [ADDRESS],
    "clusterDomain": "cluster.local", "maxPods": 200}
NAMES = """
.:53 {{
  bind {address}
  errors
  kubernetes cluster.local {{
    kubeconfig {at}/kubeconfig
    ttl 1
  }}
}}
"""
PAUSE = """
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
static void end(int s) { (void)s; _exit(0); }
static void reap(int s) { (void)s; while (waitpid(-1, 0, WNOHANG) > 0) {} }
int main(void) {
  signal(SIGINT, end); signal(SIGTERM, end); signal(SIGCHLD, reap);
  for (;;) pause();
}
"""


def enter():
    """Starts this program again inside; returns there, or says why not."""
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    if os.environ.get(INSIDE):
        # What kubelet and runc write to, wherever their own folders are.
        for folder in ("/run", "/var/lib/kubelet", "/var/log/pods",
                       "/var/log/containers"):
            Path(folder).mkdir(parents=True, exist_ok=True)
            run("mount", "-t", "tmpfs", "none", folder)
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "cni0", "type", "bridge")
        run("ip", "addr", "add", f"{ADDRESS}/16", "dev", "cni0")
        run("ip", "link", "set", "cni0", "up")
        return None
    if os.geteuid() != 0:
        return "containers need root"
    missing = sorted({package for tool, package in PACKAGES.items()
                      if not shutil.which(tool)})
    if not Path("/usr/lib/cni/bridge").exists():
        missing.append("containernetworking-plugins")
    if missing:
        return "missing packages: " + " ".join(missing)
    sys.stdout.flush()
    os.execvpe("unshare", [
        "unshare", "--mount", "--net", "--pid", "--fork", "--kill-child",
        "--mount-proc", sys.executable, *sys.argv], {**os.environ, INSIDE: "1"})


def run(*words, text=None, check=True):
    done = subprocess.run([*map(str, words)], input=text, text=True,
                          capture_output=True)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))}: "
                             f"{done.stderr}{done.stdout}")
    return done


def filled(value, at):
    return json.dumps(value).replace("{at}", str(at))


class Node:
    """`programs`: the folder of build_node.sh. `at`: a folder for its state,
    whose path is short enough for sockets."""

    def __init__(self, programs, at, kubectl):
        self.programs, self.at, self.tool = Path(programs), Path(at), kubectl
        self.children = {}
        self.at.mkdir(parents=True)

    def start(self):
        self.write_files()
        self.spawn("etcd", "etcd", "--data-dir", self.at / "etcd",
                   "--listen-peer-urls", "http://127.0.0.1:2380")
        self.spawn("containerd", "containerd", "--config",
                   self.at / "containerd.toml")
        kube = self.at / "kubeconfig"
        self.spawn(
            "apiserver", self.programs / "node", "apiserver",
            "--etcd-servers=http://127.0.0.1:2379",
            f"--cert-dir={self.at / 'certificates'}", "--secure-port=6443",
            f"--advertise-address={ADDRESS}",
            # For logs: the node's name is in no name service.
            "--kubelet-preferred-address-types=InternalIP",
            f"--token-auth-file={self.at / 'tokens.csv'}",
            "--authorization-mode=AlwaysAllow",
            "--service-cluster-ip-range=10.96.0.0/16",
            "--service-account-issuer=https://kubernetes.default.svc",
            f"--service-account-key-file={self.at / 'accounts.key'}",
            f"--service-account-signing-key-file={self.at / 'accounts.key'}")
        self.wait("the API server is ready", lambda: self.kubectl(
            "get", "--raw", "/readyz", check=False).stdout == "ok")
        self.spawn("controllers", self.programs / "node", "controllers",
                   f"--kubeconfig={kube}", "--leader-elect=false",
                   "--service-account-private-key-file="
                   f"{self.at / 'accounts.key'}")
        self.spawn("scheduler", self.programs / "node", "scheduler",
                   f"--kubeconfig={kube}", "--leader-elect=false")
        self.spawn("dns", self.programs / "dns", "-conf", self.at / "Corefile")
        self.import_pause()
        self.spawn("kubelet", self.programs / "node", "kubelet",
                   f"--config={self.at / 'kubelet.json'}",
                   f"--kubeconfig={kube}", "--hostname-override=node",
                   f"--node-ip={ADDRESS}", f"--root-dir={self.at / 'kubelet'}",
                   f"--cert-dir={self.at / 'certificates'}")
        self.wait("the node is ready", lambda: "True" in self.kubectl(
            "get", "node", "node", "-o", "jsonpath={.status.conditions"
            "[?(@.type=='Ready')].status}", check=False).stdout, 120)

    def write_files(self):
        for name, text in {
                "containerd.toml": CONTAINERD.format(at=self.at),
                "cni/10-pods.conflist": filled(NETWORK, self.at),
                "kubelet.json": filled(KUBELET, self.at),
                "Corefile": NAMES.format(at=self.at, address=ADDRESS),
                "tokens.csv": "token,admin,admin,system:masters\n",
                "kubeconfig": json.dumps({
                    "apiVersion": "v1", "kind": "Config",
                    "current-context": "test",
                    "clusters": [{"name": "test", "cluster": {
                        "server": "https://127.0.0.1:6443",
                        "insecure-skip-tls-verify": True}}],
                    "users": [{"name": "admin", "user": {"token": "token"}}],
                    "contexts": [{"name": "test", "context": {
                        "cluster": "test", "user": "admin"}}]})}.items():
            (self.at / name).parent.mkdir(exist_ok=True)
            (self.at / name).write_text(text)
        run("openssl", "genrsa", "-out", self.at / "accounts.key", "2048")

    def spawn(self, name, *words):
        with open(self.at / f"{name}.log", "w") as log:
            self.children[name] = subprocess.Popen(
                [*map(str, words)], stdout=log, stderr=log)

    def wait(self, what, holds, limit=300.0, every=0.2):
        """How long it took, in seconds."""
        begun = time.monotonic()
        while not holds():
            for name, child in self.children.items():
                if child.poll() is not None:
                    log = (self.at / f"{name}.log").read_text()
                    raise AssertionError(f"{name} has ended: {log[-2000:]}")
            if time.monotonic() - begun > limit:
                raise AssertionError(f"not within {limit} s: {what}")
            time.sleep(every)
        took = time.monotonic() - begun
        print(f"  {what}: {took:.1f} s", flush=True)
        return took

    def kubectl(self, *words, text=None, check=True):
        return run(self.tool, "--kubeconfig", self.at / "kubeconfig", *words,
                   text=text, check=check)

    def objects(self, *words):
        done = self.kubectl("get", *words, "-o", "json")
        return json.loads(done.stdout)["items"]

    # -- images --

    def import_image(self, tag):
        """From the store of buildah."""
        archive = self.at / "image.tar"
        archive.unlink(missing_ok=True)
        run("buildah", "push", "--quiet", tag, f"docker-archive:{archive}:{tag}")
        run("ctr", "--address", self.at / "containerd.sock", "-n", "k8s.io",
            "images", "import", archive)
        archive.unlink()

    def import_pause(self):
        """What holds a pod's network: a program that waits."""
        folder = self.at / "pause"
        folder.mkdir()
        (folder / "pause.c").write_text(PAUSE)
        run("gcc", "-static", "-Os", "-o", folder / "pause", folder / "pause.c")
        (folder / "Containerfile").write_text(
            'FROM scratch\nCOPY pause /pause\nENTRYPOINT ["/pause"]\n')
        run("buildah", "build", "--quiet", "--isolation", "chroot", "-t",
            "localhost/pause:1", folder)
        self.import_image("localhost/pause:1")

    def stop(self):
        """Containers end with the namespace; their folders go now."""
        for name in reversed(list(self.children)):
            self.children[name].kill()
            self.children[name].wait()
        mounted = [line.split()[1] for line in
                   Path("/proc/mounts").read_text().splitlines()]
        for place in reversed(mounted):
            if place.startswith(f"{self.at}/"):
                run("umount", "--lazy", place, check=False)
