/// The constant of UCT, studied on simulated trees: how deep a search gets, and
/// how good the version is that it would publish. No language model and no
/// environment: a version's quality differs a little from its parent's, and a
/// reward is that quality with the noise of a few graded rollouts. Then the
/// same for several expansions in an iteration, at an equal number of
/// expansions. The same on every machine. Run:
/// build/release/bench/uct_study_bench

#include "base/rng.hpp"
#include "search/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace brewery;

namespace {

constexpr std::size_t trees = 2000;

struct problem {
  const char* name;
  double root = 0.45;
  double step = 0.01;   ///< mean gain of a refinement
  double spread = 0.05; ///< standard deviation of it
  double rollouts = 12; ///< graded, behind each reward
  /// Each version below the root has a ceiling of its own for what comes from
  /// it, drawn near its parent's, and gains shrink towards it: what leads at
  /// first may lead nowhere.
  bool ceilings = false;
};

struct version {
  double quality = 0;
  double ceiling = 0.75;
};

struct constant {
  double c = 0;
  bool by_range = false;
  strategy how = strategy::mcts;
};

struct outcome {
  double depth = 0;      ///< of the deepest version
  double deep_after = 0; ///< expansions until depth 4; all of them if never
  double quality = 0;    ///< of the version with the best reward
  double iterations = 0;
};

double normal(rng& draw) {
  const double u = std::max(draw.uniform(), 1e-12);
  return std::sqrt(-2 * std::log(u))
         * std::cos(2 * std::numbers::pi * draw.uniform());
}

version refined(const problem& on, const version& from, rng& draw) {
  version out = from;
  double gain = on.step + on.spread * normal(draw);
  if (on.ceilings) {
    out.ceiling = std::clamp(from.ceiling + 0.1 * normal(draw), 0.0, 1.0);
    gain += 0.3 * (out.ceiling - from.quality);
  }
  out.quality = std::clamp(from.quality + gain, 0.0, 1.0);
  return out;
}

outcome searched(const problem& on, const search_options& options,
                 std::uint32_t expansions, std::uint64_t seed) {
  rng draw{rng_key(seed, on.name)};
  std::vector<version> versions{{.quality = on.root}};
  const auto reward = [&](double q) {
    const double noise = std::sqrt(q * (1 - q) / on.rollouts);
    return std::clamp(q + noise * normal(draw), 0.0, 1.0);
  };
  tree grown{{"0"}, limits_of(options)};
  const auto score = [&](node_id id) {
    const double r = reward(versions[id.value].quality);
    grown.absorb(id, {{"e"}, r, r, r, 1});
  };
  score(tree::root());
  outcome out;
  out.deep_after = expansions;
  for (std::uint32_t i = 0; i < expansions;) {
    const auto chosen = select_expansions(grown, options);
    if (chosen.empty()) break;
    for (const auto& next : chosen) {
      if (++i > expansions) break;
      for (std::uint32_t j = 0; j < next.candidates; ++j) {
        const auto made =
            grown.add_child(next.node, {std::to_string(grown.size())}, i);
        versions.push_back(refined(on, versions[next.node.value], draw));
        score(made.id);
        out.depth =
            std::max(out.depth, static_cast<double>(grown.at(made.id).depth));
      }
      if (out.depth >= 4) out.deep_after = std::min(out.deep_after, double(i));
    }
    ++out.iterations;
  }
  out.quality = versions[grown.best()->value].quality;
  return out;
}

struct means : outcome {
  double error = 0; ///< half of the 95 % interval of the quality
};

means mean_of(const problem& on, const search_options& options,
              std::uint32_t expansions) {
  means out;
  double squares = 0;
  for (std::size_t seed = 0; seed < trees; ++seed) {
    const auto one = searched(on, options, expansions, seed);
    out.depth += one.depth;
    out.deep_after += one.deep_after;
    out.quality += one.quality;
    out.iterations += one.iterations;
    squares += one.quality * one.quality;
  }
  for (auto* sum : {&out.depth, &out.deep_after, &out.quality, &out.iterations})
    *sum /= trees;
  out.error =
      1.96 * std::sqrt((squares / trees - out.quality * out.quality) / trees);
  return out;
}

void report(const problem& on, std::uint32_t width, std::uint32_t depth,
            std::uint32_t expansions) {
  fmt::print("\n{}, width {}, depth {}, {} expansions of 3\n"
             "   c            depth   depth 4 after   quality of the best\n",
             on.name, width, depth, expansions);
  const double root_2 = std::numbers::sqrt2;
  for (const auto& [c, by_range, how] :
       std::vector<constant>{{0, false},
                             {0.1, false},
                             {0.25, false},
                             {0.5, false},
                             {1, false},
                             {root_2, false},
                             {0.25, true},
                             {0.5, true},
                             {1, true},
                             {root_2, true},
                             {0, false, strategy::greedy}}) {
    search_options options;
    options.how = how;
    options.max_width = width;
    options.max_depth = depth;
    options.exploration = c;
    options.exploration_by_range = by_range;
    const auto sum = mean_of(on, options, expansions);
    const auto name =
        how == strategy::mcts
            ? fmt::format("{:.3f}{}", c, by_range ? " x range" : "")
            : "greedy";
    fmt::print("   {:<13}{:6.2f} {:12.1f}        {:.4f} +- {:.4f}\n", name,
               sum.depth, sum.deep_after, sum.quality, sum.error);
  }
}

/// As many expansions by ever fewer iterations.
void report_several(const problem& on, std::uint32_t width,
                    std::uint32_t depth) {
  constexpr std::uint32_t expansions = 24;
  fmt::print(
      "\n{}, width {}, depth {}, {} expansions of 3\n   in an iteration  "
      "iterations   depth   quality of the best\n",
      on.name, width, depth, expansions);
  for (const std::uint32_t each : {1, 2, 4, 8}) {
    search_options options;
    options.max_width = width;
    options.max_depth = depth;
    options.expansions = each;
    const auto sum = mean_of(on, options, expansions);
    fmt::print("   {:<14}{:12.1f}{:10.2f}   {:.4f} +- {:.4f}\n", each,
               sum.iterations, sum.depth, sum.quality, sum.error);
  }
}

} // namespace

int main() {
  const problem noisy{.name = "rewards of 12 rollouts"};
  const problem exact{.name = "rewards of 100 rollouts", .rollouts = 100};
  const problem steep{
      .name = "larger gains, 12 rollouts", .step = 0.03, .spread = 0.08};
  const problem bounded{.name = "gains up to a ceiling, 12 rollouts",
                        .step = 0,
                        .spread = 0.03,
                        .ceilings = true};
  for (const auto& on : {noisy, exact, steep, bounded}) {
    report(on, 3, 3, 10);
    report(on, 3, 10, 25);
    report(on, 10, 3, 25);
  }
  for (const auto& on : {noisy, exact, steep, bounded}) {
    report_several(on, 3, 10);
    report_several(on, 10, 3);
  }
  return 0;
}
