#include "web/live/run_tail.hpp"

#include "base/file.hpp"
#include "messages/job_msgs.hpp"
#include "report/log_rows.hpp"
#include "web/file_stamp.hpp"

#include <algorithm>
#include <utility>

namespace brewery::web {

namespace {

constexpr std::size_t latest_max = 10;
/// Of one answer. A search has at most some hundred iterations.
constexpr std::size_t points_max = 2000;

} // namespace

result<void> run_tail::extend(std::size_t events_max) {
  auto now = stamp_of_log(run_.path());
  if (at_end_ && now == stamp_) return {};
  const auto log = event_log::open_for_reading(run_.path());
  if (!log && log.error().code == ec::not_found) { // the run has not begun
    at_end_ = true;
    return {};
  }
  if (!log) return log.error();
  const auto last = (*log)->last_seq();
  auto file = file_identity(run_.events());
  if (last < seen_ || (seen_ > 0 && file != file_)) { // another log by its name
    *this = run_tail{run_};
    return extend(events_max);
  }
  file_ = std::move(file);
  const auto until = std::min<std::uint64_t>(last, seen_ + events_max);
  while (seen_ < until) {
    const auto row = (*log)->read(seen_ + 1);
    if (!row) return row.error();
    if (auto ok = add(*row); !ok) return ok.error();
    ++seen_;
  }
  at_end_ = seen_ == last;
  stamp_ = std::move(now);
  return {};
}

result<void> run_tail::add(const event_row& row) {
  if (row.kind == job_result::type_name) {
    const auto made = brief_of<job_result>(row);
    if (!made) return made.error();
    add_result(row, *made);
  } else if (row.kind == spend_record::type_name) {
    const auto spent = brief_of<spend_record>(row);
    if (!spent) return spent.error();
    cost_usd_[row.key] = spent->cost_usd;
  } else if (row.kind == gather_record::type_name) {
    const auto closed = brief_of<gather_record>(row);
    if (!closed) return closed.error();
    add_barrier(row, *closed);
  }
  return {};
}

void run_tail::add_result(const event_row& row, const job_result& made) {
  const auto* played = std::get_if<rollout_result>(&made.output);
  if (!played) return;
  const bool graded = played->outcome == rollout_outcome::graded;
  const job_grade now{static_cast<float>(graded ? played->grade.reward : 0),
                      graded};
  const auto [at, is_new] =
      grades_.try_emplace(std::hash<std::string>{}(row.key));
  const auto before = std::exchange(at->second, now); // tried again, if there
  rollouts_.push_back({row.seq, now.reward - before.reward,
                       static_cast<std::int8_t>(now.graded - before.graded),
                       is_new});
  json about{{"id", row.key},
             {"task", played->task.value},
             {"graded", graded},
             {"reward", played->grade.reward},
             {"event", row.seq}};
  latest_.push_back({row.seq, std::move(about)});
  if (latest_.size() > latest_max) latest_.pop_front();
}

void run_tail::add_barrier(const event_row& row, const gather_record& closed) {
  const auto strategy = search_of(row.key);
  auto& versions = searches_[strategy];
  versions.fold(closed);
  // A search that goes back, after a retry, comes to these barriers again.
  std::erase_if(points_, [&](const point& one) {
    return one.about["strategy"] == strategy
           && one.about["iteration"] >= closed.iteration;
  });
  json about{{"strategy", strategy},
             {"iteration", closed.iteration},
             {"rollouts", grades_.size()},
             {"event", row.seq}};
  if (const auto reward = versions.mean_reward()) about["reward"] = *reward;
  if (const auto spent = cost_usd_.find(row.key); spent != cost_usd_.end())
    about["cost_usd"] = spent->second;
  points_.push_back({row.seq, std::move(about)});
  if (points_.size() > points_max) points_.erase(points_.begin());
}

json run_tail::since(std::uint64_t after) const {
  after = std::min(after, seen_);
  std::size_t count = 0;
  std::int64_t graded = 0;
  double rewards = 0;
  for (auto one =
           std::ranges::upper_bound(rollouts_, after, {}, &rollout::event);
       one != rollouts_.end(); ++one) {
    count += one->is_new;
    graded += one->graded;
    rewards += static_cast<double>(one->reward);
  }
  json out{{"from", after + 1},      {"to", seen_},
           {"rollouts", count},      {"graded", graded},
           {"rewards", rewards},     {"points", json::array()},
           {"latest", json::array()}};
  for (const auto& one : points_)
    if (one.event > after) out["points"].push_back(one.about);
  for (const auto& one : latest_)
    if (one.event > after) out["latest"].push_back(one.about);
  return out;
}

} // namespace brewery::web
