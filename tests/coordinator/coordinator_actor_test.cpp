/// The whole actor layer on the toy benchmark, against the same search without
/// actors.

#include "actors/journal_actor.hpp"
#include "actors/ledger_actor.hpp"
#include "coordinator/coordinator_actor.hpp"
#include "coordinator/recorded.hpp"
#include "messages/wire/codec.hpp"
#include "tests/fixtures/deterministic_system.hpp"
#include "tests/fixtures/local_pool.hpp"
#include "tests/fixtures/toy_search.hpp"
#include "tests/store/scratch.hpp"
#include "workers/worker_actor.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

std::shared_ptr<const benchmark> small_device() {
  static const auto made =
      make_toy_benchmark({.faults_max = 2, .train = 10, .eval = 8, .test = 1});
  return made;
}

brew_settings settings() {
  auto made = settings_for(*small_device());
  made.learner.initial_trials = 10;
  made.eval_choice.min_per_concept = 4;
  return made;
}

/// With several expansions the width has room for them at once.
brew_settings expanding(std::uint32_t expansions) {
  auto made = settings();
  made.learner.tree.expansions = expansions;
  made.learner.tree.max_width = 3 * expansions;
  return made;
}

search_trace expected(std::uint32_t expansions = 1) {
  inline_search search{small_device(), expanding(expansions)};
  search.run();
  REQUIRE_FALSE(search.failure());
  return trace_of(search);
}

std::shared_ptr<event_log> new_log(const scratch& folder) {
  auto made = event_log::create(folder.path());
  REQUIRE(made);
  return std::move(*made);
}

/// What a resumed run loads; only the first `rows` rows are there.
memo_content content_of(const event_log& log, std::uint64_t rows) {
  memo_content out;
  const auto read = log.for_each([&](const event_row& row) -> result<void> {
    if (row.seq > rows) return {};
    if (row.kind != job_result::type_name) {
      out.decisions.emplace(row.kind + "/" + row.key, row.payload);
      return {};
    }
    auto answer = wire::decode<job_result>(row.payload);
    REQUIRE(answer);
    out.results.emplace(answer->id, without_trajectory(*answer));
    return {};
  });
  REQUIRE(read);
  return out;
}

struct bench {
  std::shared_ptr<document_store> documents =
      std::make_shared<document_store>();
  std::shared_ptr<progress_board> board = std::make_shared<progress_board>();
  std::size_t jobs_done = 0;
  std::vector<barrier_sample> barriers;
  deterministic_system actors;
  ledger_actor results;
  coordinator_actor actor;

  bench(std::shared_ptr<event_log> log, std::size_t workers,
        std::uint64_t schedule, memo_content known = {},
        std::shared_ptr<const benchmark> tasks = small_device(),
        brew_settings chosen = settings(),
        const std::function<ledger_actor(bench&)>& between = {})
      : actors(schedule) {
    const auto runner = std::make_shared<const job_runner>(
        std::move(tasks), procedural_roles({}, {}), documents,
        retrieval_options{});
    std::vector<worker_actor> crew;
    for (std::size_t i = 0; i < workers; ++i)
      crew.push_back(actors.own(actors.system().spawn(
          worker, runner_lookup{[runner](const auto&) { return runner; }})));
    auto search = std::make_shared<coordinator_inputs>();
    if (auto recorded = gathers_on_record(known.decisions, "mcts"))
      search->recorded = std::move(*recorded);
    auto inputs = std::make_shared<ledger_inputs>();
    inputs->known = std::move(known);
    inputs->run = test_run;
    inputs->pool = local_pool(actors, crew);
    inputs->journal = actors.own(
        actors.system().spawn(journal, journal_inputs{std::move(log), {}, {}}));
    inputs->board = board;
    inputs->on_result = [this](const job_result&) { ++jobs_done; };
    results = actors.own(actors.system().spawn(ledger, inputs));
    search->strategy = "mcts";
    search->settings = std::make_shared<const brew_settings>(std::move(chosen));
    search->documents = documents;
    search->ledger = between ? between(*this) : results;
    search->board = board;
    search->slot_seconds = [workers](
                               std::chrono::steady_clock::time_point now) {
      return static_cast<double>(workers)
             * std::chrono::duration<double>(now.time_since_epoch()).count();
    };
    search->on_barrier = [this](const barrier_sample& sample,
                                const gather_record&) {
      barriers.push_back(sample);
    };
    actor = actors.own(actors.system().spawn(coordinator, search));
  }

  std::shared_ptr<pending<search_outcome>> run() {
    auto answer = actors.request<search_outcome>(actor, atom::run_v);
    actors.run();
    return answer;
  }

  search_trace trace(const search_outcome& outcome) const {
    search_trace out;
    out.initial_success = outcome.initial_success;
    out.gathers = outcome.gathers;
    for (const auto& document : outcome.documents) {
      out.concepts.push_back(document.about);
      out.versions.push_back(document.versions);
      out.bodies.push_back(documents->find(document.best.hash)->body);
    }
    return out;
  }
};

/// A ledger that answers for a gather only when told to: by atom::stop.
struct slow_ledger_state {
  static inline const char* name = "slow ledger";
  int unused = 0; // compat.hpp: no first member made from a pointer
  std::vector<caf::typed_response_promise<bool>> pending;
};
using slow_ledger = ledger_actor::stateful_pointer<slow_ledger_state>;

ledger_actor::behavior_type
slow_to_record(slow_ledger self, ledger_actor inner,
               std::shared_ptr<std::size_t> gathers) {
  return {
      [=](atom::submit, job& work) -> caf::result<job_result> {
        auto promise = self->make_response_promise<job_result>();
        ask(self, inner, caf::infinite, atom::submit_v, std::move(work))
            .then(
                [promise](job_result& done) mutable { promise.deliver(done); },
                [promise](caf::error& err) mutable { promise.deliver(err); });
        return promise;
      },
      [](atom::offer, const packed_result&) -> caf::result<void> {
        return caf::unit;
      },
      [=](atom::record, const std::string& kind, const std::string&,
          const std::string&) -> caf::result<bool> {
        if (kind != gather_record::type_name) return true;
        auto promise = self->make_response_promise<bool>();
        state_of(self).pending.push_back(promise);
        ++*gathers;
        return promise;
      },
      [](atom::recall, const job_id&) -> caf::result<job_result> {
        return to_caf({ec::not_found, "no log"});
      },
      [=](atom::stop) -> caf::result<void> {
        for (auto& promise : std::exchange(state_of(self).pending, {}))
          promise.deliver(true);
        return caf::unit;
      },
      [](atom::drain) -> caf::result<bool> { return true; },
      [](atom::flush) -> caf::result<void> { return caf::unit; },
  };
}

} // namespace

TEST_CASE("actors learn the same bytes as the search without them") {
  const auto same = expected();
  for (const std::size_t workers : {1, 3})
    for (const std::uint64_t schedule : {0, 1, 2, 3}) {
      INFO(workers << " workers, schedule seed " << schedule);
      const scratch folder;
      bench b{new_log(folder), workers, schedule};
      const auto began = std::chrono::steady_clock::now();
      const auto outcome = b.run()->value();
      const std::chrono::duration<double> took =
          std::chrono::steady_clock::now() - began;
      CHECK(b.board->view().trees_reported == 0); // none is expanding now
      CHECK(outcome.strategy == "mcts");
      CHECK(b.trace(outcome) == same);
      CHECK(b.barriers.size() == same.gathers.size());
      for (const auto& barrier : b.barriers) {
        CHECK(barrier.slots == Approx(workers).epsilon(0.01));
        CHECK(barrier.longest_seconds <= barrier.work_seconds);
        CHECK(barrier.wait_seconds >= 0);
        CHECK(barrier.wait_seconds <= barrier.elapsed_seconds);
        CHECK(barrier.elapsed_seconds <= took.count());
      }
    }
}

TEST_CASE("the outcome of a tree cites the insights of its evidence") {
  const scratch folder;
  bench b{new_log(folder), 2, 0};
  const auto outcome = b.run()->value();
  REQUIRE_FALSE(outcome.documents.empty());
  for (const auto& document : outcome.documents) {
    std::set<insight_id> named, cited;
    for (const auto& line : document.evidence)
      named.insert(line.insights.begin(), line.insights.end());
    for (const auto& counted : document.cited)
      cited.insert(counted.item->id);
    CHECK(named == cited);
    CHECK(document.versions.front().id == node_id{0});
    if (document.best.id == node_id{0})
      CHECK(document.parent.value.empty());
    else
      CHECK_FALSE(document.parent.value.empty());
  }
}

TEST_CASE("a run that goes on from any part of its log ends the same") {
  const std::uint32_t expansions = GENERATE(1u, 3u);
  INFO("expansions: " << expansions);
  const auto same = expected(expansions);
  std::uint32_t most = 0; // candidates of a tree in an iteration
  for (const auto& gather : same.gathers)
    for (const auto& report : gather.reports)
      most = std::max(most, report.added + report.dropped);
  CHECK((most > 3) == (expansions > 1));
  const scratch first_folder;
  const auto log = new_log(first_folder);
  std::size_t all = 0;
  {
    bench b{log, 2, 0, {}, small_device(), expanding(expansions)};
    CHECK(b.trace(b.run()->value()) == same);
    all = b.jobs_done;
  }
  const auto rows = log->last_seq();
  REQUIRE(rows > all); // results and decisions
  for (const std::uint64_t rows_left :
       {rows, rows - rows / 10, rows / 2, std::uint64_t{7}}) {
    INFO("of " << rows << " rows the first " << rows_left);
    const scratch folder;
    auto known = content_of(*log, rows_left);
    const auto answered = known.results.size();
    bench b{new_log(folder),      3, 5, std::move(known), small_device(),
            expanding(expansions)};
    CHECK(b.trace(b.run()->value()) == same);
    CHECK(b.jobs_done == all - answered);
    CHECK(b.board->view().jobs_from_log >= answered);
  }
}

TEST_CASE("a log with another decision than the run makes ends it") {
  const scratch first_folder;
  const auto log = new_log(first_folder);
  {
    bench b{log, 1, 0};
    b.run();
  }
  auto known = content_of(*log, log->last_seq());
  const auto it = std::find_if(
      known.decisions.begin(), known.decisions.end(),
      [](const auto& entry) { return entry.first.starts_with("gather"); });
  REQUIRE(it != known.decisions.end());
  it->second = "something else";
  const scratch folder;
  bench b{new_log(folder), 1, 0, std::move(known)};
  const auto answer = b.run();
  CHECK(answer->failure().code == ec::corrupt);
  CHECK(contains(answer->failure().message, "mcts/iteration 0"));
}

TEST_CASE(
    "with a quorum, a log is followed by whoever resumes, byte for byte") {
  auto with_quorum = settings();
  with_quorum.learner.gather_quorum = 0.5;
  std::size_t late = 0;
  for (const std::uint64_t schedule : {1, 2, 3, 4, 5, 6}) {
    INFO("schedule seed " << schedule);
    const scratch first_folder;
    const auto log = new_log(first_folder);
    search_trace first;
    {
      bench b{log, 2, schedule, {}, small_device(), with_quorum};
      first = b.trace(b.run()->value());
    }
    late += count_late(first.gathers);
    const auto rows = log->last_seq();
    for (const std::uint64_t rows_left : {rows, 2 * rows / 3, rows / 3}) {
      INFO("of " << rows << " rows the first " << rows_left);
      // Another pace: other workers, another order of everything.
      const scratch folder;
      const auto rest = new_log(folder);
      auto known = content_of(*log, rows_left);
      const auto closed = gathers_on_record(known.decisions, "mcts")->size();
      search_trace resumed;
      {
        bench b{rest, 1, schedule + 10, known, small_device(), with_quorum};
        resumed = b.trace(b.run()->value());
        if (rows_left == rows) CHECK(b.jobs_done == 0);
      }
      if (rows_left == rows) CHECK(resumed == first);
      REQUIRE(resumed.gathers.size() == first.gathers.size());
      for (std::size_t t = 0; t < closed; ++t)
        CHECK(resumed.gathers[t] == first.gathers[t]);
      // What it decided itself is on record too.
      auto added = content_of(*rest, rest->last_seq());
      known.results.merge(added.results);
      known.decisions.merge(added.decisions);
      const scratch last_folder;
      bench again{new_log(last_folder), 3,
                  schedule + 20,        std::move(known),
                  small_device(),       with_quorum};
      CHECK(again.trace(again.run()->value()) == resumed);
      CHECK(again.jobs_done == 0);
    }
  }
  CHECK(late > 0);
}

TEST_CASE("no tree is sent on before the gather is on disk") {
  const scratch folder;
  auto gathers = std::make_shared<std::size_t>(0);
  ledger_actor slow;
  bench b{new_log(folder),
          2,
          0,
          {},
          small_device(),
          settings(),
          [&](bench& around) {
            slow = around.actors.own(around.actors.system().spawn(
                slow_to_record, around.results, gathers));
            return slow;
          }};
  const auto answer = b.run();
  for (std::size_t closed = 1; closed <= 3; ++closed) {
    INFO(closed << " barriers are closed");
    CHECK(answer->open());
    REQUIRE(*gathers == closed); // and all stands still
    const auto submitted = b.board->view().jobs_submitted;
    b.actors.send(slow, atom::stop_v);
    b.actors.run();
    CHECK((b.board->view().jobs_submitted > submitted) == (closed < 3));
  }
  CHECK(b.trace(answer->value()) == expected());
  slow = ledger_actor{}; // before its system ends
}

TEST_CASE("told to stop, a search ends with cancelled and a whole log") {
  const scratch folder;
  const auto log = new_log(folder);
  bench b{log, 1, 0};
  const auto answer = b.actors.request<search_outcome>(b.actor, atom::run_v);
  b.actors.send(b.results, atom::stop_v);
  b.actors.run();
  CHECK(answer->failure().code == ec::cancelled);
  const auto drained = b.actors.request<bool>(b.results, atom::drain_v);
  b.actors.run();
  CHECK(drained->value());
  CHECK(content_of(*log, log->last_seq()).results.size() == b.jobs_done);
}

TEST_CASE("a search that cannot go on tells the asker why") {
  const scratch folder;
  bench b{new_log(folder),
          2,
          0,
          {},
          std::make_shared<breaking_benchmark>(
              small_device(), [](const task_id&) { return true; })};
  const auto answer = b.run();
  CHECK(answer->failure().code == ec::environment);
  CHECK(contains(answer->failure().message, "does not switch on"));
  CHECK(b.board->view().environment_errors > 0);
}
