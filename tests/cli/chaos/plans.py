"""Plans of faults for chaos.py: which worker meets what, when and for how long.
They follow from the generator's seed and nothing else."""

WORKERS = [f"w{i}" for i in range(6)]
LEASE = 10.0  # of a cluster that was not told otherwise
# A worker that is silent for longer than its lease, and a second to notice.
SILENT = LEASE + 7
SILENCES = ("pause", "cut", "deafen", "mute")


# A plan is a list of (second, what, worker, for how long).
def plan_kills(rng, seconds):
    """One a second, but none before it can have joined again."""
    victims = rng.sample(WORKERS, len(WORKERS))
    while len(victims) < seconds:
        victims.append(rng.choice([w for w in WORKERS
                                   if w not in victims[-4:]]))
    return [(1.0 + i, "kill", worker, 0)
            for i, worker in enumerate(victims[:seconds])]


def plan_silence(what):
    def plan(rng, rounds):
        return [(1 + i * (SILENT + 4), what, worker, SILENT) for i, worker in
                enumerate(rng.sample(WORKERS, rounds))]
    return plan


def plan_silences(rng, _):
    """Each kind at once, on a worker of its own."""
    return [(1.0, what, worker, SILENT)
            for what, worker in zip(SILENCES, rng.sample(WORKERS, 4))]


def plan_coordinator(rng, seconds):
    plan, at = [], 1.0
    while at < seconds:
        plan.append((at, "kill_coordinator", None, 0))
        at += rng.uniform(2.5, 6)
    return plan


def plan_everything(rng, seconds):
    plan, at = [], 2.0
    while at < seconds:
        lasts = rng.choice((rng.uniform(0.2, 2), rng.uniform(2, SILENT)))
        plan.append((at, rng.choice(SILENCES), rng.choice(WORKERS), lasts))
        at += rng.uniform(2, 6)
    silences = list(plan)
    for second in range(1, seconds + 1):
        # Mostly others: who is killed at once never outlives its lease.
        silent = {worker for at, _, worker, lasts in silences
                  if at - 1 <= second <= at + lasts and rng.random() < 0.9}
        plan.append((float(second), "kill",
                     rng.choice([w for w in WORKERS if w not in silent]
                                or WORKERS), 0))
    at = 4.0
    while at < seconds:
        down = rng.choice((0, 0, rng.uniform(0, 3)))
        plan.append((at, "kill_coordinator", None, down))
        at += down + rng.uniform(4, 15)
    return plan


# Whose key is its own: it ends when that is revoked, and nothing else hits it.
GUEST = WORKERS[-1]
# name -> how long it lasts
MACHINES = {"lose_keys": (1, 6), "revoke": (1, 3), "delete_spool": (0, 0),
            "hang_up": (0, 0), "crowd": (1, 4), "garbage": (0, 0),
            "exhaust": (1, 4), "fill_disk": (1, 4), "start_full": (1, 3),
            "damage": (0, 1)}


def plan_machines(rng, rounds):
    """What goes wrong on machines, each thing once a round, while processes
    die."""
    plan, at = [], 1.0
    for _ in range(rounds):
        for what in rng.sample(sorted(MACHINES), len(MACHINES)):
            lasts = rng.uniform(*MACHINES[what])
            plan.append((at, what, GUEST if what == "revoke" else None, lasts))
            at += lasts + rng.uniform(0.5, 2)
    # Also while the keys are gone: nobody may end for that.
    plan += [(float(second), "kill", rng.choice(WORKERS[:-1]), 0)
             for second in range(3, int(at), 3)]
    plan += [(second + 0.5, "kill_coordinator", None, 0)
             for second in range(4, int(at), 7)]
    return plan


# name -> (plan, its size in the full form, in the short form; 0: not there)
SCENARIOS = {
    "kill workers": (plan_kills, 60, 8),
    "pause": (plan_silence("pause"), 2, 0),
    "cut off": (plan_silence("cut"), 2, 0),
    "one way: hears nothing": (plan_silence("deafen"), 2, 0),
    "one way: is not heard": (plan_silence("mute"), 2, 0),
    "paused and cut off at once": (plan_silences, 0, 1),
    "kill coordinator": (plan_coordinator, 60, 8),
    "machines": (plan_machines, 4, 1),
    "everything": (plan_everything, 300, 12),
}
# No cause for one figure: faults on top of faults.
UNMEASURED = ("machines", "everything")
# Of the median: the worst depends on what else this machine does.
GOALS = {"kill": 1.0, "kill_coordinator": 3.0,
         **{what: 15.0 for what in SILENCES}}
WORDS = {"kill": "worker SIGKILL -> its jobs go out again",
         "pause": "worker SIGSTOP -> its jobs go out again",
         "cut": "worker cut off -> its jobs go out again",
         "deafen": "worker hears nothing -> its jobs go out again",
         "mute": "worker is not heard -> its jobs go out again",
         "kill_coordinator": "coordinator SIGKILL -> first lease again"}
