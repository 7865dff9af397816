#pragma once
/// A directory of runs that the tests of pages ask about.

#include "base/hash.hpp"
#include "coordinator/recorded.hpp"
#include "messages/model_msgs.hpp"
#include "tests/fixtures/scratch.hpp"
#include "web/api.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

namespace brewery::test {

inline const std::string first_text = "# Fan\n\nturn it\n";
inline const std::string second_text = "# Fan\n\nturn it on\n";

inline event_row written(const std::string& job, const std::string& text) {
  integrate_result made;
  made.id = {job};
  made.body = text;
  return event_of(make_result(made), job);
}

inline node_record version(std::uint32_t id, std::uint32_t parent,
                           const std::string& text) {
  node_record out;
  out.id = {id};
  out.parent = {parent};
  out.hash = {content_hash(text)};
  out.reward = 0.25 * id;
  out.evaluated = 1;
  return out;
}

inline event_row played(const std::string& job, const std::string& task,
                        const std::string& stands = {}) {
  rollout_result made;
  made.id = {job};
  made.task = {task};
  made.grade.reward = 1;
  made.reused_from = stands;
  if (stands.empty()) {
    made.steps.resize(3);
    made.steps[0].observation = "bad \xff byte";
    made.steps[1].failed = true;
    made.steps[2].observation = std::string(70'000, 'x');
    made.retrievals.push_back({1, "how?", {{content_hash(second_text)}}});
  }
  return event_of(make_result(made), job);
}

/// Run "r" of one tree with two versions and two rollouts, beside a file that
/// nobody may see.
class runs_folder {
public:
  runs_folder() : shelf_(at_.path() / "runs") {
    std::filesystem::create_directory(at_.path() / "runs");
    std::ofstream{at_.path() / "secret"} << "secret";
    auto run = run_directory::create(at_.path() / "runs", "r");
    REQUIRE(run);
    auto log = begin_log(*run, "[search]\nstrategies = [\"mcts\"]\n");
    REQUIRE(log);
    log_ = std::move(*log);
    concept_record about;
    about.title = "Fan";
    tree_record tree{
        {0}, 1, {version(0, 0, first_text), version(1, 0, second_text)}};
    gather_record closed;
    closed.iteration = 1;
    closed.reports.resize(1);
    closed.reports[0].best = tree.nodes[1];
    append({event_of(about, "mcts/concept 0"), written("w1", first_text),
            written("w2", second_text), played("aaaa", "t1"),
            played("bbbb", "t2", "aaaa"),
            event_of(tree, tree_prefix("mcts", {0}) + "1"),
            event_of(closed, gather_key("mcts", 1))});
  }

  void append(const std::vector<event_row>& events) {
    REQUIRE(log_->append(events));
  }

  [[nodiscard]] std::filesystem::path run() const {
    return at_.path() / "runs/r";
  }

  /// The recording of the run's model calls.
  void record(const std::vector<model_record>& calls) {
    const auto folder = at_.path() / "runs/r/models";
    const bool there = std::filesystem::exists(folder);
    std::filesystem::create_directory(folder);
    const auto log =
        there ? event_log::open(folder) : event_log::create(folder);
    REQUIRE(log);
    std::vector<event_row> rows{event_of(prompt_part{"how?"}, "a-hash")};
    for (const auto& call : calls)
      rows.push_back(event_of(call, call.key));
    REQUIRE((*log)->append(rows));
  }

  /// As a backup that is copied over the run's log.
  void put_another_log(const std::vector<event_row>& events) {
    log_.reset();
    const auto other = at_.path() / "other";
    std::filesystem::create_directory(other);
    REQUIRE((*event_log::create(other))->append(events));
    std::filesystem::copy_file(
        other / "events.db", at_.path() / "runs/r/events.db",
        std::filesystem::copy_options::overwrite_existing);
  }

  http_response ask(const std::string& path, const std::string& query = {}) {
    return web::api_answer(shelf_, {path, query});
  }
  json get(const std::string& path, const std::string& query = {}) {
    const auto answer = ask(path, query);
    INFO(path << "?" << query << ": " << answer.body);
    REQUIRE(answer.status == 200);
    REQUIRE(answer.content_type == "application/json");
    return json::parse(answer.body);
  }
  std::string refused(unsigned status, const std::string& path,
                      const std::string& query = {}) {
    const auto answer = ask(path, query);
    INFO(path << "?" << query << ": " << answer.body);
    CHECK(answer.status == status);
    return json::parse(answer.body).at("error");
  }

private:
  scratch at_;
  web::run_shelf shelf_;
  std::unique_ptr<event_log> log_;
};

} // namespace brewery::test
