#include "base/text.hpp"
#include "cli/operator/top_screen.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace brewery;
using Catch::Contains;
using json = nlohmann::ordered_json;

namespace {

json load(const char* run, const char* role, int queued, int running,
          int done) {
  return {{"run", run},       {"role", role},       {"benchmark", "toy"},
          {"queued", queued}, {"running", running}, {"done", done}};
}

json worker(const std::string& name, const char* state, int done,
            json tags = json::array()) {
  return {{"name", name},    {"incarnation", name + "#1"},
          {"state", state},  {"slots", 4},
          {"busy", 2},       {"done", done},
          {"failed", 0},     {"tags", std::move(tags)},
          {"last_error", ""}};
}

top_sample sample(double at_s, int done, int epoch = 1) {
  top_sample out;
  out.at_s = at_s;
  out.status = {
      {"epoch", epoch},
      {"slots", 8},
      {"jobs", {{"quarantined", 1}}},
      {"loads",
       {load("wide", "rollout", 30, 4, done), load("wide", "embed", 1, 0, 2)}},
      {"waiting", {"wide: 30 rollout jobs wait: all slots are busy"}},
      {"runs",
       {{{"id", "wide"},
         {"state", "running"},
         {"weight", 2.5},
         {"priority", 1},
         {"phase", "expanding"},
         {"iteration", 1},
         {"iterations", 4},
         {"trees", 5},
         {"trees_reported", 2},
         {"jobs_done", 77}}}}};
  out.workers = {worker("w0", "busy", done, {"gpu", "big"}),
                 worker("w1", "idle", 7)};
  return out;
}

std::string line_with(const std::string& page, std::string_view word) {
  for (const auto line : split(page, '\n'))
    if (line.starts_with(word)) return std::string{line};
  return {};
}

} // namespace

TEST_CASE("top shows runs, workers, the queue and why jobs wait") {
  const auto page = top_screen(sample(10, 60), sample(8, 50), {});
  CHECK_THAT(line_with(page, "2 workers"),
             Contains("4 of 8 slots busy | 31 wait, 4 run, 1 given up"));
  CHECK_THAT(line_with(page, "wide "), Contains("running") && Contains(" 1 ")
                                           && Contains("2.5")
                                           && Contains("1/4, 2/5 trees"));
  CHECK_THAT(line_with(page, "w0"), Contains("2/4") && Contains("gpu,big"));
  CHECK_THAT(page, Contains("all slots are busy"));
}

TEST_CASE("top counts the jobs that were played, as its rate does") {
  auto now = sample(10, 60);
  now.status["runs"][0]["jobs_from_log"] = 60;
  CHECK_THAT(line_with(top_screen(now, std::nullopt, {}), "wide "),
             Contains(" 17 ") && !Contains("77"));
}

TEST_CASE("a finished run has no progress in top") {
  auto now = sample(10, 60);
  auto& run = now.status["runs"][0];
  run["state"] = "finished";
  run["phase"] = "evaluating on test";
  CHECK_THAT(top_screen(now, std::nullopt, {}), !Contains("evaluating"));
}

TEST_CASE("the rates of top are those between two samples") {
  const auto page = top_screen(sample(10, 60), sample(8, 50), {});
  CHECK_THAT(line_with(page, "wide "), Contains(" 5.0 "));
  CHECK_THAT(line_with(page, "2 workers"), Contains("5.0 jobs/s"));
  CHECK_THAT(line_with(page, "w1"), Contains(" 0.0 "));
}

TEST_CASE("top shows no rate without a sample of the same coordinator") {
  for (const auto& page : {top_screen(sample(10, 60), std::nullopt, {}),
                           top_screen(sample(10, 60, 2), sample(8, 50, 1), {})})
    CHECK_THAT(line_with(page, "2 workers"), Contains("| - jobs/s"));
}

TEST_CASE("a page of top fits its terminal") {
  auto now = sample(10, 60);
  for (int i = 0; i < 300; ++i) {
    now.workers.push_back(
        worker("machine-with-a-long-name-" + std::to_string(i), "idle", 3));
    now.workers.back()["last_error"] = std::string(500, 'x') + "\x1b[2J\nb";
  }
  const auto page = top_screen(now, std::nullopt, {80, 24});
  const auto lines = split(page, '\n');
  CHECK(lines.size() - 1 <= 24);
  CHECK(std::all_of(lines.begin(), lines.end(),
                    [](auto line) { return line.size() <= 80; }));
  CHECK_THAT(page, Contains("more workers") || Contains("and 2"));
  CHECK_THAT(page, !Contains("\x1b"));
  CHECK_THAT(page, Contains("w0"));
}

TEST_CASE("a page of top for a program cuts nothing") {
  auto now = sample(10, 60);
  const std::string run = "table5.max_width-2_max_depth-3-s1";
  const std::string name = "machine-with-a-long-name-in-a-domain-of-its-own";
  now.status["runs"][0]["id"] = run;
  now.workers[0]["name"] = name;
  now.workers[0]["last_error"] = std::string(300, 'x') + "\nend";
  const auto page = top_screen(now, std::nullopt, {screen_size::unlimited, 0});
  CHECK_THAT(line_with(page, run + " "), Contains("running"));
  CHECK_THAT(line_with(page, name + " "), Contains("xx end"));
}

TEST_CASE("top shows a coordinator without runs and workers") {
  const top_sample none{
      {{"epoch", 1}, {"runs", json::array()}}, json::array(), 1};
  CHECK_THAT(top_screen(none, std::nullopt, {}), Contains("0 workers"));
}
