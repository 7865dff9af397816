#include "report/sweep/collect.hpp"

#include "base/text.hpp"
#include "config/model_use.hpp"
#include "report/compare/comparison.hpp"
#include "report/sweep/methods.hpp"
#include "report/sweep/point_options.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

/// The evaluations of one point's runs.
struct read_point {
  std::vector<measured_run> scored, without;
  std::optional<config> options;                       ///< of its first run
  std::vector<std::shared_ptr<const job_spend>> spend; ///< as its seeds
};

std::optional<estimate> difference_between(const std::vector<measured_run>& one,
                                           const std::vector<measured_run>& to,
                                           std::vector<error>& problems) {
  if (one.empty() || to.empty()) return std::nullopt;
  const auto made = compare({{"to", to}, {"one", one}});
  if (!made) {
    problems.push_back(made.error());
    return std::nullopt;
  }
  return made->contenders.back().difference;
}

std::string benchmark_text(const measured_run& one) {
  return fmt::format("{}, {}, {} each", one.benchmark,
                     counted(one.arm.tasks.size(), "sealed task"),
                     counted(one.trials, "trial"));
}

bool has_whole_grades(const std::vector<measured_run>& runs) {
  const auto made = compare({{"alone", runs}});
  return !made || made->whole_grades;
}

/// Only points of several benchmarks have more than one.
void add_benchmark(sweep_figures& out, const std::string& text) {
  if (out.benchmark.empty())
    out.benchmark = text;
  else if (("; " + out.benchmark + ';').find("; " + text + ';')
           == std::string::npos)
    out.benchmark += "; " + text;
}

void add_run(sweep_figures& out, figured_run one, read_point& to) {
  if (!models_used(one.options).empty()) out.of_language_models = true;
  const auto& baselines = one.options.eval.baselines;
  if (std::ranges::find(baselines, comparators::port) != baselines.end())
    out.with_memory_port = true;
  auto& point = out.points.back();
  if (point.benchmark.empty()) point.benchmark = one.options.environment.kind;
  if (one.scored) {
    add_benchmark(out, benchmark_text(*one.scored));
    to.scored.push_back(std::move(*one.scored));
  }
  if (one.without) to.without.push_back(std::move(*one.without));
  if (!to.options) to.options = std::move(one.options);
  to.spend.push_back(std::move(one.spend));
  point.seeds.push_back(std::move(one.shown));
}

/// Such a point has no gain over itself.
bool is_without_documents(const std::vector<measured_run>& runs) {
  return !runs.empty() && runs.front().arm.name == "no KB";
}

void add_scores(sweep_figures& out, const std::vector<read_point>& read,
                std::vector<error>& problems) {
  for (std::size_t i = 0; i < read.size(); ++i) {
    auto& point = out.points[i];
    const auto& mine = read[i].scored;
    if (!mine.empty()) {
      if (!has_whole_grades(mine)) out.score_name = "mean grade";
      point.score = score_of(mine);
    }
    if (!is_without_documents(mine))
      point.gain = difference_between(mine, read[i].without, problems);
    const auto first = sweep_view::first_of_its_benchmark(out, i);
    if (first != i)
      point.difference = difference_between(mine, read[first].scored, problems);
  }
}

void add_spend_alone(sweep_figures& out, const std::vector<read_point>& read) {
  std::vector<std::shared_ptr<const job_spend>> all;
  for (const auto& point : read)
    all.insert(all.end(), point.spend.begin(), point.spend.end());
  const auto others = spent_by_others(all);
  auto more = others.begin();
  for (auto& point : out.points)
    for (auto& seed : point.seeds) {
      seed.tokens_alone = seed.tokens + more->prompt + more->completion;
      seed.cost_alone_usd = seed.cost_usd + dollars_of(more->cost);
      ++more;
    }
}

void add_options(sweep_figures& out, const std::vector<read_point>& read) {
  std::vector<const config*> all;
  for (const auto& point : read)
    if (point.options) all.push_back(&*point.options);
  auto options = differing_options(all);
  std::size_t next = 0;
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (!read[i].options) continue;
    auto& point = out.points[i];
    point.options = std::move(options[next++]);
    // Others have no such tree, and no place on the map of widths and depths.
    const auto& search = read[i].options->search;
    if (search.learner != "brew" || search.strategies.empty()
        || search.strategies.front() == "iterative")
      continue;
    point.width = search.tree.max_width;
    point.depth = search.tree.max_depth;
  }
}

} // namespace

sweep_figures collect(const std::string& name,
                      const std::vector<sweep_point>& points,
                      std::chrono::system_clock::time_point now,
                      std::vector<error>& problems,
                      const run_reader& read_run) {
  sweep_figures out;
  out.name = name;
  out.made =
      fmt::format("{:%Y-%m-%d %H:%M}",
                  fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
  out.version = BREWERY_VERSION;
  out.score_name = "success";
  std::vector<read_point> read(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    out.points.emplace_back().name = points[i].name;
    for (const auto& path : points[i].runs) {
      auto one = read_run(path);
      const auto cut = points[i].cut.find(path);
      if (one && cut != points[i].cut.end()) {
        one->shown.state = cut->second;
        one->shown.cut = true;
      }
      if (one) {
        add_run(out, std::move(*one), read[i]);
      } else {
        ++out.unreadable;
        problems.push_back(one.error());
      }
    }
  }
  add_scores(out, read, problems);
  add_spend_alone(out, read);
  add_options(out, read);
  sweep_view::name_methods(out);
  return out;
}

} // namespace brewery
