#pragma once
/// Benchmarks whose child is fake_child.py.

#include "envs/external/external_benchmark.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <fstream>
#include <sstream>
#include <thread>

namespace brewery::test {

struct fake_child {
  scratch folder;
  external::external_options options;

  explicit fake_child(const std::vector<std::string>& words = {}) {
    options.command.words = {"python3", std::string{BREWERY_SOURCE_DIR}
                                            + "/tests/envs/external/"
                                              "fake_child.py"};
    add({"--pids", pid_file().string()});
    add(words);
    options.command.variables = {{"PATH", std::getenv("PATH")},
                                 {"PYTHONDONTWRITEBYTECODE", "1"}};
    options.start_timeout = std::chrono::seconds{20};
    options.step_timeout = std::chrono::seconds{20};
    options.grade_timeout = std::chrono::seconds{20};
  }

  void add(const std::vector<std::string>& words) {
    auto& all = options.command.words;
    all.insert(all.end(), words.begin(), words.end());
  }

  [[nodiscard]] std::shared_ptr<const benchmark> load() const {
    auto made = external::load_external(options);
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    return *made;
  }

  [[nodiscard]] error refusal() const {
    const auto made = external::load_external(options);
    REQUIRE_FALSE(made);
    return made.error();
  }

  [[nodiscard]] std::filesystem::path pid_file() const {
    return folder.path() / "pids";
  }

  /// Of all children ever started.
  [[nodiscard]] std::vector<pid_t> pids() const {
    std::ifstream in{pid_file()};
    std::vector<pid_t> out;
    for (pid_t pid = 0; in >> pid;)
      out.push_back(pid);
    return out;
  }
};

/// Of the process in /proc, or 0 when there is none or it is a zombie that
/// somebody has yet to bury.
inline pid_t group_of(const std::filesystem::path& process) {
  std::ifstream in{process / "stat"};
  std::string text;
  std::getline(in, text);
  const auto end = text.rfind(')');
  if (end == std::string::npos) return 0;
  std::istringstream rest{text.substr(end + 1)};
  char state = 0;
  pid_t parent = 0, group = 0;
  rest >> state >> parent >> group;
  return state == 'Z' ? 0 : group;
}

/// Whether any process of the group is left; signals take a moment.
inline bool group_lives(pid_t leader) {
  const auto lives = [leader] {
    for (const auto& entry : std::filesystem::directory_iterator{"/proc"})
      if (group_of(entry.path()) == leader) return true;
    return false;
  };
  for (int i = 0; i < 200 && lives(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  return lives();
}

inline std::unique_ptr<environment> begin(const benchmark& source,
                                          const char* task = "t1") {
  auto made = source.make(task_id{task});
  INFO((made ? "" : made.error().message));
  REQUIRE(made);
  return std::move(*made);
}

/// Plays t1 to its end: 5 requests. The reward, or what went wrong.
inline result<double> play(const benchmark& source) {
  auto made = source.make(task_id{"t1"});
  if (!made) return made.error();
  auto& env = **made;
  env.call("look", json::object());
  env.call("press", json{{"button", "b"}});
  const auto grade = env.grade();
  if (!grade) return grade.error();
  return grade->reward;
}

} // namespace brewery::test
