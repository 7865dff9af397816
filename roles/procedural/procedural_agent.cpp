#include "roles/procedural/procedural_agent.hpp"

#include "base/rng.hpp"
#include "roles/procedural/attempt.hpp"
#include "roles/procedural/recorded_case.hpp"
#include "roles/procedural/step_back.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// A rule without the expected effect is tried once more.
constexpr std::uint32_t max_firings = 2;

/// Calls reserved for the last observation.
constexpr std::uint32_t final_observation_reserve = 20;

/// The policy of one attempt, on its working state.
class policy {
public:
  policy(attempt& work, const agent_options& options,
         const retrieval_options& retrieval, std::uint64_t draw_key,
         std::optional<step_back_principle> principle)
      : work_(work), options_(options), retrieval_(retrieval), draw_(draw_key),
        principle_(std::move(principle)) {}

  void run() {
    work_.observe_all();
    follow_rules();
    if (retrieval_.when_stuck) ask_if_stuck();
    explore();
    work_.observe_all();
  }

private:
  using finish = brewery::attempt::finish;

  /// The next rule whose condition matches the latest observations.
  const guidance::placed_rule* next_rule() {
    for (const auto& guide : work_.guides())
      for (const auto& placed : guide->rules)
        if (firings_[placed.text] < max_firings
            && work_.applies(placed.content))
          return &placed;
    return nullptr;
  }

  void follow_rules() {
    while (work_.calls_left() > 0) {
      const auto* item = next_rule();
      if (item == nullptr) {
        if (!work_.refresh_conditions()) return;
        continue;
      }
      // Count it even if the fresh observation disagrees, so that the loop
      // ends.
      ++firings_[item->text];
      if (work_.follow(item->content)) ++rules_followed_;
    }
  }

  /// Where no rule is left and no document says that the task is done: looks
  /// for documents about what is seen now, and follows them.
  void ask_if_stuck() {
    while (work_.finished() != finish::reached && work_.ask_when_stuck())
      follow_rules();
  }

  std::vector<const tool_spec*> tools_to_try() {
    if (principle_) return principle_->order(draw_);
    std::vector<const tool_spec*> tools;
    for (const auto& tool : work_.env().tools())
      if (tool.kind != tool_kind::read && tool.kind != tool_kind::finish)
        tools.push_back(&tool);
    draw_.shuffle(tools);
    return tools;
  }

  void explore() {
    if (!options_.explore || options_.explore_writes == 0) return;
    // If rules were followed and no document describes success, stopping is as
    // good as continuing: use half the budget.
    const auto first = work_.finished();
    if (first == finish::reached) return;
    work_.draws();
    auto budget = static_cast<std::uint32_t>(
        first == finish::missed ? options_.explore_writes
                                : draw_.below(options_.explore_writes + 1));
    if (first == finish::unknown && rules_followed_ > 0) budget = budget / 2;
    while (budget-- > 0 && work_.calls_left() > final_observation_reserve) {
      const auto* tool = work_.try_one_of(tools_to_try(), draw_);
      if (tool == nullptr) return;
      work_.observe_all(tool->requestor);
      follow_rules();
      if (retrieval_.when_stuck) ask_if_stuck();
      if (work_.finished() == finish::reached) return;
    }
  }

  attempt& work_;
  const agent_options& options_;
  const retrieval_options& retrieval_;
  rng draw_;
  std::optional<step_back_principle> principle_;
  std::map<std::string, std::uint32_t> firings_;
  std::uint32_t rules_followed_ = 0;
};

} // namespace

procedural_agent::procedural_agent(agent_options options,
                                   retrieval_options retrieval)
    : options_(options), retrieval_(retrieval), cases_(read_recorded_case) {}

std::string procedural_agent::fingerprint() const {
  return fmt::format("procedural-agent/2 calls={} explore={}x{} top={} each={}",
                     options_.max_calls, options_.explore,
                     options_.explore_writes, retrieval_.top_k,
                     retrieval_.per_observation)
         // Named only where it has an effect, so that keys on record stay.
         + (retrieval_.when_stuck && !retrieval_.per_observation ? " stuck"
                                                                 : "");
}

result<trajectory> procedural_agent::attempt(const task_info& task,
                                             environment& env,
                                             retrieval_session& retrieval,
                                             std::uint64_t draw_key,
                                             job_context& context) const {
  const bool shown_cases = context.method == methods::in_context;
  std::optional<step_back_principle> principle;
  if (context.method == methods::step_back)
    principle.emplace(task.instruction, env.tools());
  brewery::attempt work{task,     env,        retrieval,
                        options_, retrieval_, shown_cases ? cases_ : rules_,
                        parsed_};
  if (context.method == methods::survey) {
    work.observe_all();
    return work.take();
  }
  policy{work, options_, retrieval_, draw_key, std::move(principle)}.run();
  return work.take();
}

} // namespace brewery
