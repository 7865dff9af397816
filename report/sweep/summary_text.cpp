#include "base/text.hpp"
#include "report/sweep/markup.hpp"
#include "report/sweep/methods.hpp"
#include "report/sweep/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery::sweep_view {

namespace {

constexpr std::string_view no_number = "-";

/// Percent with one decimal, without a sign at 0.
std::string tenths(double share, bool with_sign) {
  auto out = with_sign ? fmt::format("{:+.1f}", 100 * share)
                       : fmt::format("{:.1f}", 100 * share);
  if (out == "-0.0" || out == "+0.0") out = "0.0";
  return out;
}

std::string named(const sweep_figures& sweep, const point_figures& point) {
  return fmt::format("point {}, \"{}\"", &point - sweep.points.data() + 1,
                     point.name);
}

/// The first few, and how many more there are.
std::string listed(std::vector<std::string> what) {
  constexpr std::size_t shown = 8;
  const auto count = what.size();
  if (count > shown) {
    what.resize(shown);
    what.push_back(fmt::format("and {} more", count - shown));
  }
  return join(what, "; ");
}

/// A mean over fewer seeds is another one than those beside it.
std::string missing_seeds(const sweep_figures& sweep,
                          const point_figures& best) {
  const auto scored = [](const point_figures& point) {
    return std::ranges::count_if(point.seeds, [](const seed_figures& seed) {
      return finite(seed.score).has_value();
    });
  };
  std::ptrdiff_t most = 0;
  for (const auto& point : sweep.points)
    most = std::max(most, scored(point));
  const auto own = scored(best);
  if (own == most) return {};
  return fmt::format(" It has scores of {} only, others of up to {}, so it "
                     "may lead by its seeds alone.",
                     counted(static_cast<std::size_t>(own), "seed"), most);
}

/// How the best point stands to the first.
std::string standing(const sweep_figures& sweep, const point_figures& best) {
  const auto& first = sweep.points.front();
  if (&best == &first && sweep.points.size() > 1)
    return " It is the first point; no other scored higher.";
  if (&best == &first) // points of which no run is here are not listed
    return sweep.not_begun + sweep.absent.size() + sweep.unreadable == 0
               ? " It is the only point."
               : " It is the only point with a score yet.";
  if (!value_of(best.difference))
    return " Its difference to the first point is not known.";
  const auto change =
      fmt::format("{} (95 % interval {})", change_text(best.difference),
                  change_interval_text(best.difference));
  if (is_above_zero(*best.difference))
    return fmt::format(" It is higher than the first point, \"{}\", by {}.",
                       first.name, change);
  if (is_below_zero(*best.difference))
    return fmt::format(" On the tasks that both have in common it is lower "
                       "than the first point, \"{}\": {}.",
                       first.name, change);
  return fmt::format(" It is not shown to differ from the first point, \"{}\": "
                     "{}.",
                     first.name, change);
}

/// A point that was cut has no score, so it is beside no other in the tables.
std::string cut_points(const sweep_figures& sweep) {
  std::vector<std::string> out;
  for (const auto& point : sweep.points) {
    const auto cut = std::ranges::find(point.seeds, true, &seed_figures::cut);
    if (cut != point.seeds.end())
      out.push_back(fmt::format("{} ({})", named(sweep, point), cut->state));
  }
  if (out.empty()) return {};
  return fmt::format("Halving cut {}: there is no sealed score of what was "
                     "cut, and none of eval tasks in its place.",
                     join(out, "; "));
}

std::string unfinished(const sweep_figures& sweep) {
  std::size_t runs = 0;
  std::vector<std::string> open;
  for (const auto& point : sweep.points)
    for (const auto& seed : point.seeds) {
      ++runs;
      if (seed.state != "finished" && !seed.cut)
        open.push_back(fmt::format("{}, seed {} ({})", named(sweep, point),
                                   seed.seed, seed.state));
    }
  if (open.empty()) return {};
  return fmt::format(
      "{} of {} not finished, and the numbers will change: {}.", open.size(),
      counted(runs, "run") + (open.size() == 1 ? " is" : " are"), listed(open));
}

} // namespace

std::string share_text(std::optional<double> share) {
  const auto value = finite(share);
  return value ? tenths(*value, false) + " %" : std::string(no_number);
}

std::string interval_text(const std::optional<estimate>& share) {
  if (!value_of(share)) return {};
  return fmt::format("{} to {}{}", tenths(share->low, false),
                     tenths(share->high, false),
                     share->kind == interval_kind::wilson ? " *" : "");
}

std::string change_text(const std::optional<estimate>& change) {
  const auto value = value_of(change);
  return value ? tenths(*value, true) + " pp" : std::string(no_number);
}

std::string change_interval_text(const std::optional<estimate>& change) {
  if (!value_of(change)) return {};
  return fmt::format("{} to {}{}", tenths(change->low, true),
                     tenths(change->high, true),
                     change->kind == interval_kind::wilson ? " *" : "");
}

std::string count_text(std::uint64_t count) {
  auto out = std::to_string(count);
  for (auto at = static_cast<std::ptrdiff_t>(out.size()) - 3; at > 0; at -= 3)
    out.insert(static_cast<std::size_t>(at), 1, ',');
  return out;
}

std::string money_text(double usd) {
  if (!std::isfinite(usd)) return std::string(no_number);
  if (usd > 0 && usd < 0.01) return fmt::format("${:.4f}", usd);
  return fmt::format("${:.2f}", usd);
}

std::string time_text(double seconds) {
  if (!std::isfinite(seconds)) return std::string(no_number);
  if (seconds < 600) return fmt::format("{:.1f} s", seconds);
  return seconds < 7200 ? fmt::format("{:.1f} min", seconds / 60)
                        : fmt::format("{:.1f} h", seconds / 3600);
}

std::string headline(const sweep_figures& sweep) {
  if (sweep.points.empty()) return "This sweep has no points.";
  if (const auto all = benchmarks_of(sweep); all.size() > 1)
    return fmt::format("The points are of {} benchmarks, whose scores do not "
                       "compare: see the methods by benchmark.",
                       all.size());
  const auto* best = best_point(sweep);
  if (!best)
    return "No point has a score yet: no run has a final evaluation on sealed "
           "tasks.";
  return fmt::format("The highest {} on sealed tasks is {} (95 % interval {}), "
                     "at {}.",
                     sweep.score_name.empty() ? "score" : sweep.score_name,
                     share_text(best->score->value), interval_text(best->score),
                     named(sweep, *best))
         + standing(sweep, *best) + missing_seeds(sweep, *best);
}

std::vector<std::string> cautions(const sweep_figures& sweep) {
  std::vector<std::string> out;
  if (sweep.with_memory_port)
    out.push_back("What a package behind a memory port asks of language models "
                  "by itself is no part of calls, tokens and cost.");
  else if (!sweep.of_language_models)
    out.push_back("No language model took part: the scores say nothing about "
                  "one.");
  if (auto open = unfinished(sweep); !open.empty())
    out.push_back(std::move(open));
  if (sweep.not_begun > 0)
    out.push_back(
        fmt::format("{} not begun: the numbers are those of the rest.",
                    counted(sweep.not_begun, "run")
                        + (sweep.not_begun == 1 ? " has" : " have")));
  if (!sweep.absent.empty())
    out.push_back(fmt::format("{} not here, and the numbers are those of the "
                              "rest: {}.",
                              counted(sweep.absent.size(), "run")
                                  + (sweep.absent.size() == 1 ? " is" : " are"),
                              listed(sweep.absent)));
  if (sweep.unreadable > 0)
    out.push_back(fmt::format("{} be read: the numbers are those of the rest.",
                              counted(sweep.unreadable, "run") + " cannot"));
  if (auto cut = cut_points(sweep); !cut.empty()) out.push_back(std::move(cut));
  std::size_t scored = 0;
  for (const auto& point : sweep.points)
    scored += value_of(point.score).has_value();
  if (scored > 1)
    out.push_back(fmt::format(
        "The best of {} points was chosen by the tasks that it is scored on, "
        "which flatters it; the intervals do not correct for that.",
        scored));
  return out;
}

} // namespace brewery::sweep_view
