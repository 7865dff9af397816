#!/usr/bin/env python3
"""The dashboards of this folder, as data, and the JSON that Grafana reads.

  dashboards.py           writes dashboards/*.json
  dashboards.py --check   exit 1 if these are not what it would write

A panel is a title, a unit and queries with their legends; everything else is
alike for all. `%C` stands for the coordinators' series, `%W` for the workers':
both serve slots and jobs of their own, so a sum over both counts twice.
"""

import json
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "dashboards"
COORDINATOR = 'job=~"$coordinator"'
WORKER = 'job=~"$worker"'
EVERY = "$__rate_interval"


def rate(metric, by=(), where="%C"):
    over = f"rate({metric}{{{where}}}[{EVERY}])"
    return f"sum by ({', '.join(by)}) ({over})" if by else f"sum({over})"


def quantile(share, histogram, where="%C", by=()):
    labels = ", ".join(("le", *by))
    return (f"histogram_quantile({share}, sum by ({labels}) "
            f"(rate({histogram}_bucket{{{where}}}[{EVERY}])))")


def quantiles(histogram, where="%C"):
    return [(quantile(share, histogram, where), f"p{share * 100:.0f}")
            for share in (0.5, 0.9, 0.99)]


def value(metric, by=(), where="%C"):
    return (f"sum by ({', '.join(by)}) ({metric}{{{where}}})" if by
            else f"sum({metric}{{{where}}})")


OF_RUN = '%C, run=~"$run"'

# uid: (title, what it answers, whether one run is chosen, panels)
DASHBOARDS = {
    "brewery-throughput": ("Brewery: throughput and outcomes", (
        "Is work being done, how fast, and does it end well?"), False, [
        ("Rollouts of runs, and those that workers played", "ops",
         [(rate("brewery_rollouts_total", ("outcome",)), "{{outcome}}"),
          (rate("brewery_run_jobs_done_total", (), '%C, role="rollout"'),
           "played")]),
        ("Results by kind of job", "ops",
         [(rate("brewery_run_jobs_done_total", ("role",)), "{{role}}")]),
        ("Results by run", "ops",
         [(rate("brewery_run_jobs_done_total", ("run",)), "{{run}}")]),
        ("Jobs that wait and run", "short",
         [(value("brewery_jobs_queued"), "wait"),
          (value("brewery_jobs_running"), "run")]),
        ("Duration of a rollout", "s",
         quantiles("brewery_rollout_duration_seconds")),
        ("Time in the queue", "s", quantiles("brewery_job_wait_seconds")),
        ("Rollouts without a score", "percentunit",
         [(rate("brewery_environment_errors_total") + " / clamp_min("
           + rate("brewery_rollout_duration_seconds_count") + ", 1e-9)",
           "environment failed")]),
        ("Candidates", "ops",
         [(rate("brewery_candidates_total", ("outcome",)), "{{outcome}}")]),
        ("Rollouts that score versions", "ops",
         [(rate("brewery_scoring_rollouts_total", ("what",)), "{{what}}")]),
        ("Audits of reused rollouts", "ops",
         [(rate("brewery_reuse_checks_total", ("found",)), "{{found}}")]),
    ]),
    "brewery-barrier": ("Brewery: barriers and stragglers", (
        "What do gathers cost, and what do they wait for?"), False, [
        ("Efficiency of the last barrier", "percentunit",
         [("brewery_barrier_efficiency_ratio{%C}", "{{run}} {{strategy}}")]),
        ("Slots' time spent in jobs", "percentunit",
         [("brewery_barrier_utilisation_ratio{%C}", "{{run}} {{strategy}}")]),
        ("First tree done to last tree done", "s",
         quantiles("brewery_barrier_wait_seconds")),
        ("Age of the longest-running job", "s",
         [("max(brewery_oldest_inflight_seconds{%C})", "oldest")]),
        ("Backup copies", "ops",
         [(rate("brewery_backups_total", ("outcome",)), "{{outcome}}")]),
        ("Reports that were late", "ops",
         [(rate("brewery_reports_late_total"), "late")]),
        ("Iteration", "short",
         [("brewery_iteration{%C}", "{{run}} {{strategy}}")]),
        ("Share of trees waited for", "percentunit",
         [("brewery_gather_quorum_ratio{%C}", "{{run}} {{strategy}}")]),
    ]),
    "brewery-cluster": ("Brewery: cluster and leases", (
        "Are workers there, do they keep their leases, is the log written?"),
        False, [
        ("Slots", "short",
         [(value("brewery_workers", ("state",)), "{{state}}")]),
        ("Slots in use", "percentunit",
         [('sum(brewery_workers{%C, state="busy"}) / '
           "clamp_min(sum(brewery_workers{%C}), 1)", "busy")]),
        ("Processes that answer", "short",
         [("sum by (job) (up{%C})", "{{job}}"),
          ("sum by (job) (up{%W})", "{{job}}")]),
        ("Leases that ended by silence", "ops",
         [(rate("brewery_lease_expirations_total"), "expired"),
          (rate("brewery_jobs_adopted_total"), "adopted"),
          (rate("brewery_results_stale_total"), "refused results")]),
        ("Jobs in quarantine", "short",
         [(value("brewery_jobs_quarantined"), "quarantined")]),
        ("Peers refused", "ops",
         [(rate("brewery_peers_refused_total"), "refused")]),
        ("Commit of the event log", "s",
         quantiles("brewery_journal_commit_seconds")),
        ("Events written", "ops",
         [(rate("brewery_journal_events_total"), "events")]),
        ("What stops a coordinator", "short",
         [("max(brewery_journal_stuck{%C})", "log cannot be written"),
          (value("brewery_runs_unreadable"), "runs that cannot be read")]),
        ("Retrieval on workers", "s",
         quantiles("brewery_retrieval_duration_seconds", "%W")),
        ("Versions", "short",
         [("count by (version) (brewery_build_info)", "{{version}}")]),
    ]),
    "brewery-models": ("Brewery: language models", (
        "What do models cost, how fast do they answer, what fails?"), False, [
        ("Attempts of calls", "ops",
         [(rate("brewery_model_attempt_seconds_count",
                ("server", "outcome")), "{{server}} {{outcome}}")]),
        ("Duration of an attempt", "s",
         [(quantile(share, "brewery_model_attempt_seconds", by=("server",)),
           f"{{{{server}}}} p{share * 100:.0f}") for share in (0.5, 0.99)]),
        ("Time spent waiting for a retry", "percentunit",
         [(rate("brewery_model_pause_seconds_total", ("server",)),
           "{{server}}")]),
        ("Cost", "currencyUSD",
         [(value("brewery_model_cost_usd", ("run",)), "{{run}}")]),
        ("Share of the budget", "percentunit",
         [("sum by (run) (brewery_model_cost_usd{%C}) / sum by (run) "
           "(brewery_model_budget_usd{%C})", "{{run}}")]),
        ("Tokens", "short",
         [(value("brewery_model_tokens", ("run",)), "{{run}}")]),
        ("Tokens a second", "short",
         [(f"sum by (run) (deriv(brewery_model_tokens{{%C}}[{EVERY}]))",
           "{{run}}")]),
        ("Calls", "short",
         [(value("brewery_model_calls", ("run",)), "{{run}}")]),
        ("Replies that were no use", "ops",
         [(rate("brewery_reply_troubles_total", ("role", "kind")),
           "{{role}} {{kind}}")]),
    ]),
    "brewery-run": ("Brewery: one run", (
        "How far is it, what has it learned, what does it wait for?"), True, [
        ("Best reward, mean over trees", "percentunit",
         [(f"brewery_best_reward_ratio{{{OF_RUN}}}", "{{run}} {{strategy}}")]),
        ("Iteration", "short",
         [(f"brewery_iteration{{{OF_RUN}}}", "{{run}} {{strategy}}")]),
        ("Jobs that wait", "short",
         [(value("brewery_run_jobs_queued", ("role",), OF_RUN), "{{role}}")]),
        ("Jobs that run", "short",
         [(value("brewery_run_jobs_running", ("role",), OF_RUN),
           "{{role}}")]),
        ("Results", "ops",
         [(rate("brewery_run_jobs_done_total", ("role",), OF_RUN),
           "{{role}}")]),
        ("Barriers", "percentunit",
         [(f"brewery_barrier_efficiency_ratio{{{OF_RUN}}}",
           "{{strategy}} efficiency"),
          (f"brewery_barrier_utilisation_ratio{{{OF_RUN}}}",
           "{{strategy}} utilisation")]),
        ("Cost of models", "currencyUSD",
         [(f"brewery_model_cost_usd{{{OF_RUN}}}", "{{run}} spent"),
          (f"brewery_model_budget_usd{{{OF_RUN}}}", "{{run}} limit")]),
        ("Tokens of models", "short",
         [(f"brewery_model_tokens{{{OF_RUN}}}", "{{run}}")]),
    ]),
}


def panel(number, title, unit, queries):
    source = {"type": "prometheus", "uid": "${datasource}"}
    return {
        "id": number + 1, "type": "timeseries", "title": title,
        "datasource": source,
        "gridPos": {"h": 8, "w": 12, "x": 12 * (number % 2),
                    "y": 8 * (number // 2)},
        "fieldConfig": {"defaults": {
            "unit": unit, "min": 0, "custom": {"fillOpacity": 10}},
            "overrides": []},
        "options": {
            "legend": {"displayMode": "table", "placement": "bottom",
                       "calcs": ["lastNotNull", "max"], "showLegend": True},
            "tooltip": {"mode": "multi", "sort": "desc"}},
        "targets": [{
            "refId": chr(ord("A") + i), "datasource": source,
            "expr": expr.replace("%C", COORDINATOR).replace("%W", WORKER),
            "legendFormat": legend, "range": True}
            for i, (expr, legend) in enumerate(queries)]}


def variable(name, label, query):
    return {"name": name, "label": label, "type": "query",
            "datasource": {"type": "prometheus", "uid": "${datasource}"},
            "query": {"query": query, "refId": name}, "refresh": 2, "sort": 1,
            "multi": True, "includeAll": True, "allValue": ".*"}


def jobs_named(part):
    """Of processes whose job has that word; all, if `All` is chosen."""
    made = variable(part, part, 'label_values(brewery_build_info{job=~".*'
                    + part + '.*"}, job)')
    return {**made, "allValue": f".*{part}.*"}


def dashboard(uid, title, answers, of_run, panels):
    variables = [{"name": "datasource", "label": "data source",
                  "type": "datasource", "query": "prometheus"},
                 jobs_named("coordinator"), jobs_named("worker"),
                 {"name": "runbook", "label": "runbook", "type": "textbox",
                  "description": "where docs/runbook.md is served",
                  "query": "runbook.md"}]
    if of_run:
        # Which a run has from its first job on.
        variables.append(variable(
            "run", "run", "label_values(brewery_run_jobs_queued, run)"))
    return {
        "uid": uid, "title": title, "description": answers,
        "tags": ["brewery"], "schemaVersion": 39, "editable": True,
        "graphTooltip": 1, "refresh": "10s", "timezone": "browser",
        "time": {"from": "now-1h", "to": "now"},
        "links": [{"title": "Runbook", "type": "link", "icon": "doc",
                   "tooltip": "What to do about an alert", "url": "${runbook}",
                   "targetBlank": True, "asDropdown": False,
                   "includeVars": False, "keepTime": False, "tags": []},
                  {"title": "Brewery", "type": "dashboards", "icon": "",
                   "tooltip": "The other dashboards", "url": "",
                   "tags": ["brewery"], "asDropdown": True,
                   "includeVars": False, "keepTime": True,
                   "targetBlank": False}],
        "templating": {"list": variables},
        "panels": [panel(i, *one) for i, one in enumerate(panels)]}


def written():
    return {FOLDER / f"{uid}.json":
            json.dumps(dashboard(uid, *about), indent=1) + "\n"
            for uid, about in DASHBOARDS.items()}


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    stale = [path for path, text in written().items()
             if not path.exists() or path.read_text() != text]
    stray = set(FOLDER.glob("*.json")) - set(written())
    if sys.argv[1:]:
        for path in [*stale, *sorted(stray)]:
            print(f"{path.name} is not what k8s/monitoring/dashboards.py "
                  "writes: run it")
        sys.exit(bool(stale or stray))
    for path, text in written().items():
        path.write_text(text)
    for path in stray:
        path.unlink()


if __name__ == "__main__":
    main()
