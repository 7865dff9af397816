#include "config/declare.hpp"

namespace brewery {

namespace {

option_section run_section() {
  section_of<run_options> s{&config::run, "run",
                            "This run and the process that holds it."};
  s.add(&run_options::seed, "seed",
        "Seed of every random draw: equal seeds give equal documents, whatever "
        "the number of threads.",
        {.min = 0});
  s.add(&run_options::name, "name",
        "Put in front of the run id; empty for none.");
  s.add(&run_options::runs_dir, "runs_dir",
        "Directory that holds one directory per run.");
  s.add(&run_options::threads, "threads",
        "Workers that play rollouts; 0 is one per core.",
        {.unit = "threads", .min = 0, .max = 1024});
  s.add(&run_options::workers, "workers",
        "Worker processes of its own, one job each; 0 is none, then threads "
        "do the work.",
        {.unit = "processes", .min = 0, .max = 1024});
  s.add(&run_options::metrics_listen, "metrics_listen",
        "Where /metrics is served, as host:port, e.g. \"127.0.0.1:9464\"; "
        "empty for nowhere.");
  s.add(&run_options::log_level, "log_level",
        "Least severe log line that is written.",
        {.choices = {"trace", "debug", "info", "warn", "error", "off"}});
  return s.take();
}

option_section cluster_section() {
  section_of<cluster_settings> s{
      &config::cluster, "cluster",
      "Leases, retries and backup copies of jobs on workers."};
  s.add(&cluster_settings::lease_ms, "lease_ms",
        "A worker that is silent for so long loses its jobs to others; it "
        "sends four heartbeats in this time.",
        {.unit = "ms", .min = 200, .max = 3600000});
  s.add(&cluster_settings::max_failures, "max_failures",
        "Failures on different workers until a job is quarantined.",
        {.unit = "failures", .min = 1, .max = 100});
  s.add(&cluster_settings::job_limit_s, "job_limit_s",
        "A job that runs longer has failed; 0 for no limit.",
        {.unit = "s", .min = 0, .max = 604800});
  s.add(&cluster_settings::backups, "backups",
        "Run a second copy of a job that looks stuck while slots are free.");
  return s.take();
}

} // namespace

const std::vector<option_section>& schema() {
  static const std::vector<option_section> sections{
      run_section(),         cluster_section(),       environment_section(),
      tau2_section(),        tau2_official_section(), external_section(),
      spreadsheet_section(), search_section(),        eval_section(),
      retrieval_section(),   prompts_section(),       agent_section(),
      reflector_section(),   integrator_section(),    judge_section(),
      embedder_section(),    user_section(),          statement_judge_section(),
      models_section(),      budget_section()};
  return sections;
}

} // namespace brewery
