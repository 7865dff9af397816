/// The actor around a learner's machine, between the real ledger and a log.

#include "actors/journal_actor.hpp"
#include "actors/ledger_actor.hpp"
#include "coordinator/learner_actor.hpp"
#include "store/event_log.hpp"
#include "tests/fixtures/deterministic_system.hpp"
#include "tests/fixtures/local_pool.hpp"
#include "tests/store/scratch.hpp"

#include <functional>

using namespace brewery;
using namespace brewery::test;

namespace {

wanted_job attempt_at(const std::string& task, bool whole) {
  rollout_job work;
  work.task = {task};
  work.id = identity(work);
  return {make_job(std::move(work)), whole};
}

/// Plays one attempt for each order; then it has finished.
struct listed_machine final : learner_machine {
  std::vector<learner_step> orders;
  std::vector<job_result> answers;

  learner_step begin() override { return next(); }
  learner_step on(const job_result& answer) override {
    answers.push_back(answer);
    return next();
  }
  [[nodiscard]] learner_view view() const override {
    return {"playing", static_cast<std::uint32_t>(answers.size()), 2};
  }
  learner_step next() {
    if (answers.size() < orders.size()) return orders[answers.size()];
    return {{}, {}, true, {}};
  }
};

/// A worker whose rollouts have one step each.
worker_actor::behavior_type one_step() {
  return {[](atom::run, const run_id&,
             const job& work) -> caf::result<packed_result> {
    const auto& asked = std::get<rollout_job>(work.input);
    rollout_result out;
    out.id = work.id;
    out.task = asked.task;
    out.steps.push_back({"assistant", "look", "{}", "dark", false, false, {}});
    return pack(make_result(std::move(out)));
  }};
}

struct stage {
  scratch folder;
  std::shared_ptr<event_log> log;
  std::shared_ptr<progress_board> board = std::make_shared<progress_board>();
  std::shared_ptr<listed_machine> machine = std::make_shared<listed_machine>();
  deterministic_system actors;
  learner_actor actor;

  explicit stage(memo_content known = {}) {
    auto made = event_log::create(folder.path());
    REQUIRE(made);
    log = std::move(*made);
    auto inputs = std::make_shared<ledger_inputs>();
    inputs->known = std::move(known);
    inputs->run = test_run;
    inputs->pool =
        local_pool(actors, {actors.own(actors.system().spawn(one_step))});
    inputs->journal =
        actors.own(actors.system().spawn(journal, journal_inputs{log, {}, {}}));
    inputs->board = board;
    actor = actors.own(actors.system().spawn(
        play_learner,
        learner_inputs{"list", machine,
                       actors.own(actors.system().spawn(ledger, inputs)),
                       board}));
  }
  std::shared_ptr<pending<bool>> play() {
    auto done = actors.request<bool>(actor, atom::run_v);
    actors.run();
    return done;
  }
  /// Kinds of events, in the order in which they were written.
  [[nodiscard]] std::vector<std::string> events() const {
    std::vector<std::string> out;
    REQUIRE(log->for_each([&](const event_row& row) -> result<void> {
      out.push_back(row.kind);
      return {};
    }));
    return out;
  }
};

std::size_t steps_in(const job_result& answer) {
  return std::get<rollout_result>(answer.output).steps.size();
}

} // namespace

TEST_CASE("a machine's records are on disk before its jobs are asked for") {
  stage s;
  s.machine->orders = {
      {{{"decision", "one", "a"}}, {attempt_at("x", false)}, false, {}},
      {{{"decision", "two", "b"}}, {attempt_at("y", true)}, false, {}}};
  const auto done = s.play();
  CHECK(done->value());
  CHECK(s.events()
        == std::vector<std::string>{"decision", "job_result", "decision",
                                    "job_result"});
  REQUIRE(s.machine->answers.size() == 2);
  CHECK(steps_in(s.machine->answers[0]) == 0);
  CHECK(steps_in(s.machine->answers[1]) == 1); // read back from the log
  CHECK(s.board->view().phase == "playing");
}

TEST_CASE("a record that the log contradicts fails the machine") {
  memo_content known;
  known.decisions["decision/one"] = "otherwise";
  stage s{std::move(known)};
  s.machine->orders = {
      {{{"decision", "one", "a"}}, {attempt_at("x", false)}, false, {}}};
  const auto done = s.play();
  CHECK(done->failure().code == ec::corrupt);
  CHECK(s.machine->answers.empty());
}

TEST_CASE("a machine that fails says why") {
  stage s;
  s.machine->orders = {
      {{}, {attempt_at("x", false)}, false, {}},
      {{}, {}, false, error{ec::exhausted, "nothing was learned"}}};
  CHECK(s.play()->failure().message == "nothing was learned");
}
