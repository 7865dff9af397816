#include "run/live/time_left.hpp"

#include <algorithm>

namespace brewery {

namespace {

/// The rate is that of this many last seconds.
constexpr double rate_seconds = 10;

/// Less of an iteration says too little about the next ones.
constexpr double iterations_least = 0.5;
/// Evaluations before their own pace counts instead of that of all rollouts.
constexpr double evaluations_least = 20;
/// Rollouts before their pace says anything: while the log of an earlier
/// session is read, a few are played, and that time is none of theirs.
constexpr double rollouts_least = 20;
/// So does that of fewer which took this long: no log is read for a minute.
constexpr double seconds_least = 60;

} // namespace

time_left::moment time_left::moment_of(const progress_view& view, double now) {
  moment out;
  out.at = now;
  out.evaluating = view.phase.starts_with("evaluating");
  out.evaluations_left = view.evaluations_left;
  out.rollouts = view.rollouts_run;
  for (const auto& one : view.searches) {
    out.iterations_done += one.iterations_done();
    out.iterations_left += one.iterations - one.iterations_done();
    out.expanding |= one.phase == "expanding" && one.iteration > 0;
    out.searched &= one.phase == "finished";
  }
  return out;
}

void time_left::measure(const moment& now) {
  const double spent = now.at - last_->at;
  if (last_->expanding)
    iterations_.add(spent, now.iterations_done - last_->iterations_done);
  if (last_->evaluating)
    evaluations_.add(spent, static_cast<double>(last_->evaluations_left)
                                - static_cast<double>(now.evaluations_left));
  rollouts_.add(spent, static_cast<double>(now.rollouts)
                           - static_cast<double>(last_->rollouts));
}

std::optional<double> time_left::estimate(const moment& now) const {
  // The first rollouts and documents come before anything that repeats.
  const bool begun = now.expanding || now.searched;
  if (iterations_.units < iterations_least
      && (now.iterations_left > 0 || !begun))
    return std::nullopt;
  const bool own_pace = evaluations_.units >= evaluations_least;
  const bool known_pace =
      rollouts_.units >= rollouts_least
      || (rollouts_.units > 0 && rollouts_.seconds >= seconds_least);
  if (now.evaluations_left > 0 && !own_pace && !known_pace) return std::nullopt;
  const double each = own_pace ? evaluations_.each() : rollouts_.each();
  return now.iterations_left * iterations_.each()
         + static_cast<double>(now.evaluations_left) * each;
}

void time_left::observe(const progress_view& view, double now) {
  auto current = moment_of(view, now);
  // Until the first rollout runs, a resumed run only reads its log.
  if (last_ && current.rollouts > 0) {
    measure(current);
    left_ = estimate(current);
  }
  recent_.push_back(current);
  while (recent_.size() > 2 && recent_[1].at <= now - rate_seconds)
    recent_.pop_front();
  last_ = current;
}

double time_left::rate() const {
  if (recent_.size() < 2) return 0;
  const auto& first = recent_.front();
  const auto& last = recent_.back();
  const double spent = last.at - first.at;
  return spent > 0 ? static_cast<double>(last.rollouts - first.rollouts) / spent
                   : 0;
}

} // namespace brewery
