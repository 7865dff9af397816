"""What a sweep came to, computed a second time: from its sweep.json and its
runs' logs, configurations, statuses and manifests."""

import collections
import hashlib
import json
import tomllib

from .bootstrap import interval, mean
from .log_reader import rows, unpacked, unzipped


def job_of(*parts):
    """The identity of a job: the hash of its parts, each with its length."""
    text = b"".join(b"%d:%s" % (len(part), part)
                    for part in (str(one).encode() for one in parts))
    return hashlib.sha256(text).hexdigest()[:32]


class Run:
    """One run. A retry takes back a result and what was decided after it, an
    extension the evaluation of the shorter run."""

    def __init__(self, path):
        self.name = path.name
        self.options = tomllib.loads((path / "config.toml").read_text())
        self.status = json.loads((path / "status.json").read_text())
        manifest = path / "kb" / "manifest.json"
        self.published = (json.loads(manifest.read_text())["documents"]
                          if manifest.exists() else [])
        self.seed = self.options["run"]["seed"]
        self.strategy = self.options["search"]["strategies"][0]
        self.results, self.verdicts, self.decided = {}, {}, {}
        self.trees = {}  # by strategy and concept, changes by iteration
        self.asked_in = {}  # by job: the strategy's iteration
        self.arm_jobs = {}  # by arm: of the evaluation that holds
        for seq, kind, key, payload in rows(path):
            self.take(seq, kind, key, payload)
        done = {**self.verdicts, **self.results}
        self.played = {job: answer["rollout"][0]
                       for job, (_, answer) in done.items()
                       if answer.get("rollout")}
        evaluated, sealed = set().union(*self.arm_jobs.values()), self.tasks()
        # Without those of a final evaluation that another has replaced.
        self.counted = {job: one for job, one in self.played.items()
                        if job in evaluated or one["task"] not in sealed}
        self.record = self.decided["run_record", "run"][1]
        self.data = self.record["fingerprint"].split(" ")[1]
        self.published_arm = self.arm("learned, " + self.strategy)
        self.without = self.arm("no KB")
        self.curve = self.barriers()

    def take(self, seq, kind, key, payload):
        if kind in ("retry", "retry_result"):
            before = (self.verdicts if kind == "retry" else self.results).pop(
                key, None)
            if before:
                self.decided = {name: one for name, one in self.decided.items()
                                if one[0] <= before[0]}
        elif kind == "job_result":
            self.results.setdefault(key, (seq, unpacked(unzipped(payload))))
        elif kind == "verdict":
            self.verdicts.setdefault(key, (seq, unpacked(unzipped(payload))))
        elif kind == "purpose_record":
            for one in unpacked(unzipped(payload))["purposes"]:
                if one["what"] == "arm":
                    self.arm_jobs[one["name"]] = one["jobs"]
                elif one["name"] == self.strategy:
                    for job in one["jobs"]:
                        self.asked_in[job] = min(
                            one["iteration"],
                            self.asked_in.get(job, one["iteration"]))
        elif kind == "tree_record":
            record = unpacked(unzipped(payload))
            tree = self.trees.setdefault(
                (key.partition("/")[0], record["concept_ref"]), {})
            # A search that is made again records its iterations again.
            tree[record["iteration"]] = record["nodes"]
        elif kind in ("run_record", "evaluation_record", "gather_record"):
            if kind == "run_record" and (kind, key) in self.decided:
                self.decided = {name: one for name, one in self.decided.items()
                                if name[0] == "gather_record"}
            self.decided[kind, key] = seq, unpacked(unzipped(payload))

    def arm(self, name):
        """Grades by task; tasks without a grade are left out."""
        _, found = self.decided.get(("evaluation_record", name), (0, None))
        return found and {task: grades for task, grades in
                          zip(found["tasks"], found["rewards"]) if grades}

    @staticmethod
    def score(arm):
        return mean(map(mean, arm.values())) if arm else None

    def tasks(self):
        return {task for (kind, _), (_, one) in self.decided.items()
                if kind == "evaluation_record" for task in one["tasks"]}

    def barriers(self):
        """(iteration, rollouts, train, eval, reward) of each step."""
        sealed = self.tasks()
        out, best, trained = [], {}, {}
        for iteration in range(1000):
            found = self.decided.get(
                ("gather_record", f"{self.strategy}/iteration {iteration}"))
            if not found:
                break
            _, closed = found
            for report in closed.get("folded", []) + closed["reports"]:
                best[report["concept_ref"]] = report["best"]
                if report["added"] + report["dropped"] > 0:
                    trained.setdefault(report["iteration"], []).append(
                        report["train_success"])
            rollouts = sum(1 for job, one in self.played.items()
                           if self.asked_in.get(job, 1000) <= iteration
                           and one["task"] not in sealed)
            scored = [one for one in best.values() if one["evaluated"] > 0]
            out.append([iteration, rollouts, None,
                        mean(one["correctness"] for one in scored),
                        mean(one["reward"] for one in scored)])
        for step in out:
            if step[0] in trained:
                step[2] = mean(trained[step[0]])
        return out

    def scoring(self):
        """The rollouts that scored versions, of all strategies."""
        out = collections.Counter()
        for (kind, _), (_, closed) in self.decided.items():
            for report in (closed.get("folded", []) + closed["reports"]
                           if kind == "gather_record" else []):
                for one in report.get("counts", []):
                    out[one["what"]] += one["rollouts"]
        return out

    def grown(self):
        """Expansions, versions, the deepest and the most children."""
        expansions = sum(
            report["added"] + report["dropped"] > 0
            for (kind, _), (_, closed) in self.decided.items()
            if kind == "gather_record"
            for report in closed.get("folded", []) + closed["reports"])
        last = {(place, node["id"]): node for place, tree in self.trees.items()
                for _, changes in sorted(tree.items()) for node in changes}
        nodes = [(place, node) for (place, _), node in last.items()]
        children = collections.Counter(
            (place, node["parent"]) for place, node in nodes
            if node["parent"] != node["id"])
        return (expansions, len(nodes),
                max((node["depth"] for _, node in nodes), default=0),
                max(children.values(), default=0))

    def saved(self):
        """Rollouts that were reused, stay pruned or lost a race, and the
        seconds that they would have taken."""
        made = [one["duration_us"] for one in self.played.values()
                if not one.get("reused_from") and one["duration_us"]]
        rollouts = sum(1 for one in self.counted.values()
                       if one.get("reused_from"))
        if len(self.options["search"]["strategies"]) == 1:
            scoring = self.scoring()
            rollouts += (scoring["pruned"] - scoring["resumed"]
                         + scoring["raced"])
        return (rollouts, rollouts * mean(made) / 1e6) if made else (0, 0)

    def attempts(self):
        """(task, grade, documents shown) of the published documents' graded
        attempts, without those that were shown none."""
        if self.published_arm is None:
            return
        key = self.record.get("playing") or self.record["fingerprint"]
        knowledge = [part for one in self.published
                     for part in (one["concept"], one["hash"])]
        _, arm = self.decided["evaluation_record",
                              "learned, " + self.strategy]
        for task in arm["tasks"]:
            for trial in range(self.options["eval"]["test_trials"]):
                job = job_of("rollout", task, trial, self.seed, 0, key,
                             len(self.published), *knowledge)
                attempt = self.played[job]  # a KeyError: it was never made
                if attempt["outcome"] != 0:
                    continue
                shown = self.played[attempt.get("reused_from") or job]
                documents = {one for record in shown["retrievals"]
                             for one in record["documents"]}
                if documents:
                    yield task, attempt["grade"]["reward"], documents

    def documents(self):
        """(title, tasks, attempts, mean grade, gain over no documents,
        contribution measured by leaving it out), by title."""
        attempts = list(self.attempts())
        for one in sorted(self.published, key=lambda one: (one["title"],
                                                           one["hash"])):
            grades = {}
            for task, grade, shown in attempts:
                if one["hash"] in shown:
                    grades.setdefault(task, []).append(grade)
            flat = [grade for some in grades.values() for grade in some]
            left_out = self.arm(f"without {one['concept']}")
            yield (one["title"], len(grades), len(flat),
                   mean(map(mean, grades.values())) if grades else None,
                   self.gap(grades, self.without),
                   self.gap(self.published_arm, left_out))

    def gap(self, some, other):
        return differences([(some, other)])


def differences(pairs):
    """Mean of the first minus the second, by task, over pairs of arms."""
    return interval([{task: mean(one[task]) - mean(other[task])
                      for task in one if task in other}
                     for one, other in pairs if one and other], -1, 1)


class Point:
    def __init__(self, name, options, runs):
        self.name, self.options, self.runs = name, options, runs
        self.arms = {run.seed: run.published_arm for run in runs}
        self.score = interval(
            [{(run.data, task): mean(grades)
              for task, grades in run.published_arm.items()}
             for run in runs if run.published_arm], 0, 1)
        self.gain = differences([(run.published_arm, run.without)
                                 for run in sorted(runs,
                                                   key=lambda run: run.seed)])

    def difference(self, first):
        return differences([(self.arms[seed], first.arms[seed])
                            for seed in sorted(self.arms)
                            if seed in first.arms])

    def curve(self):
        """(iteration, runs, rollouts, train, eval, reward, best so far), means
        over the runs that reached it."""
        steps = {}
        for run in self.runs:
            best = float("-inf")
            for step in run.curve:
                best = max(best, step[4])
                steps.setdefault(step[0], []).append([*step, best])
        for iteration, some in sorted(steps.items()):
            train = [one[2] for one in some if one[2] is not None]
            yield (iteration, len(some), mean(one[1] for one in some),
                   mean(train) if train else None,
                   *(mean(one[i] for one in some) for i in (3, 4, 5)))

    def rollouts_per_run(self):
        scored = [run for run in self.runs if run.score(run.published_arm)
                  is not None] or self.runs
        return mean(len(run.counted) for run in scored)


def points_of(sweep):
    about = json.loads((sweep / "sweep.json").read_text())
    return [Point(one["name"], one["options"],
                  [Run(sweep / run["run"]) for run in one["runs"]])
            for one in about["points"]]


def on_front(places):
    """Of (cost, score): no other is as cheap and as good, and better in one of
    both."""
    return [not any(cost <= mine and score >= best
                    and (cost < mine or score > best)
                    for cost, score in places) for mine, best in places]
