#include "report/tree_reader.hpp"

#include "messages/job_msgs.hpp"
#include "report/log_rows.hpp"

#include <algorithm>

namespace brewery {

namespace {

/// A version is made after the one that it changes; the root is its own parent.
/// So what walks a tree comes to an end.
result<void> can_stand(const tree_record& change) {
  for (const auto& item : change.nodes)
    if (item.parent >= item.id
        && (item.id.value != 0 || item.parent != item.id))
      return error{ec::corrupt,
                   fmt::format("version {} is below version {}, which is not "
                               "older",
                               item.id.value, item.parent.value)};
  return {};
}

result<void> can_stand(const auto&) {
  return {};
}

} // namespace

result<void> tree_reader::extend(const event_log& log) {
  return read_standing(
      history_, log,
      [this] {
        trees_.clear();
        order_.clear();
        changed_ = true;
      },
      [this](const event_row& row) { return add(row); },
      [](const event_row&) {}, log_history::results);
}

result<void> tree_reader::add(const event_row& row) {
  if (row.kind == concept_record::type_name) return read<concept_record>(row);
  if (row.kind == tree_record::type_name) return read<tree_record>(row);
  if (row.kind == gather_record::type_name) return read<gather_record>(row);
  return {};
}

const std::vector<search_tree>& tree_reader::trees() {
  if (!changed_) return finished_;
  finished_.clear();
  for (const auto& strategy : order_)
    for (const auto& [id, tree] : trees_[strategy])
      finished_.push_back(finished(tree));
  changed_ = false;
  return finished_;
}

template <class Record>
result<void> tree_reader::read(const event_row& row) {
  auto record = wire::decode<Record>(row.payload);
  const auto ok = record ? can_stand(*record) : result<void>{record.error()};
  if (!ok)
    return error{ec::corrupt, fmt::format("the log's {} {}: {}", row.kind,
                                          row.key, ok.error().message)};
  take(search_of(row.key), std::move(*record));
  changed_ = true;
  return {};
}

tree_reader::open_tree& tree_reader::tree(const std::string& strategy,
                                          concept_id id) {
  if (std::ranges::find(order_, strategy) == order_.end())
    order_.push_back(strategy);
  auto& out = trees_[strategy][id];
  out.about.strategy = strategy;
  out.about.about.id = id;
  return out;
}

void tree_reader::take(const std::string& strategy, concept_record about) {
  const auto id = about.id;
  tree(strategy, id).about.about = std::move(about);
}

void tree_reader::take(const std::string& strategy, tree_record change) {
  tree(strategy, change.concept_ref).changes[change.iteration] =
      std::move(change.nodes);
}

void tree_reader::take(const std::string& strategy,
                       const gather_record& closed) {
  for (const auto* reports : {&closed.reports, &closed.folded})
    for (const auto& report : *reports)
      tree(strategy, report.concept_ref).reports[report.iteration] = report;
}

search_tree tree_reader::finished(const open_tree& tree) {
  auto out = tree.about;
  std::map<node_id, const node_record*> nodes;
  for (const auto& [iteration, changed] : tree.changes) {
    out.iteration = iteration;
    for (const auto& item : changed)
      nodes.insert_or_assign(item.id, &item);
  }
  for (const auto& [id, item] : nodes)
    out.nodes.push_back(*item);
  for (const auto& [iteration, report] : tree.reports) {
    out.published.push_back(report.best.id);
    out.dropped += report.dropped;
  }
  return out;
}

} // namespace brewery
