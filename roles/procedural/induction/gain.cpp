#include "roles/procedural/induction/gain.hpp"

#include "roles/procedural/procedural_reflector.hpp"

#include <algorithm>
#include <iterator>

namespace brewery {

namespace {

/// Attempts that a line is taken to have had besides those seen, with the mean
/// share of met checks.
constexpr double prior_attempts = 2;

struct share {
  double met = 0, all = 0;
};

/// The check with the most attempts; single checks before the whole task.
std::string_view main_check(const observation_evidence& observation) {
  std::map<std::string_view, std::uint32_t> attempts;
  for (const auto& row : observation.outcomes)
    attempts[row.check] += row.count;
  if (attempts.size() > 1) attempts.erase(whole_task_check);
  const auto most = std::max_element(
      attempts.begin(), attempts.end(),
      [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == attempts.end() ? std::string_view{} : most->first;
}

class chances {
public:
  chances(const observation_evidence& observation, std::string_view check) {
    for (const auto& row : observation.outcomes) {
      if (row.check != check) continue;
      add(all_, row);
      for (const auto line : row.lines)
        add(by_line_[line], row);
    }
  }

  /// That an attempt which ends with the line meets the check.
  [[nodiscard]] double of(line_number line) const {
    const double usual = all_.all > 0 ? all_.met / all_.all : 0;
    const auto found = by_line_.find(line);
    const auto seen = found == by_line_.end() ? share{} : found->second;
    return (seen.met + prior_attempts * usual) / (seen.all + prior_attempts);
  }

private:
  static void add(share& to, const outcome_row& row) {
    to.all += row.count;
    to.met += row.met ? row.count : 0;
  }
  share all_;
  std::map<line_number, share> by_line_;
};

struct option_sum {
  double gain = 0;
  std::uint32_t tried = 0;
  std::map<line_number, std::uint32_t> left;
  std::vector<rollout_number> rollouts;
  std::vector<insight_id> sources;
};

using option_sums = std::map<std::vector<line_number>, option_sum>;

void add(option_sum& sum, const effect_row& row, double gain,
         const std::vector<line_number>& come) {
  sum.gain += gain * row.count;
  sum.tried += row.count;
  for (const auto line : come)
    sum.left[line] += row.count;
  sum.rollouts.insert(sum.rollouts.end(), row.rollouts.begin(),
                      row.rollouts.end());
  sum.sources.push_back(row.source);
}

gain_option mean_of(const std::vector<line_number>& calls, option_sum sum) {
  gain_option out{calls,
                  sum.tried,
                  sum.gain / std::max(sum.tried, 1U),
                  {},
                  std::move(sum.rollouts),
                  std::move(sum.sources)};
  std::uint32_t most = 0;
  for (const auto& [line, count] : sum.left)
    if (count > most) {
      most = count;
      out.leaves = line;
    }
  return out;
}

std::vector<line_number> difference(const std::vector<line_number>& a,
                                    const std::vector<line_number>& b) {
  std::vector<line_number> out;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(),
                      std::back_inserter(out));
  return out;
}

} // namespace

gain_table gains_of(const observation_evidence& observation) {
  gain_table out{main_check(observation), {}};
  const chances good{observation, out.check};
  std::map<gain_case, option_sums> sums;
  for (const auto& row : observation.effects) {
    if (row.actions.size() != 1) continue; // else unclear which call did it
    const auto gone = difference(row.before, row.after);
    const auto come = difference(row.after, row.before);
    double change = 0;
    for (const auto line : come)
      change += good.of(line);
    for (const auto line : gone)
      change -= good.of(line);
    for (const auto line : row.before) {
      // What the call did to other lines counts here, too: it is done anyway.
      const bool here =
          gone.empty()
          || std::find(gone.begin(), gone.end(), line) != gone.end();
      const double gain = here ? change : std::min(change, 0.0);
      add(sums[{line, {}}][row.actions], row, gain,
          here ? come : std::vector<line_number>{});
      for (const auto beside : row.before)
        if (beside != line)
          add(sums[{line, beside}][row.actions], row, gain,
              here ? come : std::vector<line_number>{});
    }
  }
  for (auto& [where, options] : sums)
    for (auto& [calls, sum] : options)
      out.cases[where].push_back(mean_of(calls, std::move(sum)));
  return out;
}

} // namespace brewery
