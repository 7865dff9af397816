#include "web/document_pages.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "kb/diff.hpp"
#include "messages/wire/codec.hpp"
#include "report/log_rows.hpp"
#include "report/provenance.hpp"
#include "report/tree_json.hpp"
#include "web/find_tree.hpp"
#include "web/published.hpp"

namespace brewery::web {

namespace {

result<concept_id> concept_of(const std::string& text) {
  if (const auto number = whole_number<std::uint32_t>(text))
    return concept_id{*number};
  return error{ec::invalid_argument, "a concept is named by its number"};
}

/// What is said of a tree in any list.
json head_of(const search_tree& tree) {
  json out{{"strategy", tree.strategy},
           {"concept", tree.about.id.value},
           {"title", shortened(tree.about.title)},
           {"iteration", tree.iteration},
           {"whole", is_whole(tree)},
           {"versions", tree.nodes.size()},
           {"dropped", tree.dropped},
           {"train_tasks", tree.about.train_tasks.size()},
           {"eval_tasks", tree.about.eval_tasks.size()}};
  const auto best = best_of(tree);
  for (const auto& item : tree.nodes)
    if (item.id.value == best) out["best"] = version_json(tree, item);
  return out;
}

json node_json(const search_tree& tree, const node_record& item) {
  auto out = version_json(tree, item);
  out["best"] = item.id.value == best_of(tree);
  out["published"] = was_published(tree, item.id) && !is_empty(item);
  out["refused"] = is_refused(item);
  return out;
}

/// Keeps the first items that fit, and at least `least` of them.
void keep_first(json& list, std::size_t bytes_max, std::size_t least) {
  std::size_t bytes = 0;
  std::size_t kept = 0;
  for (const auto& one : list) {
    bytes += to_text(one).size();
    if (kept >= least && bytes > bytes_max) break;
    ++kept;
  }
  list.erase(list.begin() + static_cast<json::difference_type>(kept),
             list.end());
}

/// A line keeps its text, whatever it rests on: of insights and rollouts that
/// no page would hold, the first ones are shown and all are counted.
json line_json(json line) {
  constexpr std::size_t insights_bytes = std::size_t{256} * 1024;
  constexpr std::size_t rollouts_bytes = std::size_t{64} * 1024;
  line["text"] = shortened(line["text"].get<std::string>());
  const auto insights = line.find("insights");
  if (insights == line.end()) return line;
  const auto total = insights->size();
  for (auto& one : *insights) {
    one["sentence"] = shortened(one["sentence"].get<std::string>());
    keep_first(one["rollouts"], rollouts_bytes, 0);
  }
  keep_first(*insights, insights_bytes, 1);
  if (insights->size() < total) line["insights_total"] = total;
  return line;
}

result<std::string> text_of(const open_run& run, const std::string& hash) {
  // A search may begin from nothing, which nobody wrote.
  if (hash == content_hash("")) return std::string{};
  const auto event = run.index->event_of_text(doc_hash{hash});
  if (!event) return error{ec::not_found, "the run's log has no such document"};
  const auto row = run.log->read(*event);
  if (!row) return row.error();
  auto made = wire::decode<job_result>(row->payload);
  if (!made) return made.error();
  auto* written = std::get_if<integrate_result>(&made->output);
  if (written == nullptr || content_hash(written->body) != hash)
    return replaced(*row);
  return std::move(written->body);
}

} // namespace

result<json> trees_json(run_shelf& shelf, const std::string& id,
                        const page& asked) {
  const auto trees = shelf.trees(id);
  if (!trees) return trees.error();
  const auto& all = **trees;
  auto out = json::object();
  add_page(out, asked, all.size(),
           [&](std::size_t i) { return head_of(all[i]); });
  return out;
}

result<json> tree_page_json(run_shelf& shelf, const std::string& id,
                            const std::string& strategy,
                            const std::string& concept_text,
                            const page& asked) {
  const auto number = concept_of(concept_text);
  if (!number) return number.error();
  const auto trees = shelf.trees(id);
  if (!trees) return trees.error();
  const auto found = find_tree(**trees, strategy, *number);
  if (!found) return found.error();
  const auto& tree = **found;
  auto out = head_of(tree);
  add_page(out, asked, tree.nodes.size(),
           [&](std::size_t i) { return node_json(tree, tree.nodes[i]); });
  return out;
}

result<json> document_json(const open_run& run, const std::string& hash) {
  const auto text = text_of(run, hash);
  if (!text) return text.error();
  json out{{"hash", hash}, {"bytes", text->size()}, {"text", shortened(*text)}};
  if (const auto* place = run.index->place_of(doc_hash{hash})) {
    out["strategy"] = place->strategy;
    out["concept"] = place->concept_ref.value;
    out["title"] = run.index->title_of(*place);
  }
  return out;
}

result<json> diff_json(const open_run& run, const std::string& after,
                       const std::string& before) {
  const auto newer = text_of(run, after);
  if (!newer) return newer.error();
  const auto older = text_of(run, before);
  if (!older) return older.error();
  constexpr std::size_t shown = 8; // of a hash
  return json{
      {"hash", after},
      {"from", before},
      {"diff", shortened(unified_diff(*older, *newer, before.substr(0, shown),
                                      after.substr(0, shown)))}};
}

result<json> provenance_json(const run_directory& run,
                             const std::string& strategy,
                             const std::string& concept_text,
                             const page& asked) {
  const auto id = concept_of(concept_text);
  if (!id) return id.error();
  const auto folder = published_by(run, strategy);
  if (!folder) return folder.error();
  const auto* entry = folder->kb.find(*id);
  if (!entry)
    return error{ec::not_found, "no document of this concept is published"};
  const auto lines = lines_json(entry->doc->body, folder->about.find(*id),
                                folder->about.grades);
  json out{{"strategy", folder->about.strategy},
           {"concept", id->value},
           {"title", shortened(entry->title)},
           {"hash", entry->doc->hash.value}};
  add_page(out, asked, lines.size(),
           [&](std::size_t i) { return line_json(lines[i]); });
  return out;
}

} // namespace brewery::web
