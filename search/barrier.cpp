#include "search/barrier.hpp"

#include <algorithm>
#include <cmath>

namespace brewery {

namespace {

/// Makes 0.1 * 30, which is slightly more than 3, round up to 3.
constexpr double rounding = 1e-9;

} // namespace

std::size_t quorum_of(double share, std::size_t trees) {
  if (trees == 0) return 0;
  const auto exact = share * static_cast<double>(trees) - rounding;
  if (!(exact > 1)) return 1;
  return std::min(trees, static_cast<std::size_t>(std::ceil(exact)));
}

gather_barrier::gather_barrier(std::vector<doc_ref> roots, double share,
                               std::uint32_t last,
                               const std::vector<gather_record>& recorded)
    : current_(std::move(roots)), share_(share), last_(last) {
  for (const auto& record : recorded)
    follow(record);
}

void gather_barrier::follow(const gather_record& recorded) {
  const std::set<concept_id> late(recorded.late.begin(), recorded.late.end());
  const auto trees =
      std::count_if(current_.begin(), current_.end(), [&](const auto& ref) {
        return late.contains(ref.concept_ref);
      });
  const auto needed = recorded.iteration >= last_
                          ? current_.size()
                          : quorum_of(share_, current_.size());
  if (static_cast<std::size_t>(trees) != late.size()
      || late.size() + needed > current_.size())
    return;
  recorded_.insert_or_assign(recorded.iteration, late);
}

void gather_barrier::continue_after(std::uint32_t iteration) {
  over_ = iteration >= last_;
  iteration_ = over_ ? last_ : iteration + 1;
}

bool gather_barrier::take(const expand_report& report) {
  const auto tree = report.concept_ref;
  const bool known =
      std::any_of(current_.begin(), current_.end(),
                  [&](const auto& ref) { return ref.concept_ref == tree; });
  if (over_ || !known) return false;
  if (report.iteration == iteration_)
    return !behind_.contains(tree) && reports_.emplace(tree, report).second;
  if (report.iteration + 1 != iteration_ || behind_.erase(tree) == 0)
    return false;
  folded_.emplace(tree, report);
  return true;
}

std::size_t gather_barrier::needed() const {
  return iteration_ == last_ ? current_.size()
                             : quorum_of(share_, current_.size());
}

std::size_t gather_barrier::waiting_for() const {
  if (over_) return 0;
  if (const auto it = recorded_.find(iteration_); it != recorded_.end()) {
    auto missing = behind_.size();
    for (const auto& ref : current_)
      if (!it->second.contains(ref.concept_ref)
          && !reports_.contains(ref.concept_ref))
        ++missing;
    return missing;
  }
  const auto missing =
      needed() > reports_.size() ? needed() - reports_.size() : 0;
  return behind_.size() + missing;
}

std::set<concept_id> gather_barrier::missing() const {
  std::set<concept_id> out;
  for (const auto& ref : current_)
    if (!reports_.contains(ref.concept_ref)) out.insert(ref.concept_ref);
  return out;
}

std::set<concept_id> gather_barrier::late_now() const {
  const auto it = recorded_.find(iteration_);
  return it != recorded_.end() ? it->second : missing();
}

void gather_barrier::fold(const reports& folded) {
  for (auto& ref : current_)
    if (const auto it = folded.find(ref.concept_ref); it != folded.end())
      ref.hash = it->second.best.hash;
}

std::optional<gather_record> gather_barrier::close() {
  if (over_ || waiting_for() > 0) return std::nullopt;
  const auto late = late_now();
  reports held_back;
  for (const auto tree : late)
    if (auto early = reports_.extract(tree)) held_back.insert(std::move(early));
  fold(folded_);
  fold(reports_);
  gather_record record;
  record.iteration = iteration_;
  record.current = current_;
  for (const auto& [tree, report] : reports_)
    record.reports.push_back(report);
  for (const auto& [tree, report] : folded_)
    record.folded.push_back(report);
  record.late.assign(late.begin(), late.end());
  behind_.clear();
  for (const auto tree : late)
    if (!held_back.contains(tree)) behind_.insert(tree);
  folded_ = std::move(held_back);
  reports_.clear();
  over_ = iteration_ == last_;
  if (!over_) ++iteration_;
  return record;
}

void gathered_versions::fold(const gather_record& closed) {
  if (closed.iteration == 0) best_.clear();
  for (const auto* part : {&closed.folded, &closed.reports})
    for (const auto& report : *part)
      best_.insert_or_assign(report.concept_ref, report.best);
}

std::optional<double> gathered_versions::mean(double node_record::*of) const {
  double sum = 0;
  std::size_t scored = 0;
  for (const auto& [tree, version] : best_) {
    if (version.evaluated == 0) continue;
    sum += version.*of;
    ++scored;
  }
  if (scored == 0) return std::nullopt;
  return sum / static_cast<double>(scored);
}

std::optional<double> gathered_versions::mean_reward() const {
  return mean(&node_record::reward);
}

std::optional<double> gathered_versions::mean_correctness() const {
  return mean(&node_record::correctness);
}

std::size_t count_late(const std::vector<gather_record>& closed) {
  std::size_t late = 0;
  for (const auto& record : closed)
    late += record.late.size();
  return late;
}

} // namespace brewery
