#include "web/kb_pages.hpp"

#include "base/text.hpp"
#include "kb/bm25.hpp"
#include "kb/tokenizer.hpp"
#include "report/arm_rollouts.hpp"
#include "web/published.hpp"

#include <fmt/format.h>

#include <set>

namespace brewery::web {

namespace {

/// Of a document, as the place where it can be read.
json entry_json(const kb_folder& folder, std::size_t index) {
  const auto& entry = folder.kb.entries()[index];
  json out{{"concept", entry.concept_ref.value},
           {"title", shortened(entry.title)},
           {"hash", entry.doc->hash.value},
           {"bytes", entry.doc->body.size()}};
  if (const auto* about = folder.about.find(entry.concept_ref)) {
    out["iteration"] = about->iteration;
    out["reward"] = about->reward;
    out["correctness"] = about->correctness;
    out["rollouts"] = about->evaluated;
    out["insights"] = about->evidence_count();
  }
  return out;
}

std::set<std::string> terms_of(std::string_view text) {
  const auto terms = tokenize(text);
  return {terms.begin(), terms.end()};
}

/// The first few lines of a document that have terms of the query.
json lines_with(const std::string& body, const std::set<std::string>& terms) {
  constexpr std::size_t lines_max = 3;
  auto out = json::array();
  std::size_t number = 0;
  for (const auto line : split(body, '\n')) {
    ++number;
    bool has = false;
    for (const auto& term : terms_of(line))
      has = has || terms.contains(term);
    if (has) out.push_back({{"line", number}, {"text", shortened(line)}});
    if (out.size() == lines_max) break;
  }
  return out;
}

} // namespace

result<json> kb_json(const run_directory& run, const kb_request& wanted,
                     const page& asked) {
  if (wanted.query.size() > query_bytes_max)
    return error{ec::invalid_argument,
                 fmt::format("the query has {} bytes; {} are the most",
                             wanted.query.size(), query_bytes_max)};
  const auto folder = published_by(run, wanted.strategy);
  if (!folder) return folder.error();
  const auto options = options_of(run);
  if (!options) return options.error();
  const auto learned = options->search.learned();
  const auto first = wanted.strategy.empty() || learned.empty()
                         ? folder->about.strategy
                         : learned.front();
  json out{{"strategy", folder->about.strategy},
           {"strategies", publishing_searches(run, first)},
           {"documents", folder->kb.size()},
           {"kind", options->retrieval.kind},
           {"learner", options->search.learner},
           {"warnings", folder->warnings}};
  if (trim(wanted.query).empty()) {
    add_page(out, asked, folder->kb.size(),
             [&](std::size_t i) { return entry_json(*folder, i); });
    return out;
  }
  out["query"] = wanted.query;
  const auto index = make_bm25(folder->kb, options->retrieval.bm25);
  const auto found = index->search(wanted.query, folder->kb.size());
  const auto terms = terms_of(wanted.query);
  add_page(out, asked, found.size(), [&](std::size_t i) {
    auto hit = entry_json(*folder, found[i].index);
    hit["rank"] = i + 1;
    hit["score"] = found[i].score;
    hit["lines"] =
        lines_with(folder->kb.entries()[found[i].index].doc->body, terms);
    return hit;
  });
  return out;
}

} // namespace brewery::web
