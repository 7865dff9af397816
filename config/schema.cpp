#include "config/declare.hpp"

namespace brewery {

namespace {

option_section run_section() {
  section_of<run_options> s{&config::run, "run", "The run and its process."};
  s.add(&run_options::seed, "seed",
        "Seed of every random draw. Equal seeds give equal documents, "
        "independent of the number of threads.",
        {.min = 0});
  s.add(&run_options::name, "name", "Prefix of the run id; empty: none.");
  s.add(&run_options::runs_dir, "runs_dir",
        "The directory in which each run has a directory.");
  s.add(&run_options::threads, "threads",
        "Number of worker threads; 0: one per core.",
        {.unit = "threads", .min = 0, .max = 1024});
  s.add(&run_options::workers, "workers",
        "Number of worker processes, each with one job at a time. 0: threads "
        "run the jobs.",
        {.unit = "processes", .min = 0, .max = 1024});
  s.add(&run_options::metrics_listen, "metrics_listen",
        "Address that serves /metrics, as host:port, e.g. \"127.0.0.1:9464\"; "
        "empty: none.");
  s.add(&run_options::log_level, "log_level", "Minimum level of log lines.",
        {.choices = {"trace", "debug", "info", "warn", "error", "off"}});
  return s.take();
}

option_section cluster_section() {
  section_of<cluster_settings> s{
      &config::cluster, "cluster",
      "Leases, retries and backup copies of jobs on workers."};
  s.add(&cluster_settings::lease_ms, "lease_ms",
        "Time without a heartbeat after which the jobs of a worker go to "
        "others. A worker sends four heartbeats in this time.",
        {.unit = "ms", .min = 200, .max = 3600000});
  s.add(&cluster_settings::max_failures, "max_failures",
        "Number of failures on different workers after which a job is "
        "quarantined; twice the number where there are fewer workers. In one "
        "process this counts what may mend, such as a service that is away; "
        "any other failure is final there.",
        {.unit = "failures", .min = 1, .max = 100});
  s.add(&cluster_settings::job_limit_s, "job_limit_s",
        "Time limit of a job; 0: none. A job that exceeds it has failed.",
        {.unit = "s", .min = 0, .max = 604800});
  s.add(&cluster_settings::backups, "backups",
        "Run a second copy of a job that seems to hang, if slots are free.");
  return s.take();
}

} // namespace

const std::vector<option_section>& schema() {
  static const std::vector<option_section> sections{run_section(),
                                                    cluster_section(),
                                                    environment_section(),
                                                    tau2_section(),
                                                    tau2_official_section(),
                                                    external_section(),
                                                    spreadsheet_section(),
                                                    osworld_section(),
                                                    plant_section(),
                                                    search_section(),
                                                    agent_kb_section(),
                                                    muse_section(),
                                                    memory_port_section(),
                                                    eval_section(),
                                                    economy_section(),
                                                    retrieval_section(),
                                                    prompts_section(),
                                                    agent_section(),
                                                    reflector_section(),
                                                    memory_section(),
                                                    integrator_section(),
                                                    judge_section(),
                                                    embedder_section(),
                                                    user_section(),
                                                    statement_judge_section(),
                                                    models_section(),
                                                    budget_section()};
  return sections;
}

} // namespace brewery
