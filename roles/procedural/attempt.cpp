#include "roles/procedural/attempt.hpp"

#include <algorithm>

namespace brewery {

namespace {

/// Enough to find the task's record among a customer's few, without spending
/// all calls on a long list.
constexpr std::size_t max_wide_observations = 4;

/// Probability that arguments to try come from the best source only.
constexpr double plausible_share = 0.75;

} // namespace

attempt::attempt(const task_info& task, environment& env,
                 retrieval_session& retrieval, const agent_options& options,
                 const retrieval_options& queries, const guidance_cache& rules,
                 const observation_cache& parsed)
    : task_(task), env_(env), retrieval_(retrieval), options_(options),
      retrieval_options_(queries), read_(rules),
      facts_(task.instruction, parsed) {
  retrieve(task.instruction);
}

bool attempt::retrieve(std::string_view query) {
  // Equal queries have equal results: ask once.
  if (retrieval_.empty() || !queries_.emplace(query).second) return false;
  const auto step = static_cast<std::uint32_t>(steps_.size());
  const auto found = retrieval_.retrieve(query, step);
  if (!found) {
    failure_ = found.error();
    return false;
  }
  return !read_.add(*found).empty();
}

std::uint32_t attempt::calls_left() const {
  if (failure_) return 0;
  const auto made = static_cast<std::uint32_t>(steps_.size());
  return made < options_.max_calls ? options_.max_calls - made : 0;
}

const tool_spec* attempt::find_tool(std::string_view name) const {
  for (const auto& tool : env_.tools())
    if (tool.name == name) return &tool;
  return nullptr;
}

std::optional<json> attempt::random_arguments(const tool_spec& tool,
                                              rng& draw) const {
  json arguments = json::object();
  for (const auto& parameter : tool.parameters) {
    if (!parameter.required) continue;
    const bool plausible = draw.uniform() < plausible_share;
    const auto values = facts_.candidates(parameter, plausible);
    if (!values.empty())
      arguments[parameter.name] = values[draw.below(values.size())];
    else if (parameter.type == "string")
      // Free text (a reason, a summary): use the instruction.
      arguments[parameter.name] = facts_.fill("task");
    else
      return std::nullopt;
  }
  return arguments;
}

bool attempt::call(const tool_spec& tool, const json& arguments,
                   std::string_view reason) {
  if (calls_left() == 0) return false;
  auto answer = env_.call(tool.name, arguments);
  const bool mutates = tool.kind != tool_kind::read;
  if (mutates) ++epoch_;
  if (!answer.failed) facts_.observe(answer.content);
  if (!mutates && !answer.failed && facts_.about_focus(arguments)) {
    const auto call_text = to_text(facts_.generalise(tool.name, arguments));
    views_[call_text] = {facts_.lines_of(answer.content), epoch_};
  }
  steps_.push_back({tool.requestor, tool.name, arguments.dump(),
                    std::move(answer.content), answer.failed, mutates,
                    std::string{reason}});
  if (retrieval_options_.per_observation && !steps_.back().failed)
    retrieve(steps_.back().observation);
  return true;
}

bool attempt::ask_when_stuck() {
  if (!retrieval_options_.when_stuck || retrieval_options_.per_observation)
    return false;
  std::string query;
  for (const auto& [look, shown] : views_)
    for (const auto& line : shown.lines)
      query += line + "\n";
  return !query.empty() && retrieve(query);
}

bool attempt::observe_with(const tool_spec& tool, bool widely) {
  std::vector<json> combinations{json::object()};
  for (const auto& parameter : tool.parameters) {
    if (!parameter.required) continue;
    std::vector<json> extended;
    for (const auto& partial : combinations)
      for (const auto& value : facts_.candidates(parameter, true)) {
        auto next = partial;
        next[parameter.name] = value;
        extended.push_back(std::move(next));
        if (extended.size() >= max_wide_observations) break;
      }
    combinations = std::move(extended);
  }
  bool observed = false;
  for (const auto& arguments : combinations) {
    const auto concrete = tool.name + arguments.dump();
    if (widely) {
      if (!observed_.insert(concrete).second) continue;
    } else {
      if (!observed_.contains(concrete) || !facts_.about_focus(arguments))
        continue;
      const auto call_text = to_text(facts_.generalise(tool.name, arguments));
      if (fresh(call_text) || repeats_another(call_text)) continue;
    }
    if (!call(tool, arguments, "look")) return observed;
    observed = true;
  }
  return observed;
}

bool attempt::repeats_another(const std::string& call_text) const {
  const auto mine = views_.find(call_text);
  if (mine == views_.end()) return false;
  return std::any_of(views_.begin(), mine, [&](const auto& other) {
    return other.second.lines == mine->second.lines;
  });
}

void attempt::observe_all(std::string_view kit) {
  if (!observed_widely_) {
    // Answers supply arguments of other observations: repeat until nothing is
    // new.
    bool learned = true;
    while (learned && calls_left() > 0) {
      learned = false;
      for (const auto& tool : env_.tools())
        if (tool.kind == tool_kind::read) learned |= observe_with(tool, true);
    }
    observed_widely_ = true;
  }
  for (const auto& tool : env_.tools())
    if (tool.kind == tool_kind::read && (kit.empty() || tool.requestor == kit))
      observe_with(tool, false);
}

bool attempt::observe(const std::string& call_text) {
  if (fresh(call_text)) return true;
  const auto parsed = parse_call(call_text);
  if (!parsed) return false;
  const auto* tool = find_tool(parsed->tool);
  const auto arguments = facts_.fill(*parsed);
  if (tool == nullptr || tool->kind != tool_kind::read || !arguments)
    return false;
  return call(*tool, *arguments, "look") && fresh(call_text);
}

bool attempt::applies(const rule& item) const {
  return says(item.clauses)
         && std::ranges::all_of(
             item.when, [&](const auto& shown) { return shows(shown); });
}

bool attempt::follow(const rule& item) {
  for (const auto& shown : item.when)
    if (!observe(shown.observation)) return false;
  if (!applies(item)) return false;
  for (const auto& text : item.calls) {
    const auto parsed = parse_call(text);
    const auto* tool = parsed ? find_tool(parsed->tool) : nullptr;
    if (tool == nullptr) return false;
    const auto arguments = facts_.fill(*parsed);
    if (!arguments || !call(*tool, *arguments, "rule")) return false;
    tried_.insert(text);
    made_.push_back(text);
  }
  return true;
}

const tool_spec* attempt::try_one_of(const std::vector<const tool_spec*>& tools,
                                     rng& draw) {
  for (const auto* tool : tools) {
    const auto arguments = random_arguments(*tool, draw);
    if (!arguments) continue;
    auto text = to_text(facts_.generalise(tool->name, *arguments));
    if (!tried_.insert(text).second) continue;
    if (!call(*tool, *arguments, "explore")) return nullptr;
    made_.push_back(std::move(text));
    return tool;
  }
  return nullptr;
}

bool attempt::refresh_conditions() {
  bool refreshed = false;
  // By index, because an observation may add guidance.
  for (std::size_t g = 0; g < guides().size(); ++g) {
    const auto guide = guides()[g];
    for (const auto& placed : guide->rules)
      for (const auto& shown : placed.content.when)
        if (calls_left() > 0 && !fresh(shown.observation))
          refreshed |= observe(shown.observation);
  }
  return refreshed;
}

attempt::finish attempt::finished() {
  auto state = finish::unknown;
  for (std::size_t g = 0; g < guides().size(); ++g) {
    const auto guide = guides()[g];
    for (const auto& placed : guide->goals) {
      if (!says(placed.content.clauses)) continue;
      if (!observe(placed.content.shows.observation)) continue;
      if (shows(placed.content.shows)) return finish::reached;
      state = finish::missed;
    }
  }
  return state;
}

bool attempt::shows(const condition& item) const {
  const auto it = views_.find(item.observation);
  return it != views_.end()
         && std::find(it->second.lines.begin(), it->second.lines.end(),
                      item.line)
                != it->second.lines.end();
}

bool attempt::fresh(const std::string& call_text) const {
  const auto it = views_.find(call_text);
  return it != views_.end() && it->second.epoch == epoch_;
}

bool attempt::says(const std::vector<std::string>& clauses) const {
  return std::all_of(clauses.begin(), clauses.end(), [&](const auto& clause) {
    return task_.instruction.find(clause) != std::string::npos;
  });
}

} // namespace brewery
