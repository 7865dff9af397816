#include "envs/tau2/grading.hpp"
#include "tests/envs/domain_replay.hpp"
#include "tests/envs/vectors.hpp"

#include <catch2/catch.hpp>

#include <iostream>

namespace brewery::test {

using namespace tau2;

namespace {

json hashes_of(const domain_state& state) {
  const auto user = state.user_hash();
  return json::array({state.agent_hash(), user.empty() ? json{} : json(user)});
}

json bools(const std::vector<bool>& values) {
  json list = json::array();
  for (const bool value : values)
    list.push_back(value);
  return list;
}

/// One recorded call, as the reference's environment answers it.
tool_result answer(domain_state& state, const json& call) {
  const auto value =
      state.use_tool(call.at("requestor").get<std::string>(),
                     call.at("name").get<std::string>(), call.at("arguments"));
  if (!value) return {"Error: " + value.error().message, true};
  if (const auto synced = state.sync(); !synced)
    return {"Error: " + synced.error().message, true};
  const auto* text = std::get_if<std::string>(&*value);
  return {text != nullptr ? *text : "not a text", text == nullptr};
}

class replay {
public:
  replay(const domain& played, const task_set& tasks)
      : played_(played), tasks_(tasks) {}

  void run(const json& record, replay_tally& count) const {
    ++count.records;
    const task& item = find(record.at("task_id").get<std::string>());
    INFO("task " << item.id.value);
    const auto initial = played_.initial();
    for (const auto& step : item.initialization) {
      REQUIRE(initial->run_function(step));
      REQUIRE(initial->sync());
    }
    if (record.contains("variants")) {
      for (const json& variant : record.at("variants"))
        run_variant(variant, *initial, *item.criteria, count);
    } else {
      run_steps(record, *initial, count);
    }
  }

private:
  const task& find(const std::string& id) const {
    for (const task& item : tasks_.tasks)
      if (item.id.value == id) return item;
    FAIL("no task " << id);
    std::abort();
  }

  static void run_steps(const json& record, const domain_state& initial,
                        replay_tally& count) {
    CHECK(hashes_of(initial) == record.at("initial_hash"));
    ++count.hashes;
    const auto state = initial.clone();
    for (const json& step : record.at("steps")) {
      INFO("step " << step.dump());
      const auto ours = answer(*state, step);
      INFO("ours " << ours.content);
      CHECK(texts_agree(step, ours));
      CHECK(hashes_of(*state) == step.at("hash"));
      ++count.steps;
      ++count.hashes;
    }
    if (!record.contains("gold_hash_without_sync")) return;
    const auto gold = initial.clone();
    for (const json& step : record.at("steps"))
      (void)gold->use_tool(step.at("requestor").get<std::string>(),
                           step.at("name").get<std::string>(),
                           step.at("arguments"));
    CHECK(hashes_of(*gold) == record.at("gold_hash_without_sync"));
    ++count.hashes;
  }

  static void run_variant(const json& variant, const domain_state& initial,
                          const task_criteria& criteria, replay_tally& count) {
    INFO(variant.dump());
    const auto state = initial.clone();
    std::vector<recorded_call> calls;
    for (const json& call : variant.at("actions")) {
      (void)answer(*state, call);
      calls.push_back(
          {call.at("requestor"), call.at("name"), call.at("arguments")});
    }
    const json& expected = variant.at("expected");
    check_environment(expected.at("env"), initial, *state, criteria);
    const auto actions = grade_actions(criteria, calls);
    CHECK(bools(actions.met) == expected.at("action").at("matches"));
    CHECK(actions.reward() == expected.at("action").at("reward"));
    const auto said = grade_communication(
        criteria,
        variant.at("assistant_texts").get<std::vector<std::string>>());
    CHECK(bools(said.met) == expected.at("communicate").at("met"));
    CHECK(said.reward() == expected.at("communicate").at("reward"));
    count.rewards += 3;
  }

  static void check_environment(const json& expected,
                                const domain_state& initial,
                                const domain_state& end,
                                const task_criteria& criteria) {
    const auto gold = initial.clone();
    if (criteria.actions)
      for (const auto& action : *criteria.actions)
        (void)gold->use_tool(action.requestor, action.name, action.arguments);
    const bool match = end.same(*gold);
    CHECK(match == expected.at("db_match").get<bool>());
    CHECK(match == (hashes_of(end) == hashes_of(*gold)));
    std::vector<bool> met;
    const auto asserted = end.clone();
    if (criteria.env_assertions) {
      for (const auto& wanted : *criteria.env_assertions) {
        const auto verdict = asserted->run_function(wanted.call);
        met.push_back(verdict && std::get<bool>(*verdict) == wanted.expected);
        REQUIRE(asserted->sync());
      }
    }
    CHECK(bools(met) == expected.at("assertions"));
    double reward = 1;
    if (criteria.counts(reward_part::database)) reward *= match ? 1 : 0;
    if (criteria.counts(reward_part::env_assertion))
      reward *= check_list{met}.reward();
    CHECK(reward == expected.at("reward"));
  }

  const domain& played_;
  const task_set& tasks_;
};

} // namespace

replay_tally replay_domain(const std::filesystem::path& data,
                           const std::string& name,
                           result<std::shared_ptr<const domain>> (*load)(
                               const std::filesystem::path& folder)) {
  const auto folder = data / "tau2" / "domains" / name;
  const auto played = load(folder);
  if (!played) FAIL(to_string(played.error()));
  const auto tasks = read_text_file(folder / "tasks.json"),
             splits = read_text_file(folder / "split_tasks.json");
  REQUIRE(tasks);
  REQUIRE(splits);
  const auto set = parse_tasks(*tasks, *splits, (**played).vocabulary());
  if (!set) FAIL(to_string(set.error()));
  const replay replayed{**played, *set};
  replay_tally count;
  for (const auto& file : read_vectors(data / "vectors")) {
    if (file.domain != name) continue;
    INFO("file " << file.path.filename().string());
    for (const json& record : file.records)
      replayed.run(record, count);
  }
  std::cout << name << ": compared " << count.records << " records, "
            << count.steps << " steps, " << count.hashes << " hash pairs, "
            << count.rewards << " rewards\n";
  CHECK(count.steps > 0);
  CHECK(count.rewards > 0);
  return count;
}

} // namespace brewery::test
