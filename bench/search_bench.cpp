/// UCT selection and back-propagation, in node visits per second. A node is
/// visited once on the way down, and once when its value is recomputed on the
/// way up. One thread. Run: build/release/bench/search_bench

#include "base/rng.hpp"
#include "search/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

using namespace brewery;

namespace {

struct shape {
  const char* name;
  search_options options;
  std::size_t expansions; ///< per tree
  std::size_t trees;      ///< repeated with other seeds
};

struct outcome {
  double seconds = 0;
  std::uint64_t visits = 0;
  std::uint64_t nodes = 0;
};

std::vector<doc_hash> hashes(std::size_t count) {
  std::vector<doc_hash> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back({content_hash(std::to_string(i))});
  return out;
}

outcome measure(const shape& form, const std::vector<doc_hash>& names,
                std::uint64_t seed) {
  outcome out;
  rng draw{rng_key(seed, form.name)};
  const auto start = std::chrono::steady_clock::now();
  tree grown{names[0], limits_of(form.options)};
  grown.absorb(tree::root(), {{"e"}, 0.5, 0.5, 0.5, 10});
  for (std::size_t i = 0; i < form.expansions; ++i) {
    const auto chosen = select_expansions(grown, form.options);
    if (chosen.empty()) break;
    const auto& next = chosen.front();
    const std::uint64_t below = grown.at(next.node).depth + 1;
    out.visits += below; // the descent
    for (std::uint32_t j = 0; j < next.candidates; ++j) {
      const auto made = grown.add_child(next.node, names[grown.size()], 1);
      const double reward = draw.uniform();
      grown.absorb(made.id, {{"e"}, reward, reward, reward, 10});
      out.visits += below + 1; // the way up, counted for the reward only
    }
  }
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - start;
  out.seconds = took.count();
  out.nodes = grown.size();
  return out;
}

void report(const shape& form) {
  const auto names = hashes(2 + form.expansions * form.options.candidates);
  std::vector<double> rates;
  outcome last;
  for (std::size_t round = 0; round < 5; ++round) {
    outcome sum;
    for (std::size_t i = 0; i < form.trees; ++i) {
      const auto one = measure(form, names, round * 1000 + i);
      sum.seconds += one.seconds;
      sum.visits += one.visits;
      sum.nodes = one.nodes;
    }
    rates.push_back(static_cast<double>(sum.visits) / sum.seconds / 1e6);
    last = sum;
  }
  std::sort(rates.begin(), rates.end());
  fmt::print("{:<34} {:>7} nodes/tree  {:6.2f} M node visits/s "
             "({:.2f}..{:.2f})\n",
             form.name, last.nodes, rates[2], rates.front(), rates.back());
}

search_options options(std::uint32_t h, std::uint32_t width,
                       std::uint32_t depth) {
  search_options out;
  out.candidates = h;
  out.max_width = width;
  out.max_depth = depth;
  return out;
}

} // namespace

int main() {
  report({"paper: h 3, width 3, depth 3", options(3, 3, 3), 13, 5000});
  report({"wide: h 10, width 10, depth 3", options(10, 10, 3), 111, 500});
  report({"large: h 3, width 10, depth 8", options(3, 10, 8), 30000, 1});
  report({"deep: h 2, width 2, depth 40", options(2, 2, 40), 50000, 1});
  return 0;
}
