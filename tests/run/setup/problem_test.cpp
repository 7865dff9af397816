/// Which tasks a run gets for what, on the toy benchmark: 24 tasks to train, 16
/// to evaluate, 24 to test.

#include "base/file.hpp"
#include "run/setup/split_record.hpp"
#include "run/setup/splits.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

using namespace brewery;
using Catch::Contains;

namespace {

config toy_problem() {
  config out;
  out.environment.kind = "toy";
  out.environment.eval_split = "eval";
  return out;
}

problem loaded(const config& options) {
  auto out = load_problem(options);
  if (!out) FAIL(out.error().message);
  return *out;
}

error refusal_of(const config& options) {
  const auto out = load_problem(options);
  REQUIRE_FALSE(out);
  return out.error();
}

std::vector<std::string> names_of(const std::vector<learner_task>& tasks) {
  std::vector<std::string> out;
  for (const auto& task : tasks)
    out.push_back(task.id.value);
  return out;
}

/// A benchmark with a split that has no task, and one that has one.
class sparse_benchmark final : public benchmark {
public:
  explicit sparse_benchmark(task_info task = {{"t1"}, "Wait.", "waiting"})
      : tasks_{std::move(task)} {}
  std::string_view name() const override { return "sparse"; }
  const std::string& fingerprint() const override { return fingerprint_; }
  const std::vector<task_info>& tasks() const override { return tasks_; }
  const std::map<std::string, std::vector<std::size_t>>&
  splits() const override {
    return splits_;
  }
  result<std::unique_ptr<environment>>
  make(const task_id&, const participants&) const override {
    return error{ec::environment, "is never played"};
  }

private:
  std::string fingerprint_ = "sparse";
  std::vector<task_info> tasks_;
  std::map<std::string, std::vector<std::size_t>> splits_{{"one", {0}},
                                                          {"none", {}}};
};

} // namespace

TEST_CASE("a learner is refused before a run if users speak first") {
  const sparse_benchmark told{{{"t1"}, "Wait.", "Wait."}},
      apart{{{"t1"}, "Wait.", "waiting"}}, spoken{{{"t1"}, "", "waiting"}};
  const auto refused = [](const std::string& learner,
                          const sparse_benchmark& source) {
    const auto out = check_learner(learner, source);
    return out ? std::string{} : out.error().message;
  };
  for (const auto* learner : {"brew", "muse", "agent_kb", "agent_kb_oracle"}) {
    CAPTURE(learner);
    CHECK(refused(learner, told).empty());
  }
  for (const auto* source : {&apart, &spoken})
    CHECK(refused("brew", *source).empty());
  for (const auto* learner : {"agent_kb", "agent_kb_oracle"})
    for (const auto* source : {&apart, &spoken})
      CHECK_THAT(refused(learner, *source),
                 Contains("search.learner: task \"t1\" has a subject that its "
                          "agent does not see at the start"));
  CHECK(refused("muse", apart).empty());
  CHECK(refused("muse", spoken)
        == "search.learner: task \"t1\" has no instruction, because its user "
           "speaks first, and MUSE begins with a plan for what it says; use "
           "brew, or a benchmark whose tasks come as instructions");
}

TEST_CASE("a memory is not asked with what a task hides from its agent") {
  const sparse_benchmark told{{{"t1"}, "Wait.", "Wait."}},
      spoken{{{"t1"}, "", "waiting"}};
  config options;
  options.search.final_evaluation = true;
  CHECK(check_memory_port(options, spoken));
  options.eval.baselines = {std::string{comparators::port}};
  CHECK(check_memory_port(options, told));
  const auto refused = check_memory_port(options, spoken);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ec::invalid_config);
  CHECK_THAT(refused.error().message,
             Contains("eval.baselines: task \"t1\" has a subject that its "
                      "agent does not see at the start, and \"memory-port\""));
  options.search.final_evaluation = false; // then nobody asks it
  CHECK(check_memory_port(options, spoken));
}

TEST_CASE("test tasks are loaded only for the final evaluation") {
  auto options = toy_problem();
  options.search.final_evaluation = true;
  CHECK(loaded(options).test.size() == 24);
  options.search.final_evaluation = false;
  CHECK(loaded(options).test.empty());
  // Nor does a split that is not asked for have to be there.
  options.environment.test_split = "later";
  CHECK(loaded(options).train.size() == 24);
}

TEST_CASE("no task is used for two purposes") {
  auto options = toy_problem();
  options.search.final_evaluation = true;
  for (const auto* eval : {"eval", ""}) {
    options.environment.eval_split = eval;
    const auto what = loaded(options);
    std::set<std::string> all;
    for (const auto* part : {&what.train, &what.eval, &what.test})
      for (const auto& name : names_of(*part))
        CHECK(all.insert(name).second);
  }
}

TEST_CASE("a task in two splits is refused, whatever the splits are called") {
  const auto tasks = [](std::initializer_list<const char*> ids) {
    std::vector<learner_task> out;
    for (const auto* id : ids)
      out.push_back({{id}, "about"});
    return out;
  };
  environment_options where;
  where.train_split = "learn";
  where.eval_split = "score";
  where.test_split = "sealed";
  const auto refusal = [&](problem what) {
    const auto made = check_disjoint(what, where);
    REQUIRE_FALSE(made);
    CHECK(made.error().code == ec::invalid_config);
    return made.error().message;
  };
  CHECK(check_disjoint({nullptr, tasks({"a", "b"}), tasks({"c"}), tasks({"d"})},
                       where));
  CHECK_THAT(refusal({nullptr, tasks({"a", "b"}), tasks({"b"}), {}}),
             Contains("'learn' and 'score' have 1 of 1 tasks in common: b;"));
  CHECK_THAT(refusal({nullptr, tasks({"a"}), tasks({"b"}), tasks({"c", "a"})}),
             Contains("'learn' and 'sealed' have 1 of 2 tasks in common: a;"));
  CHECK_THAT(refusal({nullptr, tasks({"a"}), tasks({"b"}), tasks({"b", "c"})}),
             Contains("'score' and 'sealed'"));
  CHECK_THAT(refusal({nullptr, tasks({"a", "a"}), tasks({"b"}), {}}),
             Contains("split 'learn' lists a twice"));
  const auto many = tasks({"1", "2", "3", "4", "5", "6", "7"});
  CHECK_THAT(refusal({nullptr, many, {}, many}),
             Contains("7 of 7 tasks in common: 1, 2, 3, 4, 5 and 2 more;"));
  where.eval_split.clear(); // held out of the train split, so it is named
  CHECK_THAT(refusal({nullptr, tasks({"a"}), tasks({"b"}), tasks({"b"})}),
             Contains("'learn' and 'sealed'"));
}

TEST_CASE("a split is capped in its order") {
  auto options = toy_problem();
  options.search.final_evaluation = true;
  const auto whole = loaded(options);
  options.environment.max_train_tasks = 5;
  options.environment.max_eval_tasks = 3;
  options.environment.max_test_tasks = 100; // more than there are
  const auto what = loaded(options);
  CHECK(what.train.size() == 5);
  CHECK(what.eval.size() == 3);
  CHECK(what.test.size() == 24);
  for (std::size_t i = 0; i < what.train.size(); ++i)
    CHECK(what.train[i].id == whole.train[i].id);
}

TEST_CASE("held-out tasks are drawn from the train split by the seed alone") {
  auto options = toy_problem();
  options.environment.eval_split.clear();
  options.environment.eval_fraction = 0.25;
  const auto what = loaded(options);
  CHECK(what.eval.size() == 6);
  CHECK(what.train.size() == 18);
  CHECK(names_of(what.eval) == names_of(loaded(options).eval));
  // Both in file order, and held out before anything is capped.
  CHECK(std::ranges::is_sorted(names_of(what.eval)));
  CHECK(std::ranges::is_sorted(names_of(what.train)));
  options.environment.max_train_tasks = 2;
  CHECK(names_of(loaded(options).eval) == names_of(what.eval));
  options.run.seed = 2;
  CHECK(names_of(loaded(options).eval) != names_of(what.eval));
  const auto other = names_of(loaded(options).eval);
  options.environment.hold_out_seed = 1; // as the first run.seed
  CHECK(names_of(loaded(options).eval) == names_of(what.eval));
  options.run.seed = 3;
  CHECK(names_of(loaded(options).eval) == names_of(what.eval));
  options.environment.hold_out_seed = 2;
  CHECK(names_of(loaded(options).eval) == other);
  options.environment.eval_fraction = 0.001;
  CHECK(loaded(options).eval.size() == 1); // at least one
}

TEST_CASE("drawn splits are a function of their own seed and share no task") {
  auto options = toy_problem();
  options.search.final_evaluation = true;
  auto& where = options.environment;
  where.eval_split.clear();
  where.draw_from = "train"; // 24 tasks
  where.draw_train = 5;
  where.draw_eval = 3;
  const auto what = loaded(options);
  CHECK(what.train.size() == 5);
  CHECK(what.eval.size() == 3);
  CHECK(what.test.size() == 16);
  std::set<std::string> all;
  for (const auto* part : {&what.train, &what.eval, &what.test}) {
    CHECK(std::ranges::is_sorted(names_of(*part))); // file order
    for (const auto& name : names_of(*part))
      CHECK(all.insert(name).second);
  }
  options.run.seed = 2;
  CHECK(names_of(loaded(options).train) == names_of(what.train));
  where.draw_seed = 2;
  CHECK(names_of(loaded(options).train) != names_of(what.train));
  where.max_test_tasks = 4;
  CHECK(loaded(options).test.size() == 4);
}

TEST_CASE("a person who names a drawn split gets its tasks") {
  auto options = toy_problem();
  options.search.final_evaluation = true;
  auto& where = options.environment;
  where.draw_from = "train";
  where.draw_train = 5;
  where.draw_eval = 3;
  auto what = loaded(options);
  const auto called = [&](const char* split) {
    const auto tasks = tasks_called(split, what, where);
    REQUIRE(tasks);
    return names_of(*tasks);
  };
  CHECK(called("train") == names_of(what.train));
  CHECK(called("eval") == names_of(what.eval));
  CHECK(called("test") == names_of(what.test));
  CHECK_FALSE(tasks_called("tset", what, where));
  what.test.clear();
  const auto none = tasks_called("test", what, where);
  REQUIRE_FALSE(none);
  CHECK_THAT(none.error().message, Contains("search.final_evaluation"));
  where.draw_from.clear(); // the benchmark's own
  where.eval_split = "eval";
  CHECK(called("train") == names_of(what.train)); // without those held out
  CHECK(called("eval") == names_of(what.eval));
  CHECK(called("test").size() == 24); // of the benchmark: the run has none
}

TEST_CASE("a draw that leaves no test task is refused") {
  auto options = toy_problem();
  options.environment.draw_from = "train";
  options.environment.draw_train = 20;
  options.environment.draw_eval = 4;
  CHECK_THAT(refusal_of(options).message,
             Contains("draw_train = 20 and draw_eval = 4 leave no test task of "
                      "the 24 tasks in split 'train'"));
  options.search.final_evaluation = false; // then none is needed
  CHECK(loaded(options).test.empty());
  options.environment.draw_train = 21;
  CHECK_THAT(refusal_of(options).message,
             Contains("draw_eval = 4 leave none of the 24 tasks"));
  options.environment.draw_from = "trian";
  CHECK_THAT(refusal_of(options).message, Contains("did you mean 'train'?"));
}

TEST_CASE("a split that does not exist is refused with those that do") {
  using where = environment_options;
  const std::pair<std::string, std::string where::*> keys[] = {
      {"train_split", &where::train_split},
      {"eval_split", &where::eval_split},
      {"test_split", &where::test_split},
      {"draw_from", &where::draw_from}};
  for (const auto& [key, member] : keys) {
    auto options = toy_problem();
    options.search.final_evaluation = true;
    options.environment.*member = "trian";
    const auto why = refusal_of(options);
    CHECK(why.code == ec::invalid_config);
    CHECK(why.message
          == "environment." + key
                 + " = \"trian\": split does not exist in toy; it has eval, "
                   "test, train; did you mean 'train'?");
  }
}

TEST_CASE("a split without a task is refused") {
  const sparse_benchmark sparse{};
  problem what{std::make_shared<sparse_benchmark>(), {}, {}, {}};
  auto options = toy_problem();
  options.environment.train_split = "none";
  CHECK(take_splits(what, options).error().message
        == "environment.train_split = \"none\": split of sparse has no task");
  options.environment.train_split = "one";
  options.environment.eval_split.clear();
  CHECK_THAT(take_splits(what, options).error().message,
             Contains("environment.train_split = \"one\": split has one task"));
  const auto none = tasks_of_split(sparse, "none", 0);
  REQUIRE_FALSE(none);
  CHECK(none.error().code == ec::invalid_config);
  CHECK_THAT(none.error().message, Contains("split 'none' of sparse"));
  const auto one = tasks_of_split(sparse, "one", 0);
  REQUIRE(one);
  CHECK(one->front().instruction == "waiting"); // what it is about
}

TEST_CASE("a search is told its tasks, its strategy and its seed") {
  auto options = toy_problem();
  options.run.seed = 5;
  options.search.iterations = 3;
  const auto what = loaded(options);
  const auto settings = settings_for(options, what, "greedy", {"f"});
  REQUIRE(settings);
  CHECK(settings->seed == 5);
  CHECK(settings->fingerprint == "f");
  CHECK(settings->learner.iterations == 3);
  CHECK(settings->learner.tree.how == strategy::greedy);
  CHECK(names_of(settings->train) == names_of(what.train));
  CHECK(names_of(settings->eval) == names_of(what.eval));
  CHECK_FALSE(settings_for(options, what, "widest", {"f"}));
}

TEST_CASE("a run's split is recorded once and then compared") {
  const scratch folder;
  const auto what = loaded(toy_problem());
  REQUIRE(record_split(folder.path(), what));
  const auto file = folder.path() / "tasks.json";
  const auto text = read_file(file);
  REQUIRE(text);
  CHECK_THAT(*text, Contains("\"benchmark\": \"toy\"") && Contains("train-000")
                        && Contains("eval-000"));
  CHECK(record_split(folder.path(), what));

  auto other = what;
  std::swap(other.train.front(), other.train.back());
  const auto refused = record_split(folder.path(), other);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ec::version_mismatch);
  CHECK_THAT(refused.error().message, Contains("tasks.json"));
  CHECK(*read_file(file) == *text);
}

TEST_CASE("a record of a split that cannot be read is an error") {
  const scratch folder;
  std::filesystem::create_directory(folder.path() / "tasks.json");
  CHECK_FALSE(record_split(folder.path(), loaded(toy_problem())));
}
