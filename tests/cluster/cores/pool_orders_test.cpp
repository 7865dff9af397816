#include "cluster/pool_core.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

const run_id night{"night"};

worker_spec worker_named(const std::string& name,
                         const std::string& incarnation) {
  return {name, incarnation, "h", 1, {job_kind::rollout}, {"*"}};
}

job night_job(const std::string& id) {
  rollout_job rollout;
  rollout.id = {id};
  return make_job(rollout);
}

struct night_pool : pool_core {
  microseconds now{0};
  std::uint64_t sessions = 0;

  explicit night_pool(const cluster_options& options = {})
      : pool_core(options, 7) {
    open({night, {}, {}, "setup"});
  }

  worker_id joins(const std::string& name, const std::string& incarnation) {
    const auto made =
        join(worker_named(name, incarnation), ++sessions, {}, now);
    REQUIRE(made.answer);
    return made.answer->worker;
  }
  pool_step asks(const std::string& id, std::uint64_t asker = 1) {
    return run(night, night_job(id), asker_id{asker}, now);
  }
};

/// The leases that a step grants, with their workers.
std::vector<std::pair<worker_id, lease_key>> granted(const pool_step& step) {
  std::vector<std::pair<worker_id, lease_key>> out;
  for (const auto& [worker, order] : step.orders)
    if (const auto* lease = std::get_if<lease_order>(&order))
      out.emplace_back(worker, lease->key);
  return out;
}

std::vector<worker_id> told_to_end(const pool_step& step) {
  std::vector<worker_id> out;
  for (const auto& [worker, order] : step.orders)
    if (std::holds_alternative<lease_ended>(order)) out.push_back(worker);
  return out;
}

} // namespace

TEST_CASE("no job is granted while a run's log is stuck") {
  night_pool pool;
  pool.joins("w", "i");
  pool.pause(night, log_state::disk_full, pool.now);
  CHECK(pool.status().paused);
  CHECK(granted(pool.asks("a")).empty());
  CHECK(granted(pool.pause(night, log_state::writable, pool.now)).size() == 1);
  CHECK_FALSE(pool.status().paused);
}

TEST_CASE("a run whose log alone is stuck holds up nobody else") {
  night_pool pool;
  pool.joins("w", "i");
  pool.open({{"other"}, {}, {}, "setup"});
  pool.pause({"other"}, log_state::stuck, pool.now);
  CHECK_FALSE(pool.status().paused);
  CHECK(pool.status().stuck == std::set{run_id{"other"}});
  CHECK(granted(pool.asks("a")).size() == 1);
  // Then the disk is full as well.
  pool.pause({"other"}, log_state::disk_full, pool.now);
  CHECK(granted(pool.asks("b")).empty());
}

TEST_CASE("a stuck log is told of although no job is queued") {
  night_pool pool;
  pool.joins("w", "i");
  pool.pause(night, log_state::disk_full, pool.now);
  const auto said =
      std::vector{night.value + ": the event log cannot be written"};
  CHECK(pool.status().waiting == said);
  CHECK(pool.news_of_waiting(pool.now) == said);
  pool.asks("a");
  CHECK(pool.status().waiting
        == std::vector{night.value
                       + ": rollout jobs wait (1): the event log cannot be "
                         "written"});
  pool.pause(night, log_state::writable, pool.now);
  CHECK(pool.status().waiting.empty());
}

TEST_CASE("a run that is not open holds up nobody") {
  night_pool pool;
  pool.joins("w", "i");
  pool.pause({"other"}, log_state::disk_full, pool.now);
  CHECK_FALSE(pool.status().paused);
  CHECK(granted(pool.asks("a")).size() == 1);
}

TEST_CASE("a run that closes while its log is stuck holds up nobody") {
  night_pool pool;
  pool.joins("w", "i");
  pool.open({{"other"}, {}, {}, "setup"});
  pool.pause({"other"}, log_state::disk_full, pool.now);
  CHECK(granted(pool.asks("a")).empty());
  CHECK(granted(pool.close({"other"}, true, pool.now)).size() == 1);
  CHECK_FALSE(pool.status().paused);
}

TEST_CASE("a job that a worker hands back goes to another") {
  const bool stopped = GENERATE(false, true);
  night_pool pool;
  const auto first = pool.joins("w", "i");
  const auto leases = granted(pool.asks("a"));
  REQUIRE(leases.size() == 1);
  const auto second = pool.joins("w", "j");
  pool.report(first, worker_drains{}, pool.now);
  const auto& key = leases.front().second;
  const auto cancelled = std::string{to_string(ec::cancelled)} + ": stopping";
  const auto again = granted(
      pool.report(first,
                  stopped ? worker_report{lease_result{key, nullptr, cancelled}}
                          : worker_report{leases_returned{{key}}},
                  pool.now));
  REQUIRE(again.size() == 1);
  CHECK(again.front().first == second);
}

TEST_CASE("a worker that drains gets no more jobs") {
  night_pool pool;
  const auto worker = pool.joins("w", "i");
  pool.report(worker, worker_drains{}, pool.now);
  CHECK(granted(pool.asks("a")).empty());
  REQUIRE(pool.status().workers.size() == 1);
  CHECK(pool.status().workers.front().draining);
}

TEST_CASE("an operator drains by name or by incarnation, and nobody else") {
  const std::string name = GENERATE("w", "j");
  night_pool pool;
  pool.joins("v", "i");
  const auto meant = pool.joins("w", "j");
  const auto drained = pool.drain(name, pool.now);
  CHECK(drained.workers == 1);
  REQUIRE(drained.step.orders.size() == 1);
  CHECK(drained.step.orders.front().first == meant);
  CHECK(pool.drain("x", pool.now).workers == 0);
}

TEST_CASE("the worker of a job over its limit is told to end it") {
  using namespace std::chrono_literals;
  cluster_options options;
  options.job_limit = 10s;
  night_pool pool{options};
  const auto worker = pool.joins("w", "i");
  REQUIRE(granted(pool.asks("a")).size() == 1);
  CHECK(told_to_end(pool.tick(pool.now += 9s)).empty());
  CHECK(told_to_end(pool.tick(pool.now += 2s))
        == std::vector<worker_id>{worker});
}

TEST_CASE("a result of a run that is gone is refused") {
  night_pool pool;
  const auto worker = pool.joins("w", "i");
  const auto leases = granted(pool.asks("a"));
  REQUIRE(leases.size() == 1);
  pool.close(night, true, pool.now);
  rollout_result made;
  made.id = {"a"};
  const auto step = pool.report(
      worker,
      lease_result{leases[0].second,
                   std::make_shared<packed_result>(pack(make_result(made))),
                   {}},
      pool.now);
  CHECK(step.answers.empty());
  CHECK(step.offers.empty());
  REQUIRE(step.orders.size() == 1);
  CHECK(std::get<result_settled>(step.orders.front().second).verdict
        == result_verdict::stale);
}

TEST_CASE("what several reports free is granted by one step") {
  night_pool b;
  auto spec = worker_named("w", "i");
  spec.slots = 2;
  const auto joined = b.join(spec, 1, {}, b.now);
  REQUIRE(joined.answer);
  std::vector<worker_report> reports;
  for (const auto* id : {"a", "b", "c", "d"})
    for (const auto& [worker, key] : granted(b.asks(id)))
      reports.emplace_back(lease_result{key, nullptr, "broke", true});
  REQUIRE(reports.size() == 2);
  const auto step = b.report(joined.answer->worker, std::move(reports), b.now);
  CHECK(granted(step).size() == 2);
}

TEST_CASE("a job that failed is named when nobody does it any more") {
  using named = std::vector<std::pair<run_id, job_id>>;
  night_pool pool;
  const auto w = pool.joins("w", "i");
  const auto lease = granted(pool.asks("a")).at(0).second;
  const auto failed =
      pool.report(w, lease_result{lease, nullptr, "broke"}, pool.now);
  CHECK(failed.retried == named{{night, {"a"}}});
  CHECK(pool.report(w, lease_result{lease, nullptr, "broke"}, pool.now)
            .retried.empty()); // stale
}

TEST_CASE("a job that is given up is not named as one that is tried again") {
  night_pool pool;
  const auto w = pool.joins("w", "i");
  const auto lease = granted(pool.asks("a")).at(0).second;
  const auto last =
      pool.report(w, lease_result{lease, nullptr, "broke", true}, pool.now);
  CHECK(last.given_up.size() == 1);
  CHECK(last.retried.empty());
}

TEST_CASE("a lost attempt is no failed one") {
  night_pool pool;
  const auto w = pool.joins("w", "i");
  const auto lease = granted(pool.asks("a")).at(0).second;
  CHECK(pool.report(w, leases_returned{{lease}}, pool.now).retried.empty());
  CHECK(pool.lost(w, pool.now).retried.empty());
}

TEST_CASE("a job that failed is not named while another copy of it runs") {
  night_pool pool;
  const worker_job held{{night, {"a"}, 3, 6}, false, 0};
  const auto adopted = [&](const char* name, std::uint64_t session,
                           const worker_job& job) {
    const auto made =
        pool.join(worker_named(name, name), session, {job}, pool.now);
    REQUIRE(made.answer);
    REQUIRE(made.answer->adopted.size() == 1);
    return std::pair{made.answer->worker, made.answer->adopted[0].key};
  };
  const auto first = adopted("w", 1, held);
  auto copy = held;
  copy.key.attempt = 4;
  const auto second = adopted("v", 2, copy);
  CHECK(pool.asks("a").orders.empty());
  const auto fails = [&](const auto& one) {
    return pool
        .report(one.first, lease_result{one.second, nullptr, "broke"}, pool.now)
        .retried.size();
  };
  CHECK(fails(first) == 0);
  CHECK(fails(second) == 1);
}
