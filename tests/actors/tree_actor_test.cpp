/// The actor around one concept's search, between a ledger that the test plays
/// and whoever asks for iterations.

#include "actors/tree_actor.hpp"
#include "messages/side_records.hpp"
#include "messages/wire/codec.hpp"
#include "search/report.hpp"
#include "tests/fixtures/deterministic_system.hpp"
#include "tests/fixtures/stub_work.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <utility>

using namespace brewery;
using namespace brewery::test;

namespace {

/// A promise is delivered inside its actor: `next` runs on a tick.
using ticking_ledger_actor =
    interface<caf::result<job_result>(atom::submit, job),
              caf::result<void>(atom::offer, packed_result),
              caf::result<bool>(atom::record, std::string, std::string,
                                std::string),
              caf::result<job_result>(atom::recall, job_id),
              caf::result<void>(atom::stop), caf::result<bool>(atom::drain),
              caf::result<void>(atom::flush), caf::result<void>(atom::tick)>;

struct scripted_ledger {
  using answer = std::optional<result<job_result>>;

  std::vector<job> jobs; ///< asked for, in order
  /// What comes of a job, the `n`-th from 0; nothing: it waits.
  std::function<answer(std::size_t n, const job&)> answers;
  std::vector<caf::typed_response_promise<job_result>> pending;
  std::function<void()> next;
  std::map<std::string, tree_record> records;
  std::map<std::string, purpose_record> purposes;
  bool full = false;

  static ticking_ledger_actor::behavior_type
  run(ticking_ledger_actor::pointer self,
      std::shared_ptr<scripted_ledger> state) {
    return {
        [=](atom::submit, const job& work) -> caf::result<job_result> {
          state->jobs.push_back(work);
          auto came = state->answers(state->jobs.size() - 1, work);
          if (came) return reply(std::move(*came));
          auto promise = self->make_response_promise<job_result>();
          state->pending.push_back(promise);
          return promise;
        },
        [](atom::offer, const packed_result&) -> caf::result<void> {
          return caf::unit;
        },
        [=](atom::record, const std::string& kind, const std::string& key,
            const std::string& payload) -> caf::result<bool> {
          if (state->full) return to_caf({ec::io, "the disk is full"});
          if (kind == purpose_record::type_name) {
            const auto one = wire::decode<purpose_record>(payload);
            REQUIRE(one);
            state->purposes.emplace(key, *one);
            return true;
          }
          CHECK(kind == "tree_record");
          const auto one = wire::decode<tree_record>(payload);
          REQUIRE(one);
          state->records.emplace(key, *one);
          return true;
        },
        [](atom::recall, const job_id&) -> caf::result<job_result> {
          return to_caf({ec::not_found, "no log"});
        },
        [](atom::stop) -> caf::result<void> { return caf::unit; },
        [](atom::drain) -> caf::result<bool> { return true; },
        [](atom::flush) -> caf::result<void> { return caf::unit; },
        [=](atom::tick) -> caf::result<void> {
          // It refers to the state: kept, neither would be freed.
          std::exchange(state->next, {})();
          return caf::unit;
        },
    };
  }
};

job_result honest(const job& work) {
  return stub_work(work, {"fan", "something else"});
}

const error broken{ec::environment, "the fan does not switch on"};

/// One tree beside the document of another concept, and the same search
/// without an actor, for comparison.
struct tree_bench {
  std::shared_ptr<document_store> documents =
      std::make_shared<document_store>();
  doc_hash root = documents->add("# Fan\n\nfan eval number\n")->hash;
  doc_hash other = documents->add("# Bill\n\nbill\n")->hash;
  std::vector<doc_ref> current{{{0}, root}, {{1}, other}};
  std::shared_ptr<scripted_ledger> ledger = std::make_shared<scripted_ledger>();
  deterministic_system actors;
  ticking_ledger_actor desk;
  tree_actor tree;

  std::uint32_t confirm; ///< trials of a challenge

  explicit tree_bench(std::uint64_t order = 0, std::uint32_t confirming = 0)
      : actors{order}, confirm(confirming) {
    ledger->answers = [](std::size_t, const job& work) {
      return scripted_ledger::answer{honest(work)};
    };
    desk = actors.own(actors.system().spawn(scripted_ledger::run, ledger));
    tree = actors.own(actors.system().spawn(
        tree_of_concept, std::make_shared<concept_search>(search()),
        ledger_actor{desk}, save_search{}, tree_place{"mcts/tree 0/"}));
  }
  ~tree_bench() { ledger->pending.clear(); }

  concept_search search() const {
    auto settings = stub_settings();
    settings.economy.confirm = confirm;
    auto made = fan_concept(settings);
    made.insights.change().add(stub_insight("fan", "first"),
                               {{"r0"}, {"train0"}});
    return {std::make_shared<const brew_settings>(settings),
            made,
            root,
            {{1, {stub_insight("fan", "first").id}}},
            documents};
  }

  std::shared_ptr<pending<expand_report>> begin(std::uint32_t iteration) {
    auto asked = actors.request<expand_report>(
        tree, atom::expand_v, start_expand{iteration, current});
    actors.run();
    return asked;
  }
  expand_report iterate(std::uint32_t iteration) {
    return begin(iteration)->value();
  }
  document_outcome outcome() {
    auto asked = actors.request<document_outcome>(tree, atom::outcome_v);
    actors.run();
    return asked->value();
  }
  /// What comes of the job that has waited longest.
  void answer_oldest(const result<job_result>& came) {
    REQUIRE_FALSE(ledger->pending.empty());
    ledger->next = [state = ledger, came] {
      if (came)
        state->pending.front().deliver(*came);
      else
        state->pending.front().deliver(to_caf(came.error()));
      state->pending.erase(state->pending.begin());
    };
    actors.send(desk, atom::tick_v);
    actors.run();
  }
  void hold_everything() {
    ledger->answers = [](std::size_t, const job&) {
      return scripted_ledger::answer{};
    };
  }
};

/// The reports of iterations 0 to 3 of the search alone.
std::vector<expand_report> reports_without_actors(const tree_bench& b) {
  auto search = b.search();
  std::vector<expand_report> out;
  for (std::uint32_t iteration = 0; iteration <= 3; ++iteration) {
    std::deque<job> open;
    const auto take = [&](const search_step& step) {
      open.insert(open.end(), step.jobs.begin(), step.jobs.end());
      if (step.report) out.push_back(*step.report);
    };
    for (take(search.start({iteration, b.current})); !open.empty();) {
      const auto work = open.front();
      open.pop_front();
      take(search.on(honest(work)));
    }
  }
  return out;
}

} // namespace

TEST_CASE("an iteration asks for training, candidates and their evaluation") {
  tree_bench b;
  const auto first = b.iterate(0);
  CHECK(first.best.hash == b.root);
  CHECK(b.ledger->jobs.size() == 3); // Q_eval of the root
  b.ledger->jobs.clear();
  const auto report = b.iterate(1);
  CHECK(report.iteration == 1);
  CHECK(report.added == 3);
  const auto& jobs = b.ledger->jobs;
  REQUIRE(jobs.size() == 4 + 3 + 9);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    INFO("job " << i);
    const auto* rollout = std::get_if<rollout_job>(&jobs[i].input);
    if (i < 4) {
      REQUIRE(rollout);
      CHECK(rollout->task == task_id{"train" + std::to_string(i)});
      CHECK(rollout->reflect);
      CHECK(rollout->knowledge == b.current);
    } else if (i < 7) {
      CHECK(kind_of(jobs[i]) == job_kind::integrate);
    } else {
      REQUIRE(rollout);
      CHECK(rollout->task.value.starts_with("eval"));
      CHECK_FALSE(rollout->reflect);
    }
  }
}

TEST_CASE("the records of a tree add up to its versions") {
  tree_bench b;
  std::vector<std::string> keys;
  for (std::uint32_t iteration = 0; iteration <= 3; ++iteration) {
    b.iterate(iteration);
    keys.push_back("mcts/tree 0/" + std::to_string(iteration));
  }
  REQUIRE(b.ledger->records.size() == keys.size());
  std::map<node_id, node_record> all;
  for (std::uint32_t iteration = 0; iteration <= 3; ++iteration) {
    const auto& one = b.ledger->records.at(keys[iteration]);
    CHECK(one.iteration == iteration);
    for (const auto& item : one.nodes) {
      CHECK(item.iteration <= iteration);
      all.insert_or_assign(item.id, item);
    }
  }
  std::vector<node_record> versions;
  for (const auto& [id, item] : all)
    versions.push_back(item);
  CHECK(versions == b.outcome().versions);
  CHECK(versions.size() > 4);
}

TEST_CASE("a tree says of every rollout which version it was for") {
  tree_bench b;
  std::map<job_id, std::pair<doc_hash, bool>> said;
  for (std::uint32_t iteration = 0; iteration <= 3; ++iteration) {
    b.iterate(iteration);
    const auto& one =
        b.ledger->purposes.at("mcts/tree 0/" + std::to_string(iteration));
    for (const auto& group : one.purposes) {
      CHECK(group.name == "mcts");
      CHECK(group.iteration == iteration);
      for (const auto& job : group.jobs)
        said[job] = {group.candidate, group.what == purpose::learn};
    }
  }
  std::size_t rollouts = 0;
  for (const auto& work : b.ledger->jobs) {
    const auto* asked = std::get_if<rollout_job>(&work.input);
    if (!asked) continue;
    ++rollouts;
    REQUIRE(said.contains(asked->id));
    CHECK(said[asked->id]
          == std::pair{asked->knowledge.at(0).hash, asked->reflect});
  }
  CHECK(rollouts > 10);
}

TEST_CASE("fresh trials of a challenge are told from those that score") {
  tree_bench b{0, 2};
  b.ledger->answers = [&b](std::size_t, const job& work) {
    auto made = honest(work);
    auto* played = std::get_if<rollout_result>(&made.output);
    const auto* asked = std::get_if<rollout_job>(&work.input);
    if (played && !asked->reflect) // what is written is better
      played->grade.reward = asked->knowledge.at(0).hash == b.root ? 0 : 1;
    return scripted_ledger::answer{made};
  };
  const auto scoring = stub_settings().eval_choice.trials;
  std::map<job_id, std::string> said;
  for (std::uint32_t iteration = 0; iteration <= 3; ++iteration) {
    b.iterate(iteration);
    for (const auto& group :
         b.ledger->purposes.at("mcts/tree 0/" + std::to_string(iteration))
             .purposes)
      for (const auto& job : group.jobs)
        said[job] = group.what;
  }
  std::size_t challenges = 0;
  for (const auto& work : b.ledger->jobs)
    if (const auto* asked = std::get_if<rollout_job>(&work.input);
        asked && !asked->reflect) {
      const bool fresh = asked->trial >= scoring;
      challenges += fresh;
      CHECK(said[asked->id] == (fresh ? purpose::confirm : purpose::score));
    }
  CHECK(challenges > 0);
}

TEST_CASE("a tree that cannot be put on record fails its search") {
  tree_bench b;
  b.iterate(0);
  b.ledger->full = true;
  b.begin(1);
  CHECK(b.begin(2)->failure().message == "the disk is full");
}

TEST_CASE("an actor's reports are its search's, in whatever order jobs end") {
  for (const std::uint64_t order : {0, 1, 2, 3}) {
    INFO("order " << order);
    tree_bench b{order};
    std::vector<expand_report> reports;
    for (std::uint32_t iteration = 0; iteration <= 3; ++iteration)
      reports.push_back(b.iterate(iteration));
    CHECK(reports == reports_without_actors(b));
  }
}

TEST_CASE("an iteration is answered only when its last job is done") {
  tree_bench b;
  b.hold_everything();
  const auto asked = b.begin(0);
  REQUIRE(b.ledger->pending.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(asked->open());
    b.answer_oldest(honest(b.ledger->jobs[i]));
  }
  CHECK(asked->value().best.evaluated == 3);
}

TEST_CASE("whichever job fails, its iteration fails with that reason") {
  tree_bench whole;
  whole.iterate(0);
  whole.ledger->jobs.clear();
  whole.iterate(1);
  const auto all = whole.ledger->jobs;
  // Where the stages end: training, integration, evaluation. What is written is
  // scored at once, so each integration before the one that fails asks for 3.
  const auto asked_with = [](std::size_t n) -> std::size_t {
    return n < 4 ? 4 : n < 7 ? 7 + 3 * (n - 4) : 16;
  };
  REQUIRE(all.size() == 16);
  for (std::size_t n = 0; n < all.size(); ++n) {
    INFO("job " << n);
    tree_bench b;
    b.iterate(0);
    b.ledger->jobs.clear();
    b.ledger->answers = [n](std::size_t at, const job& work) {
      return scripted_ledger::answer{at == n ? result<job_result>{broken}
                                             : honest(work)};
    };
    const auto asked = b.begin(1);
    CHECK(asked->failure().code == broken.code);
    CHECK(asked->failure().message == broken.message);
    // Nothing more is asked for what has failed.
    CHECK(b.ledger->jobs.size() == asked_with(n));
  }
}

TEST_CASE("of several jobs that fail, the first one is the reason") {
  tree_bench b;
  b.hold_everything();
  const auto asked = b.begin(0);
  b.answer_oldest(broken);
  b.answer_oldest(error{ec::timeout, "too late"});
  CHECK(asked->failure().code == broken.code);
}

TEST_CASE("a job of an earlier iteration that fails late fails no later one") {
  tree_bench b;
  b.hold_everything();
  const auto before = b.begin(0);
  REQUIRE(b.ledger->pending.size() == 3);
  const auto now = b.begin(1);
  REQUIRE(b.ledger->pending.size() == 3 + 4);
  b.answer_oldest(broken);
  CHECK(now->open());
  // Nor does its result count for the later one.
  b.answer_oldest(honest(b.ledger->jobs[1]));
  CHECK(now->open());
  CHECK(b.ledger->jobs.size() == 3 + 4);
  CHECK_FALSE(before->got);
}

TEST_CASE("a resumed tree asks for the same jobs and ends the same") {
  tree_bench before;
  std::vector<expand_report> reports;
  for (std::uint32_t iteration = 0; iteration <= 2; ++iteration)
    reports.push_back(before.iterate(iteration));
  std::map<job_id, job> known;
  for (const auto& work : before.ledger->jobs)
    known.emplace(work.id, work);

  tree_bench again;
  again.ledger->answers = [&](std::size_t, const job& work) {
    // Only what the log has.
    return scripted_ledger::answer{
        known.contains(work.id) ? result<job_result>{honest(work)} : broken};
  };
  for (std::uint32_t iteration = 0; iteration <= 2; ++iteration)
    CHECK(again.iterate(iteration) == reports[iteration]);
  CHECK(again.outcome() == before.outcome());
}

TEST_CASE("before any iteration the outcome is the first document") {
  tree_bench b;
  const auto made = b.outcome();
  CHECK(made.about.title == "Fan");
  CHECK(made.best.hash == b.root);
  CHECK(made.best.evaluated == 0);
  CHECK(made.parent.value.empty());
  CHECK(made.versions.size() == 1);
  REQUIRE(made.evidence.size() == 1);
  CHECK(made.evidence.front().line == 1);
  REQUIRE(made.cited.size() == 1);
  CHECK(made.cited.front().item->sentence == "first");
}

TEST_CASE("the outcome is the best version, its parent and what it cites") {
  tree_bench b;
  std::size_t added = 0;
  for (std::uint32_t iteration = 0; iteration <= 3; ++iteration)
    added += b.iterate(iteration).added;
  const auto made = b.outcome();
  REQUIRE(made.versions.size() == 1 + added);
  for (const auto& version : made.versions)
    CHECK(version.reward <= made.best.reward);
  const auto best =
      std::ranges::find(made.versions, made.best.hash, &node_record::hash);
  REQUIRE(best != made.versions.end());
  CHECK(*best == made.best);
  if (best->id == node_id{0})
    CHECK(made.parent.value.empty());
  else
    CHECK(made.parent == made.versions.at(best->parent.value).hash);
  REQUIRE_FALSE(made.evidence.empty());
  for (const auto& line : made.evidence)
    for (const auto& id : line.insights)
      CHECK(std::ranges::any_of(
          made.cited, [&](const auto& cited) { return cited.item->id == id; }));
  // An insight that no line names is not cited.
  for (const auto& cited : made.cited)
    CHECK(std::ranges::any_of(made.evidence, [&](const auto& line) {
      return std::ranges::count(line.insights, cited.item->id) > 0;
    }));
}
