#include "web/export/static_export.hpp"

#include "base/file.hpp"
#include "process/temporary_folder.hpp"
#include "web/document_pages.hpp"
#include "web/export/answer_pages.hpp"
#include "web/export/rollout_answers.hpp"
#include "web/kb_pages.hpp"
#include "web/page_files.hpp"
#include "web/published.hpp"
#include "web/run_pages.hpp"
#include "web/version_page.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <unistd.h>

namespace brewery::web {

namespace {

namespace fs = std::filesystem;

/// Writes the answers about one run. What is written is what the page asks for.
class exporter {
public:
  exporter(run_shelf& shelf, const export_request& wanted, answer_files& files)
      : shelf_(shelf), id_(wanted.run), files_(files),
        screenshots_(shelf, wanted.run, wanted.out) {}

  /// All but what agents did.
  result<void> add_run() {
    auto about = run_json(shelf_, id_);
    if (!about) return about.error();
    if (auto ok = files_.add({{"runs", id_}}, *about); !ok) return ok;
    auto run = shelf_.open(id_);
    if (!run) return run.error();
    run_ = std::make_unique<open_run>(std::move(*run));
    if (auto ok = add_trees(); !ok) return ok;
    if (auto ok = add_documents(); !ok) return ok;
    rollouts_.emplace(shelf_, id_, *run_, files_, screenshots_);
    return rollouts_->read_list();
  }

  /// What the list of rollouts will need; it is written with them.
  [[nodiscard]] std::uint64_t list_bytes() const {
    return rollouts_->list_bytes();
  }

  result<exported_run> add_rollouts(std::uint64_t bytes_max) {
    return rollouts_->add(evidence_, bytes_max);
  }

private:
  /// Every page of a list; `item` sees each item.
  template <class Make>
  result<void>
  add_pages(answer_key from, Make make,
            const std::function<void(const json&)>& item = nullptr) {
    return each_page(
        std::move(from), make,
        [&](const answer_key& key, const json& answer) -> result<void> {
          if (auto ok = files_.add(key, answer); !ok) return ok;
          if (item) each_item(answer, item);
          return {};
        });
  }

  result<void> add_trees() {
    std::vector<std::pair<std::string, std::string>> trees;
    auto ok = add_pages(
        {{"runs", id_, "trees"}},
        [&](const page& asked) { return trees_json(shelf_, id_, asked); },
        [&](const json& tree) {
          trees.emplace_back(tree["strategy"].get<std::string>(),
                             to_text(tree["concept"]));
        });
    for (std::size_t i = 0; ok && i < trees.size(); ++i)
      ok = add_tree(trees[i].first, trees[i].second);
    return ok;
  }

  result<void> add_tree(const std::string& strategy,
                        const std::string& concept_text) {
    std::map<std::int64_t, std::string> texts; // by version
    std::vector<std::pair<std::string, std::string>> changes;
    auto ok = add_pages(
        {{"runs", id_, "trees", strategy, concept_text}},
        [&](const page& asked) {
          return tree_page_json(shelf_, id_, strategy, concept_text, asked);
        },
        [&](const json& node) {
          const auto hash = node["document"].get<std::string>();
          texts[node["id"].get<std::int64_t>()] = hash;
          // A parent is made before its children.
          changes.emplace_back(hash, texts[node["parent"].get<std::int64_t>()]);
        });
    for (std::size_t i = 0; ok && i < changes.size(); ++i)
      ok = add_version(changes[i].first, changes[i].second);
    if (ok) ok = add_version_pages(strategy, concept_text, texts);
    if (!ok) return ok;
    return add_pages(
        {{"runs", id_, "provenance", concept_text}, {{"strategy", strategy}}},
        [&](const page& asked) {
          return provenance_json(run_->where, strategy, concept_text, asked);
        });
  }

  result<void>
  add_version_pages(const std::string& strategy,
                    const std::string& concept_text,
                    const std::map<std::int64_t, std::string>& versions) {
    const auto trees = shelf_.trees(id_);
    if (!trees) return trees.error();
    auto pages = version_pages::of(*run_, **trees, strategy, concept_text);
    if (!pages) return pages.error();
    pages->sum_all();
    for (const auto& [number, hash] : versions) {
      const auto version = std::to_string(number);
      auto ok = add_pages(
          {{"runs", id_, "trees", strategy, concept_text, version}},
          [&](const page& asked) { return pages->page_of(version, asked); });
      if (!ok) return ok;
    }
    return {};
  }

  result<void> add_version(const std::string& hash, const std::string& parent) {
    const auto add = [&](const answer_key& key,
                         const result<json>& made) -> result<void> {
      if (!seen_.insert(key.text()).second) return {};
      if (!made && made.error().code != ec::not_found) return made.error();
      return files_.add(key,
                        made ? *made : json{{"error", made.error().message}});
    };
    if (auto ok =
            add({{"runs", id_, "documents", hash}}, document_json(*run_, hash));
        !ok)
      return ok;
    return add({{"runs", id_, "documents", hash, "diff", parent}},
               diff_json(*run_, hash, parent));
  }

  /// The knowledge base of each search; the first one under two names.
  result<void> add_documents() {
    const auto add = [&](const std::string& strategy) {
      answer_key key{{"runs", id_, "kb"}};
      if (!strategy.empty()) key.query = {{"strategy", strategy}};
      return add_pages(std::move(key), [&](const page& asked) {
        return kb_json(run_->where, {strategy, ""}, asked);
      });
    };
    auto ok = add("");
    const auto published = published_by(run_->where, "");
    const auto first = published ? published->about.strategy : "";
    for (const auto& strategy : publishing_searches(run_->where, first)) {
      if (const auto folder = published_by(run_->where, strategy))
        evidence_.add(folder->about);
      if (ok) ok = add(strategy);
    }
    return ok;
  }

  run_shelf& shelf_;
  std::string id_;
  answer_files& files_;
  exported_screenshots screenshots_;
  std::unique_ptr<open_run> run_;
  std::optional<rollout_answers> rollouts_;
  evidence_rollouts evidence_;
  std::set<std::string> seen_; ///< keys of texts and their differences
};

/// A few hundred kilobytes each.
std::size_t parts_for(const run_directory& run) {
  constexpr std::uintmax_t of_log = std::uintmax_t{64} * 1024;
  constexpr std::uintmax_t most = 2048;
  std::error_code failed;
  const auto bytes = fs::file_size(run.events(), failed);
  return failed ? 1
                : static_cast<std::size_t>(
                    std::clamp<std::uintmax_t>(bytes / of_log, 1, most));
}

result<std::uint64_t> write_page(const fs::path& out) {
  std::uint64_t bytes = 0;
  // index.html comes last: without it nothing opens.
  for (const auto& [file, path] : {std::pair{"app.js", "/app.js"},
                                   {"style.css", "/style.css"},
                                   {"icon.svg", "/icon.svg"},
                                   {"index.html", "/export.html"}}) {
    const auto got = page_file(path);
    if (got.status != 200)
      return error{ec::not_found,
                   "this program has no page in it to export: `make ui build` "
                   "makes one that has (docs/ui.md)"};
    bytes += got.body.size();
    if (auto ok = write_file_atomically(out / file, got.body); !ok)
      return ok.error();
  }
  return bytes;
}

result<exported_run> write_export(run_shelf& shelf,
                                  const export_request& wanted,
                                  const run_directory& run) {
  constexpr std::uint64_t about_bytes = 1024; // of data/about.js, at most
  const auto data = wanted.out / "data";
  if (auto ok = make_directories(data); !ok) return ok.error();
  answer_files files{data, parts_for(run)};
  exporter writer{shelf, wanted, files};
  if (auto ok = writer.add_run(); !ok) return ok.error();
  const auto least = files.bytes() + writer.list_bytes() + about_bytes;
  if (least > wanted.bytes_max)
    return error{ec::invalid_argument,
                 fmt::format("the run without its rollouts has {} MB, and "
                             "--max-mb allows {}",
                             least / 1'000'000 + 1,
                             wanted.bytes_max / 1'000'000)};
  auto out = writer.add_rollouts(wanted.bytes_max - about_bytes);
  if (!out) return out.error();
  if (auto ok = files.end(); !ok) return ok.error();
  const json about{{"run", wanted.run},
                   {"parts", files.parts()},
                   {"rollouts", out->rollouts},
                   {"with_steps", out->with_steps},
                   {"made", fmt::format("{:%Y-%m-%d %H:%M}",
                                        fmt::gmtime(std::time(nullptr)))},
                   {"version", BREWERY_VERSION}};
  const auto text =
      fmt::format("globalThis.brewery_export = {};\n", to_text(about));
  if (auto ok = write_file_atomically(data / "about.js", text); !ok)
    return ok.error();
  const auto page = write_page(wanted.out);
  if (!page) return page.error();
  out->bytes += *page + text.size() + files.bytes();
  return out;
}

} // namespace

result<exported_run> export_run(run_shelf& shelf,
                                const export_request& wanted) {
  const auto run = shelf.find(wanted.run);
  if (!run) return run.error();
  std::error_code none;
  auto target = fs::absolute(wanted.out, none).lexically_normal();
  if (!target.has_filename()) target = target.parent_path(); // trailing '/'
  const error taken{ec::already_exists,
                    fmt::format("{} exists already: choose another --out",
                                wanted.out.string())};
  if (fs::exists(fs::symlink_status(target, none))) return taken;
  // Under its name only when it is whole: Ctrl-C ends the program.
  const auto folder = temporary_folder::make_in(target.parent_path(),
                                                "." + target.filename().string()
                                                    + ".brewery-export-");
  if (!folder) return folder.error();
  auto unfinished = wanted;
  unfinished.out = folder->path();
  auto out = write_export(shelf, unfinished, *run);
  // Fails if it exists, also if it came to exist meanwhile. An empty folder is
  // replaced by a rename, whose modes are those of any new one.
  if (out && !fs::create_directory(target, none)) out = taken;
  if (out) {
    fs::permissions(unfinished.out, fs::status(target, none).permissions(),
                    none);
    if (std::rename(unfinished.out.c_str(), target.c_str()) != 0) {
      out = file_error("rename", unfinished.out);
      ::rmdir(target.c_str());
    }
  }
  return out;
}

} // namespace brewery::web
