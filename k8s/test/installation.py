"""Brewery in a namespace of a node, as k8s/README.md says, for cluster_test.py."""

import json
import os
import subprocess
from pathlib import Path

import node as nodes
from support.cluster import SLOW_TOY, result_keys
from support.program import clean_environment, files_below

IN = ("-n", "brewery")
WORKERS = ("-l", "app.kubernetes.io/component=worker")
# Some 350 jobs of 15 calls: five minutes for two workers of two slots, so that a run
# is not over before slow machines have started twenty pods.
TOY = SLOW_TOY.format(latency=200)


class Installation:
    def __init__(self, brewery, node, root):
        self.brewery, self.node, self.root = brewery, node, root
        self.volume, self.keys = root / "volume", root / "keys"
        self.logs = root / "coordinator.log"
        self.readers = []

    def make_keys(self):
        for name, role in (("coordinator", "coordinator"), ("worker", "worker"),
                           ("operator", "operator")):
            nodes.run(self.brewery, "keys", "new", name, "--role", role,
                      "--keys", self.keys)
        create = self.node.kubectl
        create(*IN, "create", "secret", "generic", "brewery-coordinator",
               f"--from-file={self.keys}/coordinator.key")
        create(*IN, "create", "secret", "generic", "brewery-worker",
               f"--from-file={self.keys}/worker.key",
               f"--from-file={self.keys}/coordinator.pub")
        create(*IN, "create", "configmap", "brewery-allowed",
               f"--from-file={self.keys}/allowed")

    def make_volume(self):
        """What a provisioner does: a volume that is there for the claim."""
        self.volume.mkdir()
        self.node.kubectl("apply", "-f", "-", text=json.dumps({
            "apiVersion": "v1", "kind": "PersistentVolume",
            "metadata": {"name": "data"},
            "spec": {"capacity": {"storage": "1Gi"},
                     "accessModes": ["ReadWriteOnce"],
                     "local": {"path": str(self.volume)},
                     "nodeAffinity": {"required": {"nodeSelectorTerms": [
                         {"matchExpressions": [{
                             "key": "kubernetes.io/hostname",
                             "operator": "In", "values": ["node"]}]}]}}}}))

    def pods(self, *which):
        return [pod for pod in self.node.objects(*IN, "pods", *which)
                if "deletionTimestamp" not in pod["metadata"]]

    def is_ready(self, pod):
        return any(c["type"] == "Ready" and c["status"] == "True"
                   for c in pod["status"].get("conditions", []))

    def coordinator(self):
        """Its pod, if it is ready."""
        found = self.pods("-l", "app.kubernetes.io/component=coordinator")
        return found[0] if found and self.is_ready(found[0]) else None

    def wait_for_coordinator(self, but=None):
        self.node.wait("the coordinator is ready", lambda: (
            (pod := self.coordinator()) and pod["metadata"]["uid"] != but))
        # Its lines, also when the pod is gone.
        self.readers.append(subprocess.Popen(
            [self.node.tool, "--kubeconfig", self.node.at / "kubeconfig", *IN,
             "logs", "-f", "brewery-coordinator-0"],
            stdout=open(self.logs, "a"), stderr=subprocess.DEVNULL))

    def connection(self):
        """Words that lead to the coordinator, if it is ready."""
        pod = self.coordinator()
        return pod and ["--connect", f"tcp://{pod['status']['podIP']}:7420",
                        "--key", self.keys / "operator.key", "--server-key",
                        self.keys / "coordinator.pub"]

    def order(self, *words, wanted=True):
        where = self.connection()
        if not where:
            return None
        done = self.run(*words, *where)
        if wanted and done.returncode != 0:
            raise AssertionError(f"{words}: {done.stderr}")
        return done.stdout if done.returncode == 0 else None

    def run(self, *words):
        """As one who has kubectl and a file that says where the cluster is."""
        folder = Path(self.node.tool).parent
        return subprocess.run(
            [self.brewery, *map(str, words)], text=True, capture_output=True,
            env={**clean_environment(), "HOME": str(self.root),
                 "KUBECONFIG": str(self.node.at / "kubeconfig"),
                 "PATH": f"{folder}:{os.environ['PATH']}"}, timeout=60)

    def connected(self):
        said = self.order("status", "--json", wanted=False)
        return json.loads(said)["workers"] if said else -1

    def scale(self, *words):
        """By `brewery cluster up`; what it says when its workers are there."""
        said = json.loads(self.order("cluster", "up", "--json", *words))
        self.node.wait(f"{said['wanted']} workers are connected",
                       lambda: self.connected() == said["wanted"])
        return said

    def submit(self, run):
        file = self.root / f"{run}.toml"
        file.write_text(TOY)
        self.order("submit", file, "--id", run)

    def results(self, run):
        if not (self.volume / "runs" / run / "events.db").exists():
            return 0
        return len(result_keys(self.volume / "runs" / run))

    def is_done(self, run):
        return (self.volume / "runs" / run / "report.md").exists()

    def documents(self, run):
        files = files_below(self.volume / "runs" / run / "kb")
        return {name: text.replace(f'"run": "{run}"'.encode(), b"")
                for name, text in files.items()}
