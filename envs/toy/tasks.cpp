#include "envs/toy/tasks.hpp"

#include "base/rng.hpp"

#include <fmt/format.h>

#include <bit>

namespace brewery {

namespace {

/// A set of faults, one bit per part (switches, dials, latches, guard), and the
/// device's place.
struct fault_set {
  std::uint64_t faults = 0;
  bool outside = false;
};

/// By number of faults: all sets in which the guard is faulty only outside.
std::vector<std::vector<fault_set>> fault_sets(const toy_options& options) {
  const std::size_t parts = options.switches + options.dials + options.latches;
  BREWERY_ASSERT(parts < 16);
  std::vector<std::vector<fault_set>> out(options.faults_max + 1);
  for (std::uint64_t faults = 1; faults < (2ull << parts); ++faults) {
    const auto count = static_cast<std::size_t>(std::popcount(faults));
    if (count > options.faults_max) continue;
    out[count].push_back({faults, true});
    const bool guard = (faults >> parts) != 0;
    if (!guard) out[count].push_back({faults, false});
  }
  for (std::size_t count = 0; count < out.size(); ++count) {
    rng draw{rng_key(options.seed, "toy-deal", count)};
    draw.shuffle(out[count]);
  }
  return out;
}

/// Takes a set with `wanted` faults, else the next larger one, else any. False
/// if none is left.
bool deal(std::vector<std::vector<fault_set>>& pool, std::size_t wanted,
          fault_set& dealt) {
  for (std::size_t step = 0; step < pool.size(); ++step) {
    auto& sets = pool[(wanted + step) % pool.size()];
    if (sets.empty()) continue;
    dealt = sets.back();
    sets.pop_back();
    return true;
  }
  return false;
}

toy_device broken_device(const toy_options& options, const fault_set& set) {
  const std::size_t levels = options.vocabulary.levels.size();
  std::size_t bit = 0;
  const auto faulty = [&] { return ((set.faults >> bit++) & 1) != 0; };
  rng draw{rng_key(options.seed, "toy-level", set.faults, set.outside)};
  toy_device device;
  device.outside = set.outside;
  for (std::size_t i = 0; i < options.switches; ++i)
    device.switches.push_back(!faulty());
  for (std::size_t i = 0; i < options.dials; ++i) {
    const std::size_t right = right_level(i, levels);
    const std::size_t wrong = (right + 1 + draw.below(levels - 1)) % levels;
    device.dials.push_back(faulty() ? wrong : right);
  }
  for (std::size_t i = 0; i < options.latches; ++i)
    device.latches.push_back(faulty() ? latch_state::stuck
                                      : latch_state::loose);
  device.guard = set.outside && !faulty();
  return device;
}

} // namespace

std::vector<toy_task> toy_tasks(const toy_options& options) {
  const auto& words = options.vocabulary;
  BREWERY_ASSERT(options.switches <= words.switches.size());
  BREWERY_ASSERT(options.dials <= words.dials.size());
  BREWERY_ASSERT(options.latches <= words.latches.size());
  BREWERY_ASSERT(words.levels.size() >= 2 && options.faults_max >= 1);
  struct split {
    const char* name;
    std::size_t size;
    std::vector<toy_task> tasks;
  };
  std::vector<split> splits{{"train", options.train, {}},
                            {"eval", options.eval, {}},
                            {"test", options.test, {}}};
  auto pool = fault_sets(options);
  const std::size_t rounds =
      std::max({options.train, options.eval, options.test});
  for (std::size_t round = 0; round < rounds; ++round)
    for (auto& [name, size, tasks] : splits) {
      fault_set set;
      if (round >= size || !deal(pool, 1 + round % options.faults_max, set))
        continue;
      tasks.push_back({name, fmt::format("{}-{:03}", name, round),
                       broken_device(options, set)});
    }
  std::vector<toy_task> out;
  for (auto& part : splits)
    for (auto& task : part.tasks)
      out.push_back(std::move(task));
  return out;
}

} // namespace brewery
