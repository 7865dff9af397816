/// Replays every recorded answer of the reference implementation. Files are
/// found, not named: DOMAIN_*.jsonl.gz below tau2-bench/vectors, each line a
/// record whose members tell its kind (see the data folder's README).

#include "envs/tau2/tau2_benchmark.hpp"
#include "tests/envs/tau2/vectors.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <iostream>

using namespace brewery;
using namespace brewery::tau2;
using namespace brewery::test;

namespace {

struct tally {
  std::size_t records = 0, steps = 0, hashes = 0, rewards = 0, skipped = 0;
};

json hashes_of(const domain_state& state) {
  const auto user = state.user_hash();
  return json::array(
      {state.agent_hash(), user.empty() ? json(nullptr) : json(user)});
}

json bools(const std::vector<bool>& values) {
  json list = json::array();
  for (const bool value : values)
    list.push_back(value);
  return list;
}

/// The records do not grade statements about the conversation.
class all_met final : public statement_judge {
public:
  result<std::vector<bool>>
  holds(const std::vector<std::string>& statements,
        const std::vector<trajectory_step>&) override {
    return std::vector<bool>(statements.size(), true);
  }
};

/// Replays one domain's records on its native implementation.
class domain_replay {
public:
  domain_replay(std::string_view kind, const std::filesystem::path& data) {
    auto loaded = load_tau2(kind, data);
    if (!loaded) FAIL(to_string(loaded.error()));
    bench_ = std::move(*loaded);
  }

  void run(const json& record, tally& count) const {
    ++count.records;
    if (record.contains("variants"))
      run_graded(record, count);
    else
      run_pipeline(record, count);
  }

private:
  std::unique_ptr<tau2_environment> open(const json& record) const {
    auto env = bench_->open({record.at("task_id")}, play_mode::with_user);
    if (!env) FAIL(to_string(env.error()));
    return std::move(*env);
  }

  void run_pipeline(const json& record, tally& count) const {
    auto env = open(record);
    const auto initial = env->state().clone();
    INFO("task " << record.at("task_id"));
    CHECK(hashes_of(*initial) == record.at("initial_hash"));
    ++count.hashes;
    for (const json& step : record.at("steps")) {
      const std::string name = step.at("name");
      INFO("step " << step.dump());
      const auto ours = env->call_as(step.at("requestor").get<std::string>(),
                                     name, step.at("arguments"));
      INFO("ours " << ours.content);
      CHECK(texts_agree(step, ours));
      CHECK(hashes_of(env->state()) == step.at("hash"));
      ++count.steps;
      ++count.hashes;
    }
    if (!record.contains("assertions")) return;
    const task_criteria& criteria =
        *bench_->find({record.at("task_id")})->criteria;
    const auto end = env->state().clone();
    CHECK(bools(check_assertions(*end, criteria)) == record.at("assertions"));
    const auto gold = initial->clone();
    for (const json& step : record.at("steps"))
      (void)make_tool_call(bench_->of(), *gold, play_mode::with_user,
                           step.at("requestor").get<std::string>(),
                           step.at("name").get<std::string>(),
                           step.at("arguments"));
    CHECK(hashes_of(*gold) == record.at("gold_hash_without_sync"));
    ++count.hashes;
  }

  void run_graded(const json& record, tally& count) const {
    const task& item = *bench_->find({record.at("task_id")});
    const task_criteria& criteria = *item.criteria;
    for (const json& variant : record.at("variants")) {
      INFO("task " << record.at("task_id") << " " << variant.dump());
      auto env = open(record);
      const auto initial = env->state().clone();
      for (const json& action : variant.at("actions"))
        (void)env->call_as(action.at("requestor").get<std::string>(),
                           action.at("name").get<std::string>(),
                           action.at("arguments"));
      attempt_record done = env->record();
      for (const json& text : variant.at("assistant_texts"))
        done.said.push_back(text);
      const json& expected = variant.at("expected");
      const auto end = env->state().clone();
      (void)end->sync();
      const bool db_match =
          (!criteria.actions && !criteria.env_assertions)
          || matches_gold(bench_->of(), *initial, *end, criteria);
      CHECK(db_match == expected.at("env").at("db_match").get<bool>());
      CHECK(bools(check_assertions(*end, criteria))
            == expected.at("env").at("assertions"));
      const auto actions = grade_actions(criteria, done.calls);
      CHECK(bools(actions.met) == expected.at("action").at("matches"));
      CHECK(actions.reward() == expected.at("action").at("reward"));
      const auto said = grade_communication(criteria, done.said);
      CHECK(bools(said.met) == expected.at("communicate").at("met"));
      CHECK(said.reward() == expected.at("communicate").at("reward"));
      all_met judge;
      CHECK(grade_attempt(bench_->of(), item, *initial, env->state(), done,
                          &judge)
                ->reward
            == total(expected));
      count.rewards += 4;
    }
  }

  /// The product of the parts the task counts, as the reference multiplies.
  static double total(const json& expected) {
    double reward = 1;
    bool env_counted = false;
    for (const json& part : expected.at("reward_basis")) {
      const bool of_env = part == "DB" || part == "ENV_ASSERTION";
      if (of_env && !env_counted)
        reward *= expected.at("env").at("reward").get<double>();
      env_counted = env_counted || of_env;
      if (part == "ACTION")
        reward *= expected.at("action").at("reward").get<double>();
      if (part == "COMMUNICATE")
        reward *= expected.at("communicate").at("reward").get<double>();
    }
    return reward;
  }

  std::shared_ptr<const tau2_benchmark> bench_;
};

using replay = std::function<void(const json&, tally&)>;

/// The domains with a native implementation.
std::map<std::string, replay> native(const std::filesystem::path& data) {
  std::map<std::string, replay> out;
  for (const auto& kind : domain_kinds()) {
    auto domain = std::make_shared<domain_replay>(kind.kind, data);
    out.emplace(kind.folder, [domain](const json& record, tally& count) {
      domain->run(record, count);
    });
  }
  return out;
}

} // namespace

TEST_CASE("every recorded answer of the reference is given again") {
  const auto data = tau2_data();
  if (data.empty()) return;
  const auto replays = native(data);
  std::map<std::string, tally> counts;
  for (const auto& file : read_vectors(data / "vectors")) {
    INFO("file " << file.path.filename().string());
    tally& count = counts[file.domain];
    const auto domain = replays.find(file.domain);
    if (domain == replays.end()) {
      count.skipped += file.records.size();
      continue;
    }
    for (const json& record : file.records)
      domain->second(record, count);
  }
  REQUIRE_FALSE(counts.empty());
  for (const auto& [domain, c] : counts) {
    if (replays.count(domain) == 0)
      std::cout << domain
                << ": skipped, no native implementation: " << c.skipped
                << " records\n";
    else
      std::cout << domain << ": compared " << c.records << " records, "
                << c.steps << " steps, " << c.hashes << " hash pairs, "
                << c.rewards << " rewards\n";
  }
  for (const auto& [domain, run] : replays) {
    INFO(domain);
    CHECK(counts[domain].steps > 0);
    CHECK(counts[domain].rewards > 0);
  }
}
