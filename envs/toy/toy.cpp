#include "envs/toy/toy.hpp"

#include "base/hash.hpp"
#include "envs/toy/tasks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

constexpr std::string_view adapter_version = "toy-1";

std::string capital(std::string word) {
  word.front() = static_cast<char>(word.front() - 'a' + 'A');
  return word;
}

std::string line(const std::string& key, const std::string& value) {
  return capital(key) + ": " + value;
}

const std::string& glow_word(const toy_vocabulary& words, glow shown) {
  switch (shown) {
  case glow::bright:
    return words.bright;
  case glow::dim:
    return words.dim;
  case glow::dark:
    return words.dark;
  case glow::flickering:
    return words.flickering;
  }
  return words.dark;
}

const std::string& latch_word(const toy_vocabulary& words, latch_state state) {
  switch (state) {
  case latch_state::loose:
    return words.loose;
  case latch_state::pending:
    return words.pending;
  case latch_state::stuck:
    return words.stuck;
  }
  return words.stuck;
}

/// What a tool does: an operation on a part.
enum class operation {
  check_light,
  check_board,
  check_rack,
  toggle,
  toggle_guard,
  set,
  release,
  restart
};

struct tool_entry {
  operation does;
  std::size_t part = 0;
};

/// Shared by all environments of a benchmark.
struct toy_world {
  toy_options options;
  std::vector<tool_spec> tools;
  std::vector<tool_entry> entries; ///< parallel to `tools`
};

void add_tool(toy_world& world, const std::string& verb,
              const std::string& noun, tool_entry entry) {
  const toy_vocabulary& words = world.options.vocabulary;
  const bool reads = entry.does <= operation::check_rack;
  tool_spec spec{.requestor = "assistant",
                 .name = verb + "_" + noun,
                 .kind = reads ? tool_kind::read : tool_kind::write,
                 .description = verb + " " + noun,
                 .parameters = {}};
  if (entry.does == operation::set)
    spec.parameters.push_back({.name = words.level,
                               .type = "string",
                               .description = words.level,
                               .choices = words.levels,
                               .required = true});
  world.tools.push_back(std::move(spec));
  world.entries.push_back(entry);
}

toy_world make_world(const toy_options& options) {
  toy_world world{options, {}, {}};
  const toy_vocabulary& words = options.vocabulary;
  add_tool(world, words.check, words.light, {operation::check_light});
  add_tool(world, words.check, words.board, {operation::check_board});
  add_tool(world, words.check, words.rack, {operation::check_rack});
  for (std::size_t i = 0; i < options.switches; ++i)
    add_tool(world, words.toggle, words.switches[i], {operation::toggle, i});
  add_tool(world, words.toggle, words.guard, {operation::toggle_guard});
  for (std::size_t i = 0; i < options.dials; ++i)
    add_tool(world, words.set, words.dials[i], {operation::set, i});
  for (std::size_t i = 0; i < options.latches; ++i)
    add_tool(world, words.release, words.latches[i], {operation::release, i});
  add_tool(world, words.restart, words.device, {operation::restart});
  return world;
}

class toy_environment final : public environment {
public:
  toy_environment(std::shared_ptr<const toy_world> world, toy_device start)
      : world_(std::move(world)), start_(std::move(start)), device_(start_) {}

  const std::vector<tool_spec>& tools() const override { return world_->tools; }

  tool_result call(std::string_view name, const json& arguments) override {
    const auto it =
        std::find_if(world_->tools.begin(), world_->tools.end(),
                     [name](const auto& tool) { return tool.name == name; });
    if (it == world_->tools.end())
      return {fmt::format("Error: Tool '{}' not found.", name), true};
    if (!arguments.is_object())
      return {"Error: arguments are not an object.", true};
    for (const auto& [key, value] : arguments.items())
      if (it->parameters.empty() || it->parameters.front().name != key)
        return {fmt::format("Error: unexpected argument '{}'.", key), true};
    const auto& entry =
        world_->entries[static_cast<std::size_t>(it - world_->tools.begin())];
    return entry.does == operation::set ? set_dial(entry.part, arguments)
                                        : tool_result{act(entry), false};
  }

  std::optional<tool_result> probe(std::string_view name,
                                   const json& arguments) override {
    const auto it =
        std::find_if(world_->tools.begin(), world_->tools.end(),
                     [name](const auto& tool) { return tool.name == name; });
    if (it == world_->tools.end() || it->kind != tool_kind::read)
      return std::nullopt;
    toy_environment copy{*this};
    return copy.call(name, arguments);
  }

  std::uint32_t checkpoints_met() const override {
    const auto levels = words().levels.size();
    return static_cast<std::uint32_t>(
        count_faults(start_, device_, levels).mended);
  }

  result<grade_report> grade() override {
    const bool bright = shown() == glow::bright;
    return grade_report{bright ? 1.0 : 0.0,
                        {{line(words().light, words().bright), bright}}};
  }

private:
  const toy_vocabulary& words() const { return world_->options.vocabulary; }
  glow shown() const { return light_of(device_, words().levels.size()); }
  const std::string& on_off(bool on) const {
    return on ? words().on : words().off;
  }
  std::string dial_line(std::size_t i) const {
    return line(words().dials[i], words().levels[device_.dials[i]]);
  }
  std::string latch_line(std::size_t i) const {
    return line(words().latches[i], latch_word(words(), device_.latches[i]));
  }

  tool_result set_dial(std::size_t dial, const json& arguments) {
    const auto value = arguments.find(words().level);
    if (value == arguments.end())
      return {fmt::format("Error: missing argument '{}'.", words().level),
              true};
    const auto& levels = words().levels;
    const auto level = value->is_string()
                           ? std::find(levels.begin(), levels.end(),
                                       value->get_ref<const std::string&>())
                           : levels.end();
    if (level == levels.end())
      return {fmt::format("Error: {} is no {}.", value->dump(), words().level),
              true};
    device_.dials[dial] = static_cast<std::size_t>(level - levels.begin());
    return {dial_line(dial), false};
  }

  std::string act(const tool_entry& entry) {
    const std::size_t i = entry.part;
    switch (entry.does) {
    case operation::check_light:
      return line(words().light, glow_word(words(), shown()));
    case operation::check_board:
      return board();
    case operation::check_rack:
      return rack();
    case operation::toggle:
      device_.switches[i] = !device_.switches[i];
      return line(words().switches[i], on_off(device_.switches[i]));
    case operation::toggle_guard:
      device_.guard = !device_.guard;
      return line(words().guard, on_off(device_.guard));
    case operation::release:
      if (device_.latches[i] == latch_state::stuck)
        device_.latches[i] = latch_state::pending;
      return latch_line(i);
    case operation::restart:
      restart(device_);
      return line(words().device, words().ready);
    case operation::set:
      break; // has an argument: set_dial
    }
    return {};
  }

  std::string board() const {
    std::string out;
    for (std::size_t i = 0; i < device_.switches.size(); ++i)
      out += line(words().switches[i], on_off(device_.switches[i])) + "\n";
    return out + line(words().guard, on_off(device_.guard));
  }

  std::string rack() const {
    std::string out;
    for (std::size_t i = 0; i < device_.dials.size(); ++i)
      out += (out.empty() ? "" : "\n") + dial_line(i);
    for (std::size_t i = 0; i < device_.latches.size(); ++i)
      out += (out.empty() ? "" : "\n") + latch_line(i);
    return out;
  }

  std::shared_ptr<const toy_world> world_;
  toy_device start_;
  toy_device device_;
};

std::string ticket(const toy_vocabulary& words, const toy_device& start) {
  const glow shown = light_of(start, words.levels.size());
  return fmt::format("{}: {} {}. {}: {}.", capital(words.symptom), words.light,
                     glow_word(words, shown), capital(words.place),
                     start.outside ? words.outside : words.inside);
}

class toy_benchmark final : public benchmark {
public:
  explicit toy_benchmark(const toy_options& options)
      : world_(std::make_shared<const toy_world>(make_world(options))) {
    hash_input input;
    input.add(adapter_version).add(options.seed);
    for (const auto& word : words(options.vocabulary))
      input.add(word);
    for (auto& task : toy_tasks(options)) {
      infos_.push_back(
          {task_id{task.id}, ticket(options.vocabulary, task.start)});
      splits_[task.split].push_back(starts_.size());
      input.add(task.id).add(infos_.back().instruction);
      starts_.push_back(std::move(task.start));
    }
    input.add(options.switches).add(options.dials).add(options.latches);
    input.add(options.faults_max);
    fingerprint_ = input.content();
  }

  std::string_view name() const override { return "toy"; }
  const std::string& fingerprint() const override { return fingerprint_; }
  const std::vector<task_info>& tasks() const override { return infos_; }
  const std::map<std::string, std::vector<std::size_t>>&
  splits() const override {
    return splits_;
  }

  std::uint32_t checkpoints(const task_id& task) const override {
    const auto levels = world_->options.vocabulary.levels.size();
    for (std::size_t i = 0; i < infos_.size(); ++i)
      if (infos_[i].id == task)
        return static_cast<std::uint32_t>(
            count_faults(starts_[i], starts_[i], levels).faults);
    return 0;
  }

  result<std::unique_ptr<environment>>
  make(const task_id& task, const participants&) const override {
    for (std::size_t i = 0; i < infos_.size(); ++i)
      if (infos_[i].id == task)
        return std::unique_ptr<environment>{
            std::make_unique<toy_environment>(world_, starts_[i])};
    return error{ec::not_found,
                 fmt::format("toy: there is no task '{}'", task.value)};
  }

private:
  std::shared_ptr<const toy_world> world_;
  std::vector<task_info> infos_;
  std::vector<toy_device> starts_; ///< parallel to infos_
  std::map<std::string, std::vector<std::size_t>> splits_;
  std::string fingerprint_;
};

} // namespace

std::shared_ptr<const benchmark>
make_toy_benchmark(const toy_options& options) {
  return std::make_shared<const toy_benchmark>(options);
}

} // namespace brewery
