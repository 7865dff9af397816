#include "envs/plant/machine.hpp"

#include "base/rng.hpp"

#include <algorithm>
#include <deque>
#include <map>

namespace brewery::plant {

namespace {

/// Share of gauges that a verb can upset.
constexpr double upset_share = 0.25;

bool bad(reading value) {
  return value == reading::low || value == reading::high;
}

/// A verb below `count` that is none of `others`.
std::size_t another(rng& draw, std::initializer_list<std::size_t> others) {
  for (;;) {
    const auto verb = static_cast<std::size_t>(draw.below(verb_count));
    if (std::find(others.begin(), others.end(), verb) == others.end())
      return verb;
  }
}

} // namespace

machine_kind make_kind(const plant_settings& options, std::size_t number) {
  rng draw{rng_key(options.seed, "plant-kind", number)};
  machine_kind out;
  const std::size_t strong = draw.below(verb_count);
  if (draw.uniform() < options.strong) out.strong = strong;
  for (std::size_t gauge = 0; gauge < gauge_count; ++gauge) {
    for (auto& by_mode : out.cures[gauge]) {
      const auto remedy = another(draw, {strong});
      const auto other = another(draw, {strong, remedy});
      const auto third = another(draw, {strong, remedy, other});
      by_mode.fill({remedy, third});
      // What mends it in one mode jams it in the other.
      if (draw.uniform() < options.conflicts)
        by_mode = {cure{remedy, other}, cure{other, remedy}};
    }
    const auto upset = another(draw, {strong});
    if (draw.uniform() < upset_share) out.upset[gauge] = upset;
  }
  return out;
}

bool fine(const machine_state& state) {
  return std::all_of(state.shown.begin(), state.shown.end(),
                     [](reading value) { return value == reading::good; });
}

void act(const machine_kind& kind, std::size_t verb, machine_state& state) {
  for (std::size_t gauge = 0; gauge < gauge_count; ++gauge) {
    auto& value = state.shown[gauge];
    if (value == reading::good) {
      if (kind.upset[gauge] == verb) value = reading::low;
      continue;
    }
    if (!bad(value)) continue;
    const auto& needs =
        kind.cures[gauge][value == reading::low ? 0 : 1][state.mode];
    if (kind.strong == verb || needs.remedy == verb)
      value = reading::good;
    else if (needs.trap == verb)
      value = reading::jammed;
  }
}

void disturb(machine_state& state) {
  state.shown.front() = reading::jammed;
}

std::optional<std::vector<std::size_t>> way_out(const machine_kind& kind,
                                                const machine_state& start) {
  std::map<machine_state, std::vector<std::size_t>> ways{{start, {}}};
  std::deque<machine_state> open{start};
  while (!open.empty()) {
    const auto state = open.front();
    open.pop_front();
    if (fine(state)) return ways[state];
    for (std::size_t verb = 0; verb < verb_count; ++verb) {
      if (kind.strong == verb) continue;
      auto next = state;
      act(kind, verb, next);
      auto way = ways[state];
      way.push_back(verb);
      if (ways.try_emplace(next, std::move(way)).second) open.push_back(next);
    }
  }
  return std::nullopt;
}

} // namespace brewery::plant
