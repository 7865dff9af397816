#pragma once
/// A job table with one open run, a clock and names for what is in it.

#include "cluster/table/job_table.hpp"
#include "tests/fixtures/text.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace brewery {

/// 0 of one that is not there.
inline std::uint32_t leases_of(const job_table& table, worker_id worker) {
  for (const auto& seen : table.workers())
    if (seen.id == worker) return seen.leases;
  return 0;
}

struct job_yard {
  explicit job_yard(const cluster_options& options = {}) : table(options, 7) {
    table.open_run(run);
  }

  worker_id join(const std::string& name, std::uint32_t slots = 1,
                 const std::string& host = "h") {
    return table.join(
        {name, name + "#1", host, slots, {job_kind::rollout}, {"*"}}, now);
  }
  /// A worker that did a job well and is busy with another, of `elsewhere`.
  worker_id join_proven(const std::string& name) {
    table.open_run(elsewhere);
    const auto worker = join(name);
    submit(elsewhere, name + "1", name);
    finish(grant());
    submit(elsewhere, name + "2", name);
    grant();
    return worker;
  }
  worker_view worker(const std::string& name) const {
    for (const auto& seen : table.workers())
      if (seen.spec.name == name) return seen;
    FAIL("no worker " << name);
    return {};
  }
  /// Of a pace of its own, so that nothing is known of its duration.
  bool submit(const std::string& id) { return submit(id, id); }
  bool submit(const std::string& id, const std::string& duration_key) {
    return submit(run, id, duration_key);
  }
  bool submit(const run_id& whose, const std::string& id,
              const std::string& duration_key) {
    return table.submit(whose, {{id}, {job_kind::rollout, "fp"}, duration_key},
                        now);
  }
  std::vector<granted_lease> assign() { return table.assign(now); }
  /// The jobs that were granted, in that order: "a b".
  std::string assigned() {
    std::string out;
    for (const auto& lease : assign())
      out += (out.empty() ? "" : " ") + lease.key.job.value;
    return out;
  }
  /// There must be exactly one.
  granted_lease grant() {
    auto made = assign();
    REQUIRE(made.size() == 1);
    return made.front();
  }
  finish_outcome finish(const granted_lease& lease,
                        const std::string& error = {}) {
    return table.finish(lease.worker, lease.key, {error}, now);
  }
  /// Somebody with no other work does this job, which takes so long.
  void play(const std::string& id, const std::string& duration_key,
            microseconds spent) {
    submit(id, duration_key);
    const auto lease = grant();
    now += spent;
    finish(lease);
    table.forget(run, {id});
  }

  const run_id run{"s"};
  const run_id elsewhere{"elsewhere"};
  microseconds now{0};
  job_table table;
};

/// What is granted when so much more time has passed.
inline std::vector<granted_lease> after(job_yard& yard, microseconds more) {
  yard.now += more;
  yard.table.tick(yard.now);
  return yard.assign();
}

inline worker_id join_embedder(job_yard& yard) {
  return yard.table.join({"embedder", "e#1", "h", 9, {job_kind::embed}, {}},
                         yard.now);
}

} // namespace brewery
