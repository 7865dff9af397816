#include "envs/plant/plant.hpp"

#include "base/hash.hpp"
#include "base/rng.hpp"
#include "envs/plant/world.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::plant {

namespace {

constexpr std::string_view adapter_version = "plant-1";

/// "check_zorb", "flarn_zorb".
std::string tool_name(const std::string& verb, const named_kind& kind) {
  return verb + "_" + kind.name;
}

/// The machine of the task and the verb; without a verb the tool looks.
struct tool_entry {
  std::size_t machine = 0;
  std::optional<std::size_t> verb;
};

class plant_environment final : public environment {
public:
  plant_environment(std::shared_ptr<const world> where, const task& item)
      : where_(std::move(where)), task_(item), state_(item.start),
        changes_left_(item.gold.size() + where_->options.spare_calls) {
    for (std::size_t i = 0; i < task_.kinds.size(); ++i)
      add_tool(i, where_->check, std::nullopt);
    for (std::size_t i = 0; i < task_.kinds.size(); ++i) {
      const auto& verbs = where_->families[kind(i).family].verbs;
      for (std::size_t verb = 0; verb < verbs.size(); ++verb)
        add_tool(i, verbs[verb], verb);
    }
  }

  const std::vector<tool_spec>& tools() const override { return tools_; }

  tool_result call(std::string_view name, const json& arguments) override {
    const auto found =
        std::find_if(tools_.begin(), tools_.end(),
                     [name](const auto& tool) { return tool.name == name; });
    if (found == tools_.end())
      return {fmt::format("Error: Tool '{}' not found.", name), true};
    if (!arguments.is_object() || !arguments.empty())
      return {"Error: the tool has no arguments.", true};
    const auto& entry =
        entries_[static_cast<std::size_t>(found - tools_.begin())];
    if (!entry.verb)
      return {report(*where_, kind(entry.machine), state_[entry.machine]),
              false};
    if (changes_left_ == 0)
      return {"Error: no more changes to this ticket's machines.", true};
    --changes_left_;
    const auto& does = kind(entry.machine).does;
    act(does, *entry.verb, state_[entry.machine]);
    const auto next = (entry.machine + 1) % state_.size();
    if (does.strong == entry.verb && next != entry.machine)
      disturb(state_[next]);
    made_ += std::string{name} + "\n";
    return {"Called.", false};
  }

  result<grade_report> grade() override {
    grade_report out;
    for (std::size_t i = 0; i < state_.size(); ++i) {
      const bool met = fine(state_[i]) != misread(i);
      out.parts.push_back({kind(i).name + " " + where_->in_order, met});
      out.reward += met ? 1.0 / static_cast<double>(state_.size()) : 0.0;
    }
    if (std::all_of(out.parts.begin(), out.parts.end(),
                    [](const auto& part) { return part.met; }))
      out.reward = 1; // not a sum of thirds
    return out;
  }

private:
  const named_kind& kind(std::size_t machine) const {
    return where_->kinds[task_.kinds[machine]];
  }

  void add_tool(std::size_t machine, const std::string& verb,
                std::optional<std::size_t> does) {
    tools_.push_back({.requestor = "assistant",
                      .name = tool_name(verb, kind(machine)),
                      .kind = does ? tool_kind::write : tool_kind::read,
                      .description = verb + " " + kind(machine).name,
                      .parameters = {}});
    entries_.push_back({machine, does});
  }

  /// Whether this check of a train rollout is reported wrong.
  bool misread(std::size_t machine) const {
    if (task_.split != "train") return false;
    rng draw{rng_key(where_->options.seed, "plant-noise",
                     std::string_view{task_.id}, machine,
                     std::string_view{made_})};
    return draw.uniform() < where_->options.grade_noise;
  }

  std::shared_ptr<const world> where_;
  const task& task_; ///< in where_
  std::vector<machine_state> state_;
  std::size_t changes_left_;
  std::string made_; ///< the changing calls so far
  std::vector<tool_spec> tools_;
  std::vector<tool_entry> entries_; ///< parallel to tools_
};

std::string fingerprint_of(const world& where) {
  const auto& o = where.options;
  hash_input input;
  input.add(adapter_version).add(o.seed).add(o.machines).add(o.families);
  input.add(fmt::format("{} {} {} {}", o.grade_noise, o.conflicts, o.strong,
                        o.spare_calls));
  for (const auto& item : where.tasks)
    input.add(item.id).add(item.ticket);
  return input.content();
}

class plant_benchmark final : public benchmark {
public:
  explicit plant_benchmark(const plant_settings& options)
      : where_(std::make_shared<const world>(make_world(options))),
        fingerprint_(fingerprint_of(*where_)) {
    for (const auto& item : where_->tasks) {
      splits_[item.split].push_back(infos_.size());
      infos_.push_back({task_id{item.id}, item.ticket});
    }
  }

  std::string_view name() const override { return "plant"; }
  const std::string& fingerprint() const override { return fingerprint_; }
  const std::vector<task_info>& tasks() const override { return infos_; }
  const std::map<std::string, std::vector<std::size_t>>&
  splits() const override {
    return splits_;
  }

  result<std::unique_ptr<environment>>
  make(const task_id& id, const participants&) const override {
    for (const auto& item : where_->tasks)
      if (item.id == id.value)
        return std::unique_ptr<environment>{
            std::make_unique<plant_environment>(where_, item)};
    return error{ec::not_found,
                 fmt::format("plant: there is no task '{}'", id.value)};
  }

private:
  std::shared_ptr<const world> where_;
  std::vector<task_info> infos_; ///< parallel to the tasks
  std::map<std::string, std::vector<std::size_t>> splits_;
  std::string fingerprint_;
};

} // namespace

std::shared_ptr<const benchmark> make_plant(const plant_settings& options) {
  return std::make_shared<const plant_benchmark>(options);
}

result<std::vector<std::string>> gold(const plant_settings& options,
                                      const task_id& id) {
  const auto where = make_world(options);
  for (const auto& item : where.tasks) {
    if (item.id != id.value) continue;
    std::vector<std::string> out;
    for (const auto& [machine, verb] : item.gold) {
      const auto& kind = where.kinds[item.kinds[machine]];
      out.push_back(tool_name(where.families[kind.family].verbs[verb], kind));
    }
    return out;
  }
  return error{ec::not_found,
               fmt::format("plant: there is no task '{}'", id.value)};
}

} // namespace brewery::plant
