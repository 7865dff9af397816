#!/usr/bin/env python3
"""The manifests on a real Kubernetes of one node: what its API server says of
them, and that runs come out the same whatever happens to pods.

  cluster_test.py PATH_OF_BREWERY NODE_PROGRAMS

NODE_PROGRAMS is the folder of build_node.sh. localhost/brewery:dev is what
`make image` made. Prints why and exits 77 where no cluster can be started.
"""

import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/cli"), str(Path(__file__).parent)]
import node as nodes
from installation import IN, WORKERS, Installation
from support.cluster import SLOW_TOY, json_lines, result_keys
from support.program import files_below

BREWERY, PROGRAMS = (os.path.abspath(word) for word in sys.argv[1:3])
TOOLS = os.environ.get("BREWERY_K8S_TOOLS", "")
def check(what, holds, detail=""):
    print(f"  {'ok' if holds else 'FAILED'}: {what} {detail}".rstrip(),
          flush=True)
    if not holds:
        raise AssertionError(f"{what} {detail}")


def manifests_are_accepted(node):
    """Each overlay, with what it would be if it were applied now."""
    sources = nodes.run("go", "env", "GOMODCACHE").stdout.strip()
    nodes.run("go", "mod", "download", "github.com/kedacore/keda/v2@v2.21.0")
    node.kubectl("apply", "--server-side", "-f",
                 f"{sources}/github.com/kedacore/keda/v2@v2.21.0/config/crd/"
                 "bases/keda.sh_scaledobjects.yaml")
    node.wait("KEDA's kind is known", lambda: "ScaledObject" in node.kubectl(
        "api-resources", "--api-group=keda.sh", check=False).stdout)
    node.kubectl("apply", "-f", ROOT / "k8s/base/namespace.yaml")
    node.wait("the namespace has its account", lambda: node.kubectl(
        *IN, "get", "serviceaccount", "default", check=False).returncode == 0)
    folders = sorted((ROOT / "k8s/overlays").iterdir())
    for folder in [*folders, ROOT / "k8s/test/autoscaled"]:
        done = node.kubectl("apply", "--dry-run=server", "--validate=strict",
                            "-k", folder, check=False)
        check(f"{folder.name}: {len(done.stdout.splitlines())} objects are "
              "accepted without a warning",
              done.returncode == 0 and not done.stderr, done.stderr)
    # The same questions find what is wrong.
    good = node.kubectl("kustomize", ROOT / "k8s/overlays/dev").stdout
    for what, old, new, answer in (
            ("a missing runAsNonRoot", "runAsNonRoot: true", "", "would violate"),
            ("a misspelt probe", "readinessProbe:", "readynessProbe:",
             "unknown field"),
            ("a number in words", "replicas: 2", "replicas: two",
             "replicas")):
        done = node.kubectl("apply", "--dry-run=server", "--validate=strict",
                            "-f", "-", text=good.replace(old, new), check=False)
        check(f"{what} is found", answer in done.stderr, "")
    scaled = (ROOT / "k8s/components/keda/scaled-object.yaml").read_text()
    done = node.kubectl(*IN, "apply", "--dry-run=server", "--validate=strict",
                        "-f", "-", check=False,
                        text=scaled.replace("maxReplicaCount", "maxReplicas"))
    check("a misspelt option of KEDA is found",
          "unknown field" in done.stderr)


def workers_come_and_go(it):
    it.submit("scaled")
    it.node.wait("it runs", lambda: it.results("scaled") > 10)
    it.node.wait("jobs for 20 workers wait", lambda: json.loads(
        it.order("status", "--json"))["jobs"]["queued"] >= 44)
    said = it.scale("--on", "k8s", "--workers", 2, "--max", 20, "--once")
    check("the queue asks for 20 of two slots",
          (said["there"], said["wanted"]) == (2, 20), said)
    it.node.wait("they work", lambda: it.results("scaled") > 100)
    check("it is not done yet", not it.is_done("scaled"))
    it.scale("--workers", 2)
    shown = json.loads(it.order("cluster", "status", "--json"))
    check("2 workers are shown", [shown[key] for key in (
        "engine", "running", "waiting", "connected")] == ["k8s", 2, 0, 2], shown)
    finished(it, "scaled")
    done = it.run("cluster", "down", "--json")
    check("2 are told to end", done.returncode == 0
          and json.loads(done.stdout)["ended"] == 2, done.stderr)
    it.node.wait("no worker is connected", lambda: it.connected() == 0)
    it.scale("--on", "k8s", "--workers", 2)


def pods_die(it):
    it.submit("disturbed")
    it.node.wait("it runs", lambda: it.results("disturbed") > 20)
    for _ in range(2):
        before = it.results("disturbed")
        uid = it.coordinator()["metadata"]["uid"]
        it.node.kubectl(*IN, "delete", "pod", "brewery-coordinator-0",
                        "--wait=false")
        it.wait_for_coordinator(but=uid)
        it.node.wait("the workers have followed", lambda: it.connected() == 2)
        it.node.wait("the run goes on",
                     lambda: it.results("disturbed") > before + 10)
    for _ in range(6):
        begun = time.monotonic()
        it.node.kubectl(*IN, "delete", "--wait=false", "pod",
                        it.pods(*WORKERS)[0]["metadata"]["name"])
        time.sleep(max(0, begun + 5 - time.monotonic()))
    it.node.wait("deleted workers have others in their place", lambda: (
        it.connected() == 2 and len(it.pods(*WORKERS)) == 2))
    old = {pod["metadata"]["name"] for pod in it.pods(*WORKERS)}
    it.node.kubectl(*IN, "rollout", "restart", "deployment/brewery-worker")
    it.node.wait("every worker has been replaced", lambda: (
        not old & {pod["metadata"]["name"] for pod in it.pods(*WORKERS)}
        and it.connected() == 2))
    evictions_keep_the_budget(it)
    check("it is not done yet", not it.is_done("disturbed"))
    finished(it, "disturbed")


def evictions_keep_the_budget(it):
    names = [pod["metadata"]["name"] for pod in it.pods(*WORKERS)]
    it.node.wait("the budget allows one", lambda: it.node.objects(
        *IN, "poddisruptionbudgets")[0]["status"]["disruptionsAllowed"] == 1)
    said = [it.node.kubectl(
        "create", "--raw",
        f"/api/v1/namespaces/brewery/pods/{name}/eviction", "-f", "-",
        check=False, text=json.dumps({
            "apiVersion": "policy/v1", "kind": "Eviction",
            "metadata": {"name": name, "namespace": "brewery"}}))
        for name in names]
    check("one eviction is allowed", said[0].returncode == 0, said[0].stderr)
    check("the second is refused", "disruption budget" in said[1].stderr,
          said[1].stderr.strip())
    it.node.wait("another is in its place", lambda: it.connected() == 2
                 and len(it.pods(*WORKERS)) == 2)


def finished(it, run):
    it.node.wait("it is done", lambda: it.is_done(run), 900)
    keys = result_keys(it.volume / "runs" / run)
    check("each job has one result", len(keys) == len(set(keys)), f"({len(keys)})")
    check("the documents are those of the undisturbed run, byte for byte",
          it.documents(run) == it.reference, f"({len(it.reference)})")
    log = it.logs.read_text()
    check("the log of every coordinator was read",
          log.count("listening on") == len(it.readers))
    check("workers left in order", "left: told to stop" in log)
    check("no failure was charged", "job_failed" not in log
          and "its connection broke and was not restored" not in log)
    check("nothing is in quarantine",
          not json_lines(it.order("quarantine", "list", "--json")))


def install(node, root):
    it = Installation(BREWERY, node, root)
    it.make_keys()
    it.make_volume()
    node.kubectl("apply", "-k", ROOT / "k8s/overlays/dev")
    it.wait_for_coordinator()
    node.wait("2 workers are connected", lambda: it.connected() == 2)
    it.reference = undisturbed(root)
    return it


def undisturbed(root):
    """The documents of the same run in one process."""
    file = root / "reference.toml"
    file.write_text(SLOW_TOY.format(latency=0))
    nodes.run(BREWERY, "run", file, "--id", "reference", "--quiet", "--set",
              f"run.runs_dir={root / 'runs'}")
    files = files_below(root / "runs" / "reference" / "kb")
    return {name: text.replace(b'"run": "reference"', b"")
            for name, text in files.items()}


def main():
    if reason := nodes.enter():
        print(f"skipped: no cluster can be started here: {reason}")
        return 77
    kubectl = shutil.which("kubectl", path=f"{TOOLS}/bin:{os.environ['PATH']}")
    with tempfile.TemporaryDirectory(prefix="bk8s-", dir="/tmp",
                                     ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        os.chmod(root, 0o755)
        node = nodes.Node(PROGRAMS, root / "node", kubectl)
        try:
            print("a node", flush=True)
            node.start()
            print("manifests are accepted", flush=True)
            manifests_are_accepted(node)
            print("the overlay for a laptop", flush=True)
            node.import_image("localhost/brewery:dev")
            it = install(node, root)
            for test in (workers_come_and_go, pods_die):
                print(test.__name__.replace("_", " "), flush=True)
                test(it)
        except AssertionError:
            report(node)
            raise
        finally:
            node.stop()
    return 0


def report(node):
    """What may say why."""
    if keep := os.environ.get("KEEP_LOGS"):
        shutil.copytree(node.at, keep, ignore=shutil.ignore_patterns(
            "containerd*", "etcd", "kubelet", "*.sock"), dirs_exist_ok=True)
    for words in (("get", "pods", "-A", "-o", "wide"),
                  ("get", "events", "-A", "--sort-by=.lastTimestamp")):
        print(node.kubectl(*words, check=False).stdout[-4000:], flush=True)


if __name__ == "__main__":
    sys.exit(main())
