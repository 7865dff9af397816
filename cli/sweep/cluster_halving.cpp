#include "cli/sweep/cluster_halving.hpp"

#include "cli/sweep/fetched_sweep.hpp"
#include "run/interrupt.hpp"
#include "sweep/sweep_folder.hpp"

#include <fmt/format.h>

#include <numeric>

namespace brewery {

namespace {

class halved_sweep {
public:
  halved_sweep(const sweep_plan& plan, const cluster_sweep& how,
               const sweep_observer& observer, cluster_group group)
      : plan_(plan), how_(how), observer_(observer), group_(std::move(group)) {
    group_.outlast(stop_, observer_.on_away);
  }

  void stop() { stop_ = true; }

  result<sweep_outcome> play() {
    std::vector<std::size_t> points(plan_.points.size());
    std::iota(points.begin(), points.end(), std::size_t{0});
    for (std::size_t rung = 0; rung < plan_.halving->after.size(); ++rung)
      if (auto ok = play_rung(rung, points); !ok) return ok.error();
    if (auto ok = play_on(points, {}); !ok) return ok.error();
    const auto now = group_.look();
    if (!now) return now.error();
    return fetch_sweep(plan_, how_, *now, cuts_);
  }

private:
  struct run_of {
    std::size_t point;
    std::uint64_t seed;
  };

  /// Of every seed; empty as long as one has not come there, and if one has no
  /// score there, which is noted.
  result<std::optional<point_at_rung>>
  ranked_at(std::size_t point, std::uint32_t iteration,
            std::vector<run_of>& unscored) {
    point_at_rung out{point, {}};
    for (const auto seed : plan_.seeds) {
      const auto found = group_.reward(
          sweep_run_id(plan_.points[point].name, seed), iteration);
      if (!found) return found.error();
      if (!*found) continue;
      if ((*found)->reward)
        out.rewards.push_back(*(*found)->reward);
      else
        unscored.push_back({point, seed});
    }
    if (out.rewards.size() < plan_.seeds.size())
      return std::optional<point_at_rung>{};
    return std::optional{std::move(out)};
  }

  result<void> play_rung(std::size_t rung, std::vector<std::size_t>& points) {
    if (points.size() < 2) return {};
    const auto after = plan_.halving->after[rung];
    if (auto ok = play_on(points, after); !ok) return ok;
    std::vector<point_at_rung> reached;
    std::vector<run_of> unscored;
    for (const auto point : points) {
      auto ranked = ranked_at(point, after, unscored);
      if (!ranked) return ranked.error();
      if (*ranked) reached.push_back(std::move(**ranked));
    }
    const auto decided = decide_rung(reached, plan_.halving->keep);
    for (const auto& out : decided.cut)
      cuts_[out.point] = {rung + 1, after, out.score};
    points = decided.kept;
    const auto now = group_.look();
    if (!now) return now.error();
    end_held(*now, unscored, no_score_at(after));
    return end_cut();
  }

  void end_held(const group_view& now, const std::vector<run_of>& runs,
                const std::string& why) {
    for (const auto& one : runs)
      if (state(now, one) == "held") group_.end_held(name(one), why);
  }

  /// What is cut waits for nothing more. A file with other rungs sends it on.
  result<void> end_cut() {
    std::vector<run_of> cut_runs;
    for (const auto& [point, cut] : cuts_)
      for (const auto seed : plan_.seeds)
        cut_runs.push_back({point, seed});
    // One that was killed at its rung comes there again first.
    const auto now = wait_for(cut_runs);
    if (!now) return now.error();
    for (const auto& one : cut_runs)
      end_held(*now, {one},
               fmt::format("cut by halving after iteration {}",
                           cuts_.at(one.point).after));
    return {};
  }

  /// Those of these points that are not there yet.
  result<std::vector<run_of>> missing(const std::vector<std::size_t>& points,
                                      std::optional<std::uint32_t> after) {
    std::vector<run_of> out;
    for (const auto seed : plan_.seeds)
      for (const auto point : points) {
        if (after) {
          const auto there = group_.reward(
              sweep_run_id(plan_.points[point].name, seed), *after);
          if (!there) return there.error();
          if (*there) continue;
        }
        out.push_back({point, seed});
      }
    return out;
  }

  /// Plays all seeds of these points to the barrier, or to their end. Who ends
  /// before has failed; a run that was held earlier, by a file with other
  /// rungs, is sent on.
  result<void> play_on(const std::vector<std::size_t>& points,
                       std::optional<std::uint32_t> after) {
    auto left = missing(points, after);
    while (left && !left->empty()) {
      for (const auto& one : *left)
        if (const auto sent = group_.submit(plan_, one.point, one.seed, after);
            !sent)
          return error{sent.error().code, fmt::format("run {}: {}", name(one),
                                                      sent.error().message)};
      const auto now = wait_for(*left);
      if (!now) return now.error();
      std::erase_if(
          *left, [&](const run_of& one) { return state(*now, one) != "held"; });
      if (left->empty() || !after) continue;
      left = missing(points, after);
      if (left)
        std::erase_if(*left, [&](const run_of& one) {
          return state(*now, one) != "held";
        });
    }
    return left ? result<void>{} : left.error();
  }

  result<group_view> wait_for(const std::vector<run_of>& wanted) {
    for (;;) {
      auto now = group_.look();
      if (!now) return now.error();
      std::set<std::size_t> cut;
      for (const auto& [point, where] : cuts_)
        cut.insert(point);
      observer_.on_progress(view_of(plan_, how_.group, *now, cut));
      const bool over =
          std::all_of(wanted.begin(), wanted.end(), [&](const run_of& one) {
            const auto found = now->runs.find(id(one));
            return found == now->runs.end() || is_over(found->second);
          });
      if (over) return now;
      pause_between_looks(stop_);
      if (stop_) return error{ec::cancelled, "stopped"};
    }
  }

  [[nodiscard]] std::string name(const run_of& one) const {
    return sweep_run_id(plan_.points[one.point].name, one.seed);
  }
  [[nodiscard]] std::string id(const run_of& one) const {
    return grouped_run_id(how_.group, name(one));
  }
  [[nodiscard]] std::string state(const group_view& now,
                                  const run_of& one) const {
    const auto found = now.runs.find(id(one));
    return found == now.runs.end() ? ""
                                   : found->second["state"].get<std::string>();
  }

  const sweep_plan& plan_;
  const cluster_sweep& how_;
  const sweep_observer& observer_;
  cluster_group group_;
  cut_points cuts_;
  std::atomic<bool> stop_{false};
};

} // namespace

result<sweep_outcome> play_halved_sweep(const sweep_plan& plan,
                                        const cluster_sweep& how,
                                        const sweep_observer& observer) {
  auto group = cluster_group::open(how);
  if (!group) return group.error();
  // A wrong address shows here; later, who does not answer is waited for.
  if (const auto now = group->look(); !now && now.error().code == ec::timeout)
    return now.error();
  halved_sweep sweep{plan, how, observer, std::move(*group)};
  const interrupt_watch watch{[&] {
                                observer.on_interrupt();
                                sweep.stop();
                              },
                              [] {}};
  return sweep.play();
}

} // namespace brewery
