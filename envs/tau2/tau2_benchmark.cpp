#include "envs/tau2/tau2_benchmark.hpp"

#include "messages/json.hpp"

#include <fmt/format.h>

namespace brewery::tau2 {

namespace {

/// The agent's tools in solo mode: all tools, and one that ends the attempt.
std::vector<tool_spec> all_tools(const domain& of) {
  std::vector<tool_spec> tools = of.tools("assistant");
  const auto& phone = of.tools("user");
  tools.insert(tools.end(), phone.begin(), phone.end());
  tool_spec done;
  done.requestor = "assistant";
  done.name = done_tool;
  done.kind = tool_kind::finish;
  done.description = "Ends the attempt: nothing more is to be done.";
  tools.push_back(std::move(done));
  return tools;
}

std::vector<tool_spec> chosen_tools(const domain& of,
                                    const std::vector<std::string>& names) {
  std::vector<tool_spec> tools;
  for (const auto& spec : of.tools("user"))
    for (const auto& name : names)
      if (spec.name == name) tools.push_back(spec);
  return tools;
}

} // namespace

tau2_benchmark::tau2_benchmark(tau2_content content)
    : content_(std::move(content)), solo_tools_(all_tools(*content_.of)) {
  const bool solo = content_.rules.mode == play_mode::solo;
  for (std::size_t i = 0; i < content_.tasks.tasks.size(); ++i) {
    const task& item = content_.tasks.tasks[i];
    std::shared_ptr<domain_state> state = content_.of->initial();
    const auto ready = initialise(*state, item);
    initial_.push_back(ready ? initial_state{std::move(state)}
                             : initial_state{ready.error()});
    if (solo)
      infos_.push_back({item.id, item.ticket.value_or("")});
    else
      infos_.push_back({item.id, "", item.subject});
    if (item.user_tools)
      user_tools_.emplace(item.id.value,
                          chosen_tools(*content_.of, *item.user_tools));
    index_.emplace(item.id, i);
  }
}

const task* tau2_benchmark::find(const task_id& id) const {
  const auto at = index_.find(id);
  return at == index_.end() ? nullptr : &content_.tasks.tasks[at->second];
}

result<std::unique_ptr<tau2_environment>>
tau2_benchmark::open(const task_id& id, play_mode mode,
                     const participants& with) const {
  const auto at = index_.find(id);
  if (at == index_.end())
    return error{ec::not_found, "no task " + json_quoted(id.value)};
  const task& item = content_.tasks.tasks[at->second];
  if (const auto problem = play_problem(item, mode); !problem.empty())
    return error{ec::environment,
                 fmt::format("task {} {}", json_quoted(id.value), problem)};
  const auto& initial = initial_[at->second];
  if (!initial) return initial.error();
  talk_rules rules = content_.rules;
  rules.mode = mode;
  const bool solo = mode == play_mode::solo;
  const auto own = user_tools_.find(id.value);
  const auto& user_tools = solo ? no_tools_
                           : own == user_tools_.end()
                               ? content_.of->tools("user")
                               : own->second;
  return std::make_unique<tau2_environment>(tau2_parts{
      .owner = shared_from_this(),
      .of = *content_.of,
      .item = item,
      .initial = *initial,
      .rules = rules,
      .agent_tools = solo ? solo_tools_ : content_.of->tools("assistant"),
      .user_tools = user_tools,
      .briefing = content_.briefing,
      .guidelines = user_tools.empty() ? content_.guidelines_without_tools
                                       : content_.guidelines,
      .with = with});
}

result<void> tau2_benchmark::can_start(const task_id& id) const {
  const auto at = index_.find(id);
  if (at == index_.end() || initial_[at->second]) return {};
  return error{ec::malformed,
               fmt::format("{}: {}; mend it or the databases beside it",
                           content_.tasks_file,
                           initial_[at->second].error().message)};
}

std::uint32_t tau2_benchmark::checkpoints(const task_id& id) const {
  const task* item = find(id);
  if (item == nullptr || !item->criteria || !item->criteria->env_assertions)
    return 0;
  return static_cast<std::uint32_t>(item->criteria->env_assertions->size());
}

result<std::unique_ptr<environment>>
tau2_benchmark::make(const task_id& id, const participants& with) const {
  const auto refuse = [&](std::string_view who) {
    return error{ec::invalid_argument,
                 fmt::format("task {} needs {}, and there is none",
                             json_quoted(id.value), who)};
  };
  const play_mode mode = content_.rules.mode;
  if (mode == play_mode::with_user && !with.user)
    return refuse("a simulated user to talk to");
  auto opened = open(id, mode, with);
  if (!opened) return opened.error();
  if (find(id)->needs_judge() && !with.judge)
    return refuse("a judge of statements about the conversation");
  return std::unique_ptr<environment>{std::move(*opened)};
}

} // namespace brewery::tau2
