#include "report/search_trees.hpp"

#include "coordinator/recorded.hpp"
#include "messages/job_msgs.hpp"
#include "messages/wire/codec.hpp"
#include "store/event_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace brewery {

namespace {

/// What a key "mcts/..." begins with.
std::string strategy_of(const std::string& key) {
  return key.substr(0, key.find('/'));
}

class tree_reader {
public:
  result<void> add(const event_row& row) {
    if (row.kind == concept_record::type_name) return read<concept_record>(row);
    if (row.kind == tree_record::type_name) return read<tree_record>(row);
    if (row.kind == gather_record::type_name) return read<gather_record>(row);
    return {};
  }

  std::vector<search_tree> take() {
    std::vector<search_tree> out;
    for (const auto& strategy : order_)
      for (auto& [id, tree] : trees_[strategy])
        out.push_back(finished(std::move(tree)));
    return out;
  }

private:
  /// What is known of a tree by iteration: a search that is executed again may
  /// put earlier iterations on record after later ones.
  struct open_tree {
    search_tree about;
    std::map<std::uint32_t, std::vector<node_record>> changes;
    std::map<std::uint32_t, expand_report> reports;
  };

  template <class Record>
  result<void> read(const event_row& row) {
    auto record = wire::decode<Record>(row.payload);
    if (!record)
      return error{ec::corrupt, fmt::format("the log's {} {}: {}", row.kind,
                                            row.key, record.error().message)};
    take(strategy_of(row.key), std::move(*record));
    return {};
  }

  open_tree& tree(const std::string& strategy, concept_id id) {
    if (std::ranges::find(order_, strategy) == order_.end())
      order_.push_back(strategy);
    auto& out = trees_[strategy][id];
    out.about.strategy = strategy;
    out.about.about.id = id;
    return out;
  }
  void take(const std::string& strategy, concept_record about) {
    const auto id = about.id;
    tree(strategy, id).about.about = std::move(about);
  }
  void take(const std::string& strategy, tree_record change) {
    tree(strategy, change.concept_ref).changes[change.iteration] =
        std::move(change.nodes);
  }
  void take(const std::string& strategy, const gather_record& closed) {
    for (const auto* reports : {&closed.reports, &closed.folded})
      for (const auto& report : *reports)
        tree(strategy, report.concept_ref).reports[report.iteration] = report;
  }

  static search_tree finished(open_tree tree) {
    auto out = std::move(tree.about);
    std::map<node_id, node_record> nodes;
    for (auto& [iteration, changed] : tree.changes) {
      out.iteration = iteration;
      for (auto& item : changed)
        nodes.insert_or_assign(item.id, std::move(item));
    }
    for (auto& [id, item] : nodes)
      out.nodes.push_back(std::move(item));
    for (const auto& [iteration, report] : tree.reports) {
      out.published.push_back(report.best.id);
      out.dropped += report.dropped;
    }
    return out;
  }

  std::vector<std::string> order_;
  std::map<std::string, std::map<concept_id, open_tree>> trees_;
};

} // namespace

result<std::vector<search_tree>>
search_trees(const std::filesystem::path& run) {
  const auto log = event_log::open_for_reading(run);
  if (!log) return log.error();
  tree_reader reader;
  const auto visit = [&](const event_row& row) { return reader.add(row); };
  if (auto ok = (*log)->for_each(visit, job_result::type_name); !ok)
    return ok.error();
  return reader.take();
}

bool is_whole(const search_tree& tree) {
  // Ids are given in order of making.
  std::uint32_t expected = 0;
  for (const auto& item : tree.nodes)
    if (item.id.value != expected++) return false;
  return !tree.nodes.empty();
}

} // namespace brewery
