#include "web/api.hpp"

#include "web/compare_pages.hpp"
#include "web/document_pages.hpp"
#include "web/kb_pages.hpp"
#include "web/rollout_pages.hpp"
#include "web/run_pages.hpp"
#include "web/sweep_pages.hpp"
#include "web/version_page.hpp"

#include <fmt/format.h>

#include <charconv>

namespace brewery::web {

namespace {

constexpr const char* json_type = "application/json";

http_response failed(const error& problem) {
  unsigned status = 500;
  if (problem.code == ec::exhausted) status = 503;
  if (problem.code == ec::not_found) status = 404;
  if (problem.code == ec::invalid_argument) status = 400;
  return {status, json_type, to_text({{"error", problem.message}}) + '\n'};
}

using strings = std::vector<std::string>;

error no_such_address() {
  return {ec::not_found, "no such address; docs/ui.md lists them"};
}

/// Empty if it is not given.
std::string value_of(const query_values& query, const char* name) {
  const auto found = query.find(name);
  return found == query.end() ? std::string{} : found->second;
}

result<void> check_text(const std::string& text) {
  if (text.size() <= query_bytes_max) return {};
  return error{ec::invalid_argument,
               fmt::format("the text has {} bytes; {} are the most",
                           text.size(), query_bytes_max)};
}

/// Of `seconds`, which may have parts.
result<double> seconds_of(const std::string& text) {
  constexpr double seconds_max = 1e9;
  double out = 0;
  if (text.empty()) return out;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, out);
  if (parsed.ec == std::errc{} && parsed.ptr == end && out >= 0
      && out <= seconds_max) // no NaN
    return out;
  return error{ec::invalid_argument,
               "seconds must be a number from 0 to 1000000000"};
}

result<json> rollouts_of(const open_run& run, const query_values& query,
                         const page& asked) {
  const auto seconds = seconds_of(value_of(query, "seconds"));
  if (!seconds) return seconds.error();
  const rollout_filter wanted{value_of(query, "task"), value_of(query, "arm"),
                              value_of(query, "grade"), *seconds,
                              value_of(query, "text")};
  if (auto ok = check_text(wanted.text); !ok) return ok.error();
  const auto& grade = wanted.grade;
  if (!grade.empty() && grade != "full" && grade != "less" && grade != "none")
    return error{ec::invalid_argument, "grade must be full, less or none"};
  return rollouts_json(run, wanted, asked);
}

result<json> rollout_of(const open_run& run, const std::string& id,
                        const query_values& query, const page& asked) {
  constexpr std::size_t steps_max = 1'000'000'000;
  const auto step = number_of(query, "step", 0, 1, steps_max);
  if (!step) return step.error();
  done_filter wanted{*step == 0 ? std::nullopt : std::optional{*step},
                     value_of(query, "text"), value_of(query, "failed") == "1"};
  if (query.contains("failed") && !wanted.failed)
    return error{ec::invalid_argument, "failed must be 1, or left out"};
  if (auto ok = check_text(wanted.text); !ok) return ok.error();
  return rollout_page_json(run, id, asked, wanted);
}

/// Below /api/runs/ID: `parts` is what follows.
result<json> answer_of_open(run_shelf& shelf, const std::string& id,
                            const strings& parts, const query_values& query,
                            const page& asked) {
  const auto run = shelf.open(id);
  if (!run) return run.error();
  if (parts[0] == "rollouts" && parts.size() == 1)
    return rollouts_of(*run, query, asked);
  if (parts[0] == "rollouts" && parts.size() == 2)
    return rollout_of(*run, parts[1], query, asked);
  if (parts[0] == "documents" && parts.size() == 2)
    return document_json(*run, parts[1]);
  if (parts[0] == "documents" && parts.size() == 4 && parts[2] == "diff")
    return diff_json(*run, parts[1], parts[3]);
  if (parts[0] == "trees" && parts.size() == 4) {
    const auto trees = shelf.trees(id);
    if (!trees) return trees.error();
    const auto pages = version_pages::of(*run, **trees, parts[1], parts[2]);
    if (!pages) return pages.error();
    return pages->page_of(parts[3], asked);
  }
  return no_such_address();
}

result<json> answer_of_run(run_shelf& shelf, const std::string& id,
                           const strings& parts, const query_values& query,
                           const page& asked) {
  if (parts.empty()) return run_json(shelf, id);
  const bool of_version = parts[0] == "trees" && parts.size() == 4;
  if (parts[0] == "rollouts" || parts[0] == "documents" || of_version)
    return answer_of_open(shelf, id, parts, query, asked);
  if (parts[0] == "trees" && parts.size() == 1)
    return trees_json(shelf, id, asked);
  if (parts[0] == "trees" && parts.size() == 3)
    return tree_page_json(shelf, id, parts[1], parts[2], asked);
  const auto run = shelf.find(id);
  if (!run) return run.error();
  if (parts[0] == "provenance" && parts.size() == 2)
    return provenance_json(*run, value_of(query, "strategy"), parts[1], asked);
  if (parts[0] == "kb" && parts.size() == 1)
    return kb_json(
        *run, {value_of(query, "strategy"), value_of(query, "query")}, asked);
  return no_such_address();
}

/// Below /api/sweeps.
result<json> answer_of_sweeps(run_shelf& shelf, const strings& parts,
                              const page& asked) {
  if (parts.empty()) return sweeps_json(shelf, asked);
  const auto what = parts.size() == 2 ? parts[1] : "points";
  if (parts.size() > 2
      || (what != "points" && what != "charts" && what != "tables"))
    return no_such_address();
  return sweep_json(shelf, parts[0], what, asked);
}

/// The parameters that an address has.
strings parameters_of(const strings& parts) {
  strings out{"offset", "limit"};
  if (parts.size() == 4 && parts[3] == "rollouts") {
    out.emplace_back("task");
    out.emplace_back("arm");
    out.emplace_back("grade");
    out.emplace_back("seconds");
    out.emplace_back("text");
  }
  if (parts.size() == 5 && parts[3] == "rollouts") {
    out.emplace_back("step");
    out.emplace_back("text");
    out.emplace_back("failed");
  }
  if (parts.size() == 5 && parts[3] == "provenance")
    out.emplace_back("strategy");
  if (parts.size() == 4 && parts[3] == "kb") {
    out.emplace_back("strategy");
    out.emplace_back("query");
  }
  if (parts.size() == 2 && parts[1] == "compare") {
    out.emplace_back("runs");
    out.emplace_back("arm");
  }
  return out;
}

result<json> made_answer(run_shelf& shelf, const http_request& request) {
  const auto parts = path_parts(request.path);
  if (!parts) return parts.error();
  if (parts->size() < 2 || (*parts)[0] != "api") return no_such_address();
  const auto query = parse_query(request.query, parameters_of(*parts));
  if (!query) return query.error();
  const auto asked = page_of(*query);
  if (!asked) return asked.error();
  const auto& kind = (*parts)[1];
  if (kind == "sweeps")
    return answer_of_sweeps(shelf, {parts->begin() + 2, parts->end()}, *asked);
  if (kind == "compare" && parts->size() == 2)
    return compare_json(
        shelf, {value_of(*query, "runs"), value_of(*query, "arm")}, *asked);
  if (kind != "runs") return no_such_address();
  if (parts->size() == 2) return runs_json(shelf, *asked);
  return answer_of_run(shelf, (*parts)[2], {parts->begin() + 3, parts->end()},
                       *query, *asked);
}

} // namespace

http_response error_answer(const error& problem) {
  return failed(problem);
}

http_response api_answer(run_shelf& shelf, const http_request& request) {
  const auto made = made_answer(shelf, request);
  if (!made) return failed(made.error());
  auto text = to_text(*made) + '\n';
  if (text.size() > answer_bytes_max)
    return failed({ec::internal,
                   fmt::format("the answer has {} bytes, and {} are the most",
                               text.size(), answer_bytes_max)});
  return {200, json_type, std::move(text)};
}

} // namespace brewery::web
