#include "envs/tau2/data/results_file.hpp"

#include <map>

namespace brewery::tau2 {

namespace {

json message(std::string_view role, const json& content, const json& calls) {
  return {{"role", role},        {"content", content},   {"tool_calls", calls},
          {"turn_idx", nullptr}, {"timestamp", nullptr}, {"cost", nullptr},
          {"usage", nullptr},    {"raw_data", nullptr}};
}

json call_of(const trajectory_step& step, std::string_view requestor,
             const std::string& id) {
  auto arguments = json::parse(step.arguments, nullptr, false);
  if (arguments.is_discarded()) arguments = json::object();
  return {{"id", id},
          {"name", step.tool},
          {"arguments", std::move(arguments)},
          {"requestor", requestor}};
}

json answer_of(const trajectory_step& step, std::string_view requestor,
               const std::string& id) {
  return {{"id", id},
          {"role", "tool"},
          {"content", step.observation},
          {"requestor", requestor},
          {"error", step.failed},
          {"turn_idx", nullptr},
          {"timestamp", nullptr}};
}

/// The differences from a run of the reference, for those who compare scores.
json differences(play_mode mode, std::uint32_t max_steps) {
  json out =
      json::array({"tool descriptions and the agent's instructions are "
                   "Brewery's own words; "
                   "the policy is the data's",
                   "calls of one message are written as one message each",
                   "times, costs and token counts of messages are not logged"});
  if (mode == play_mode::with_user)
    out.push_back("the simulated user's prompt is Brewery's own words around "
                  "the data's guidelines and scenario");
  else
    out.push_back("solo mode: no simulated user; an agent that plays call by "
                  "call, not in turns, has no step or error limit");
  constexpr std::uint32_t reference_steps = 200;
  if (max_steps != reference_steps)
    out.push_back("max_steps " + std::to_string(max_steps)
                  + "; the reference's command line uses "
                  + std::to_string(reference_steps));
  out.push_back("attempts also end at agent.max_calls");
  out.push_back("statements (NL_ASSERTION) are judged by a prompt of Brewery's "
                "own; a reply without a verdict for each is an error");
  out.push_back(
      "the agent may be shown documents of a knowledge base: see arm");
  return out;
}

json named(const std::string& model) {
  return model.empty() ? json(nullptr) : json(model);
}

json info_of(const tau2_benchmark& bench, const results_facts& facts) {
  const bool solo = bench.rules().mode == play_mode::solo;
  return {{"git_commit", ""},
          {"num_trials", facts.trials},
          {"max_steps", bench.rules().max_steps},
          {"max_errors", bench.rules().max_errors},
          {"user_info",
           {{"implementation", solo ? "none (solo mode)" : "brewery"},
            {"llm", named(facts.user_model)},
            {"llm_args", nullptr},
            {"global_simulation_guidelines",
             solo ? json(nullptr) : json(bench.guidelines())}}},
          {"agent_info",
           {{"implementation", "brewery"},
            {"llm", named(facts.agent_model)},
            {"llm_args", nullptr}}},
          {"environment_info",
           {{"domain_name", bench.of().name()}, {"policy", bench.briefing()}}},
          {"seed", facts.seed},
          {"brewery",
           {{"version", facts.version},
            {"run", facts.run},
            {"arm", facts.arm},
            {"mode", solo ? "solo" : "user"},
            {"data", bench.fingerprint()},
            {"differences",
             differences(bench.rules().mode, bench.rules().max_steps)}}}};
}

json simulation_of(const tau2_benchmark& bench, const results_facts& facts,
                   const task& item, const json& raw,
                   const rollout_result& rollout) {
  const play_mode mode = bench.rules().mode;
  json info = nullptr;
  if (!rollout.error.empty()) info = {{"error", rollout.error}};
  return {{"id", rollout.id.value},
          {"task_id", rollout.task.value},
          {"timestamp", ""},
          {"start_time", ""},
          {"end_time", ""},
          {"duration", static_cast<double>(rollout.duration_us) / 1e6},
          {"termination_reason", results_ending(rollout, mode)},
          {"agent_cost", nullptr},
          {"user_cost", nullptr},
          {"reward_info", results_reward(bench.of(), item, raw, rollout)},
          {"messages", results_messages(rollout.steps, mode)},
          {"trial", rollout.trial},
          {"seed", facts.seed},
          {"mode", "half_duplex"},
          {"info", std::move(info)}};
}

} // namespace

json results_messages(const std::vector<trajectory_step>& steps,
                      play_mode mode) {
  json out = json::array();
  std::size_t calls = 0;
  const auto who = [mode](const trajectory_step& step) {
    return mode == play_mode::solo ? std::string{"assistant"} : step.requestor;
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto* step = &steps[i];
    const auto requestor = who(*step);
    json content = nullptr;
    if (step->tool == words_tool) {
      content = step->observation;
      // Words directly before a call of the same side were in the same message.
      const bool beside = i + 1 < steps.size()
                          && steps[i + 1].tool != words_tool
                          && who(steps[i + 1]) == requestor;
      if (!beside) {
        out.push_back(message(requestor, content, nullptr));
        continue;
      }
      step = &steps[++i];
    }
    const auto id = "call_" + std::to_string(++calls);
    out.push_back(message(requestor, content,
                          json::array({call_of(*step, requestor, id)})));
    out.push_back(answer_of(*step, requestor, id));
  }
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i]["turn_idx"] = i;
  return out;
}

std::string results_ending(const rollout_result& rollout, play_mode mode) {
  if (rollout.outcome != rollout_outcome::graded) return "infrastructure_error";
  const auto premature = premature_ending(rollout.grade);
  if (premature == to_string(ending::unfinished))
    return std::string{to_string(ending::agent_error)};
  if (!premature.empty()) return premature;
  return std::string{to_string(mode == play_mode::solo ? ending::agent_stop
                                                       : ending::user_stop)};
}

json results_document(const tau2_benchmark& bench, const results_facts& facts,
                      const std::vector<json>& raw_tasks,
                      const std::vector<rollout_result>& rollouts) {
  std::map<std::string, const json*> known;
  for (const auto& raw : raw_tasks)
    known.emplace(raw.at("id").get<std::string>(), &raw);
  json simulations = json::array();
  for (const auto& rollout : rollouts) {
    const auto at = known.find(rollout.task.value);
    const task* item = bench.find(rollout.task);
    if (at != known.end() && item != nullptr)
      simulations.push_back(
          simulation_of(bench, facts, *item, *at->second, rollout));
  }
  return {{"timestamp", nullptr},
          {"info", info_of(bench, facts)},
          {"tasks", raw_tasks},
          {"simulations", std::move(simulations)}};
}

} // namespace brewery::tau2
