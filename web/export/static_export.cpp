#include "web/export/static_export.hpp"

#include "base/file.hpp"
#include "process/temporary_folder.hpp"
#include "web/document_pages.hpp"
#include "web/export/answer_files.hpp"
#include "web/export/exported_screenshots.hpp"
#include "web/kb_pages.hpp"
#include "web/page_files.hpp"
#include "web/published.hpp"
#include "web/rollout_pages.hpp"
#include "web/run_pages.hpp"
#include "web/screenshot_answer.hpp"
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
    return add_rollout_lists();
  }

  /// With what their agents saw, until there is no room for the next one.
  result<exported_run> add_rollouts(std::uint64_t bytes_max) {
    exported_run out;
    out.rollouts = jobs_.size();
    std::ranges::stable_sort(
        jobs_, [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    for (const auto& job : jobs_) {
      const auto used = files_.bytes() + screenshots_.bytes();
      if (used >= bytes_max) break;
      const auto made = rollout_within(bytes_max - used, job.id);
      if (!made) return made.error();
      if (!*made) break;
      if (auto ok = add(**made); !ok) return ok.error();
      ++out.with_steps;
    }
    out.bytes = screenshots_.bytes();
    return out;
  }

private:
  struct listed_job {
    std::string id;
    bool of_an_arm = false;
  };

  struct whole_rollout {
    std::vector<std::pair<answer_key, json>> answers{};
    std::set<std::string> screenshots{};
  };

  [[nodiscard]] int rank(const listed_job& job) const {
    if (evidence_.contains(job.id)) return 0;
    return job.of_an_arm ? 1 : 2;
  }

  /// Empty: it needs more bytes.
  result<std::optional<whole_rollout>> rollout_within(std::uint64_t room,
                                                      const std::string& job) {
    constexpr std::uint64_t around = 64; // the call that has the answer
    whole_rollout out;
    std::uint64_t bytes = 0;
    const auto look = [&](const json& step) {
      const auto it = step.find("screenshot");
      if (it == step.end() || bytes > room) return;
      const auto hash = it->get<std::string>();
      if (!out.screenshots.insert(hash).second || shown_.contains(hash)) return;
      if (const auto image = read_screenshot(shelf_, id_, hash))
        bytes += image->size();
    };
    const auto ok = each_page(
        {{"runs", id_, "rollouts", job}},
        [&](const page& asked) { return rollout_page_json(*run_, job, asked); },
        [&](const answer_key& key, const json& answer) -> result<void> {
          bytes += to_text(key.text()).size() + to_text(to_text(answer)).size()
                   + around;
          if (bytes <= room) out.answers.emplace_back(key, answer);
          each_item(answer, look);
          return {};
        });
    if (!ok) return ok.error();
    if (bytes > room) return std::optional<whole_rollout>{};
    return std::optional{std::move(out)};
  }

  result<void> add(const whole_rollout& one) {
    for (const auto& [key, answer] : one.answers)
      if (auto ok = files_.add(key, answer); !ok) return ok;
    for (const auto& hash : one.screenshots) {
      if (auto ok = screenshots_.add(hash); !ok) return ok;
      shown_.insert(hash);
    }
    return {};
  }

  template <class Item>
  static void each_item(const json& answer, const Item& item) {
    const auto items = answer.find("items");
    if (items == answer.end()) return;
    for (const auto& one : *items)
      item(one);
  }

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

  /// `take` gets every page of a list. One that is not there is the error that
  /// the server would answer.
  template <class Make, class Take>
  result<void> each_page(answer_key key, Make make, Take take) {
    for (;;) {
      const result<json> made =
          make(page{.offset = key.offset, .limit = page_items_max});
      if (!made && made.error().code != ec::not_found) return made.error();
      const auto answer = made ? *made : json{{"error", made.error().message}};
      if (auto ok = take(key, answer); !ok) return ok;
      if (!made) return {};
      const auto& items = answer["items"];
      key.offset += items.size();
      if (items.empty() || key.offset >= answer["total"].get<std::size_t>())
        return {};
    }
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
        },
        [&](const json& line) { note_evidence(line); });
  }

  result<void>
  add_version_pages(const std::string& strategy,
                    const std::string& concept_text,
                    const std::map<std::int64_t, std::string>& versions) {
    const auto trees = shelf_.trees(id_);
    if (!trees) return trees.error();
    const auto pages =
        version_pages::of(*run_, **trees, strategy, concept_text);
    if (!pages) return pages.error();
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

  void note_evidence(const json& line) {
    if (!line.contains("insights")) return;
    for (const auto& insight : line["insights"])
      for (const auto& rollout : insight["rollouts"])
        evidence_.insert(rollout["job"].get<std::string>());
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
    for (const auto& strategy : publishing_searches(run_->where))
      if (ok) ok = add(strategy);
    return ok;
  }

  result<void> add_rollout_lists() {
    return add_pages(
        {{"runs", id_, "rollouts"}},
        [&](const page& asked) -> result<json> {
          return rollouts_json(*run_, {}, asked);
        },
        [&](const json& one) {
          jobs_.push_back({one["id"].get<std::string>(), !one["arms"].empty()});
        });
  }

  run_shelf& shelf_;
  std::string id_;
  answer_files& files_;
  exported_screenshots screenshots_;
  std::unique_ptr<open_run> run_;
  std::set<std::string> seen_, evidence_, shown_; ///< shown: screenshots
  std::vector<listed_job> jobs_;
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
  if (files.bytes() + about_bytes > wanted.bytes_max)
    return error{ec::invalid_argument,
                 fmt::format("the run without its rollouts has {} MB, and "
                             "--max-mb allows {}",
                             (files.bytes() + about_bytes) / 1'000'000 + 1,
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
