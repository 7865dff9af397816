#include "report/sweep/rollout_tally.hpp"

#include "coordinator/recorded.hpp"
#include "messages/job_msgs.hpp"
#include "messages/reused_from.hpp"
#include "messages/side_records.hpp"
#include "messages/wire/codec.hpp"
#include "search/barrier.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

/// Sorted; of those at tasks that are not sealed.
struct search_rollouts {
  /// In which iteration the search first asked for them. Empty: the log is of
  /// an older release, which did not say what rollouts were for.
  std::vector<std::uint32_t> iterations;
  std::vector<std::uint64_t> events; ///< of all searches

  /// Until a barrier: its iteration and its event.
  [[nodiscard]] std::uint64_t until(std::uint32_t iteration,
                                    std::uint64_t event) const {
    return static_cast<std::uint64_t>(
        iterations.empty()
            ? std::ranges::lower_bound(events, event) - events.begin()
            : std::ranges::upper_bound(iterations, iteration)
                  - iterations.begin());
  }
};

/// The rollouts of a log that hold.
class rollout_reader {
public:
  rollout_reader(const memo_loader& memo, const tally_request& wanted)
      : memo_(memo), wanted_(wanted) {
    for (const auto& [job, answer] : memo.known().results)
      if (const auto* one = std::get_if<rollout_result>(&answer.output))
        add(*one, memo.given_up_at(job));
  }

  result<void> add(const event_row& row) {
    if (row.kind == purpose_record::type_name) return add_purposes(row);
    if (row.kind != job_result::type_name) return {};
    const auto& logged = memo_.known().logged;
    const auto holds = logged.find({row.key});
    if (holds == logged.end() || holds->second != row.seq) return {};
    const auto answer = wire::decode<job_result>(row.payload);
    if (!answer) return answer.error();
    if (const auto* one = std::get_if<rollout_result>(&answer->output))
      add(*one, row.seq);
    return {};
  }

  /// Those at tasks that are not sealed. A run that was extended has the
  /// shorter run's evaluation among them.
  [[nodiscard]] search_rollouts of_search() const {
    search_rollouts out;
    for (const auto& [job, event] : of_search_) {
      if (const auto asked = asked_in_.find(job); asked != asked_in_.end())
        out.iterations.push_back(asked->second);
      out.events.push_back(event);
    }
    std::ranges::sort(out.iterations);
    std::ranges::sort(out.events);
    return out;
  }

  [[nodiscard]] std::vector<reading_attempt> attempts() const {
    std::vector<reading_attempt> out;
    for (const auto& id : wanted_.attempts) {
      const auto found = sealed_.find(id);
      if (found == sealed_.end() || !found->second.graded) continue;
      const auto read =
          sealed_.find(with_trajectory(id, found->second.reused_from));
      if (read != sealed_.end() && !read->second.what.documents.empty())
        out.push_back({found->second.what.task, found->second.what.grade,
                       read->second.what.documents});
    }
    return out;
  }

  std::uint64_t rollouts = 0, reused = 0, calls = 0;
  played_work work;

private:
  result<void> add_purposes(const event_row& row) {
    const auto record = wire::decode<purpose_record>(row.payload);
    if (!record) return record.error();
    for (const auto& one : record->purposes) {
      if (one.what == purpose::arm || one.name != wanted_.strategy) continue;
      for (const auto& job : one.jobs) {
        const auto [known, first] = asked_in_.emplace(job, one.iteration);
        if (!first) known->second = std::min(known->second, one.iteration);
      }
    }
    return {};
  }

  struct sealed_rollout {
    reading_attempt what;
    bool graded = false;
    std::string reused_from;
  };

  void count(const rollout_result& one) {
    if (!wanted_.evaluated.empty() && wanted_.sealed.contains(one.task)
        && !wanted_.evaluated.contains(one.id))
      return;
    ++rollouts;
    reused += one.reused_from.empty() ? 0 : 1;
    if (one.reused_from.empty()) // a copy's calls were made elsewhere
      for (const auto& step : one.steps)
        calls += step.tool.empty() ? 0 : 1; // else words
    for (const auto& attempt : one.muse)
      for (const auto& sub_task : attempt.sub_tasks)
        calls += sub_task.probes;
  }

  void add(const rollout_result& one, std::uint64_t event) {
    work.add(one); // as what was paid, also of a replaced evaluation
    count(one);
    if (!wanted_.sealed.contains(one.task)) {
      of_search_.emplace_back(one.id, event);
      return;
    }
    auto& kept = sealed_[one.id];
    kept = {{one.task, one.grade.reward, {}},
            one.outcome == rollout_outcome::graded,
            one.reused_from};
    for (const auto& record : one.retrievals)
      kept.what.documents.insert(record.documents.begin(),
                                 record.documents.end());
  }

  const memo_loader& memo_;
  const tally_request& wanted_;
  std::vector<std::pair<job_id, std::uint64_t>> of_search_;
  std::map<job_id, std::uint32_t> asked_in_; ///< iteration, by the strategy
  std::map<job_id, sealed_rollout> sealed_;
};

/// By iteration: the mean over the trees that trained in it. A late tree's
/// report is in the record after.
std::map<std::uint32_t, double>
train_means(const std::vector<gather_record>& gathers) {
  struct sums {
    double success = 0;
    std::size_t trees = 0;
  };
  std::map<std::uint32_t, sums> by_iteration;
  for (const auto& closed : gathers)
    for (const auto* part : {&closed.folded, &closed.reports})
      for (const auto& tree : *part)
        // Who trained has candidates, if only dropped ones.
        if (tree.added + tree.dropped > 0) {
          by_iteration[tree.iteration].success += tree.train_success;
          ++by_iteration[tree.iteration].trees;
        }
  std::map<std::uint32_t, double> out;
  for (const auto& [iteration, sum] : by_iteration)
    out[iteration] = sum.success / static_cast<double>(sum.trees);
  return out;
}

result<std::vector<barrier_figures>> curve_of(const memo_loader& memo,
                                              const std::string& strategy,
                                              const search_rollouts& rollouts) {
  const auto gathers = gathers_on_record(memo.known().decisions, strategy);
  if (!gathers) return gathers.error();
  const auto train = train_means(*gathers);
  gathered_versions versions;
  std::vector<barrier_figures> out;
  for (const auto& closed : *gathers) {
    versions.fold(closed);
    const auto event =
        memo.decided_at(fmt::format("{}/{}", gather_record::type_name,
                                    gather_key(strategy, closed.iteration)));
    barrier_figures now{.iteration = closed.iteration,
                        .rollouts = rollouts.until(closed.iteration, event),
                        .train = {},
                        .eval = versions.mean_correctness(),
                        .reward = versions.mean_reward()};
    if (const auto found = train.find(closed.iteration); found != train.end())
      now.train = found->second;
    out.push_back(now);
  }
  return out;
}

} // namespace

result<rollout_tally> tally_of(const event_log& log, const memo_loader& memo,
                               const tally_request& wanted) {
  rollout_reader reader{memo, wanted};
  const auto visit = [&](const event_row& row) -> result<void> {
    if (auto ok = reader.add(row); !ok)
      return error{ok.error().code, fmt::format("event {} of the log: {}",
                                                row.seq, ok.error().message)};
    return {};
  };
  if (auto ok = log.for_each(visit); !ok) return ok.error();
  auto curve = curve_of(memo, wanted.strategy, reader.of_search());
  if (!curve) return curve.error();
  return rollout_tally{reader.rollouts, reader.reused,     reader.work,
                       reader.calls,    std::move(*curve), reader.attempts()};
}

} // namespace brewery
