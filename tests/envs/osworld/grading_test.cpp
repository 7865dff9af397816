#include "envs/osworld/grading/evaluate.hpp"
#include "envs/osworld/grading/metrics/metric.hpp"
#include "tests/envs/osworld/fake_guest.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::osworld;

namespace {

evaluator parsed(const std::string& text) {
  const auto task = parse_task(
      R"({"id": "t", "instruction": "i", "evaluator": )" + text + "}", "os");
  REQUIRE(task);
  return task->graded;
}

class grader_scene {
public:
  explicit grader_scene(fake_guest::fault broken = nullptr)
      : guest(std::move(broken)) {}

  result<grade_report> grade(const std::string& text) {
    return evaluate_native(parsed(text), {client, files, saved});
  }

  fake_guest guest;
  guest_client client{guest.address()};
  file_cache files{{}};
  std::map<std::string, std::string> saved;
};

/// Two files against words: "and" or "or".
std::string two_files(const std::string& conjunction) {
  return R"({"func": ["file_contains", "diff_text_file"], "conj": ")"
         + conjunction + R"(",
    "result": [{"type": "vm_file", "path": "/a", "dest": "a"},
               {"type": "vm_file", "path": "/b", "dest": "b"}],
    "expected": [{"type": "rule", "rules": {"expected": ["yes"]}},
                 {"type": "vm_file", "path": "/c", "dest": "c"}]})";
}

} // namespace

TEST_CASE("osworld: scores are combined as evaluate() does") {
  CHECK(combined_score({1, 0.5}, false) == 0.75);
  CHECK(combined_score({1, 0}, false) == 0);
  CHECK(combined_score({0.25, 0.5}, true) == 0.5);
  grader_scene scene;
  scene.guest.put("/a", "yes");
  scene.guest.put("/b", "1\n2\n");
  scene.guest.put("/c", "1\n3\n");
  CHECK(scene.grade(two_files("and"))->reward == 0.75);
  CHECK(scene.grade(two_files("or"))->reward == 1.0);
  scene.guest.put("/a", "no");
  CHECK(scene.grade(two_files("and"))->reward == 0.0);
  CHECK(scene.grade(two_files("or"))->reward == 0.5);
}

TEST_CASE("osworld: a missing file scores 0 under or, too") {
  grader_scene scene;
  scene.guest.put("/b", "same");
  scene.guest.put("/c", "same");
  // The official code goes on with the result of the metric before.
  CHECK(scene.grade(two_files("or"))->reward == 1.0);
  CHECK(scene.grade(two_files("and"))->reward == 0.0);
  scene.guest.put("/b", "other");
  CHECK(scene.grade(two_files("or"))->reward == 0.0);
}

TEST_CASE("osworld: where the official metric raises, the score is 0") {
  grader_scene scene;
  scene.guest.says("x", "not json");
  const auto grade = scene.grade(
      R"({"func": "check_direct_json_object",
          "result": {"type": "vm_command_line", "command": "x"},
          "expected": {"type": "rule", "rules": {"expected": {"a": 1}}}})");
  REQUIRE(grade);
  CHECK(grade->reward == 0.0);
  REQUIRE(grade->parts.size() == 2);
  CHECK(grade->parts[1].name == "check_direct_json_object can compare");
}

TEST_CASE("osworld: a guest that breaks gives no grade") {
  grader_scene scene;
  const auto grade = scene.grade(
      R"({"func": "check_moved_jpgs",
          "result": {"type": "list_directory", "path": "/x"},
          "expected": {"type": "rule", "rules": {"expected": []}}})");
  REQUIRE_FALSE(grade);
  CHECK(grade.error().code == ec::environment);
}

TEST_CASE("osworld: files that are given on, settings and saved output") {
  grader_scene scene;
  scene.guest.put("/2", "two");
  scene.guest.put("/3", "two");
  CHECK(scene
            .grade(R"({"func": "compare_csv", "result": {"type": "vm_file",
                       "path": "/2", "dest": "x"},
                       "expected": {"type": "vm_file", "multi": true,
                       "path": ["/1", "/3"], "dest": ["a", "b"],
                       "gives": [0, 1]}})")
            ->reward
        == 1.0);
  scene.guest.put("~/.config/google-chrome/Default/Preferences",
                  R"({"profile": {"name": "Thomas"}})");
  CHECK(scene
            .grade(R"({"func": "exact_match",
                       "result": {"type": "profile_name"},
                       "expected": {"type": "rule",
                                    "rules": {"expected": "Thomas"}}})")
            ->reward
        == 1.0);
  scene.saved["out"] = "a\nb1\n";
  CHECK(scene
            .grade(R"({"func": "check_list",
                       "result": {"type": "cache_file", "path": "out"},
                       "expected": {"type": "rule",
                                    "rules": {"expect": ["^b\\d$"]}}})")
            ->reward
        == 1.0);
}

TEST_CASE("osworld: what VLC plays is asked of VLC") {
  std::string state = "<root><state>playing</state><information><category "
                      "name='meta'><info name='filename'>a.mp4</info>"
                      "</category></information></root>";
  std::string authorization;
  bool answers = true, alive = true;
  grader_scene scene{
      [&](const peer_request& asked) -> std::optional<peer_reply> {
        auto cut = fake_guest::words(200, "nothing");
        cut.stop_after = 0;
        cut.ending = peer_ending::close;
        if (!alive) return cut;
        if (asked.target != "/requests/status.xml") return {};
        authorization = asked.headers.at("authorization");
        return answers ? fake_guest::words(200, state) : cut;
      }};
  const auto graded = [&] {
    return scene.grade(R"({"func": "is_vlc_playing",
        "result": {"type": "vlc_playing_info", "dest": "status.xml"},
        "expected": {"type": "rule", "rules": {"type": "file_name",
                                               "file_name": "a.mp4"}}})");
  };
  CHECK(graded()->reward == 1.0);
  CHECK(authorization == "Basic OnBhc3N3b3Jk");
  state = "<root><state>paused</state></root>";
  CHECK(graded()->reward == 0.0);
  answers = false; // the agent ended it
  CHECK(graded()->reward == 0.0);
  alive = false; // with the whole desktop
  REQUIRE_FALSE(graded());
  CHECK(graded().error().code == ec::environment);
}

TEST_CASE("osworld: the default player is that of most types of video") {
  std::string said = "3gp a.desktop\nmp4 vlc.desktop\navi \nflv vlc.desktop\n";
  grader_scene scene{
      [&](const peer_request& asked) -> std::optional<peer_reply> {
        if (asked.body.find("xdg-mime") == std::string::npos) return {};
        return fake_guest::words(200, json{{"status", "success"},
                                           {"output", said},
                                           {"error", ""},
                                           {"returncode", 0}}
                                          .dump());
      }};
  const auto player = [&](const std::string& name) {
    return scene
        .grade(R"({"func": "exact_match",
                   "result": {"type": "default_video_player"},
                   "expected": {"type": "rule", "rules": {"expected": ")"
               + name + R"("}}})")
        ->reward;
  };
  CHECK(player("vlc.desktop\\n") == 1.0);
  said = "3gp a.desktop\nmp4 vlc.desktop\n"; // of several, the first
  CHECK(player("a.desktop\\n") == 1.0);
  said = "x-ogm+ogg a.desktop\nmp4 vlc.desktop\n"; // counted once, not twice
  CHECK(player("vlc.desktop\\n") == 1.0);
  said = "";
  CHECK(player("unknown") == 1.0);
}
