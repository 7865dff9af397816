#include "envs/spreadsheet/service_set.hpp"

#include "envs/spreadsheet/python_modules.hpp"
#include "envs/spreadsheet/service_replies.hpp"
#include "process/service_process.hpp"
#include "process/temporary_folder.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

namespace brewery::spreadsheet {

namespace fs = std::filesystem;

using child::service_options;
using child::service_process;
using std::chrono::milliseconds;

namespace {

/// Time allowed beyond the service's own limit. A service that is silent for
/// longer hangs.
constexpr milliseconds reply_grace{15'000};
constexpr milliseconds open_patience{30'000};
constexpr milliseconds close_patience{15'000};
/// From a request's turn on: two attempts, the second in an office that has to
/// start, and so may the first.
constexpr int recalculation_attempts = 2;
constexpr milliseconds office_start{60'000};

class kernels_on_service final : public kernel_port {
public:
  kernels_on_service(service_options options, fs::path workspaces)
      : service_(std::move(options)), workspaces_(std::move(workspaces)) {}

  void release_children() override { service_.release_children(); }

  result<kernel_facts> about() override {
    auto hello = service_.hello();
    if (!hello) return hello.error();
    return read_kernel_facts(*hello);
  }

  [[nodiscard]] const fs::path& workspaces() const override {
    return workspaces_;
  }

  result<kernel_id> open(const fs::path& workspace) override {
    const auto reply = service_.ask(
        {{"op", "open"}, {"workspace", workspace.string()}}, open_patience);
    if (!reply) return reply.error();
    const auto number = read_kernel_number(reply->body);
    if (!number) return number.error();
    return kernel_id{reply->incarnation, *number};
  }

  result<cell_outcome> run(const kernel_id& kernel, const std::string& code,
                           const cell_limits& limits) override {
    const auto reply = service_.ask({{"op", "run"},
                                     {"kernel", kernel.number},
                                     {"code", code},
                                     {"timeout_ms", limits.timeout.count()},
                                     {"output_bytes", limits.output_bytes}},
                                    limits.timeout + reply_grace, kernel.host);
    if (!reply) return reply.error();
    return read_cell_outcome(reply->body);
  }

  void close(const kernel_id& kernel) override {
    // A kernel that cannot be closed was lost with its host.
    (void)service_.ask({{"op", "close"}, {"kernel", kernel.number}},
                       close_patience, kernel.host);
  }

private:
  service_process service_;
  fs::path workspaces_;
};

class recalculation_on_service final : public recalculation_port {
public:
  recalculation_on_service(service_options options, milliseconds timeout)
      : service_(std::move(options)), timeout_(timeout) {}

  void release_children() override { service_.release_children(); }

  result<std::string> about() override {
    auto hello = service_.hello();
    if (!hello) return hello.error();
    return read_text(*hello, "office");
  }

  result<isolation_facts> isolation() override {
    auto hello = service_.hello();
    if (!hello) return hello.error();
    return read_isolation(*hello);
  }

  result<office_functions> functions() override {
    auto hello = service_.hello();
    if (!hello) return hello.error();
    return read_office_functions(*hello);
  }

  [[nodiscard]] milliseconds timeout() const override { return timeout_; }

  result<recalculation_outcome>
  recalculate(const fs::path& in, const fs::path& out,
              const recalculation_limits& within) override {
    const auto timeout =
        within.timeout > within.timeout.zero() ? within.timeout : timeout_;
    const auto reply = service_.ask(
        {{"op", "recalculate"},
         {"in", in.string()},
         {"out", out.string()},
         {"episode", within.episode},
         {"timeout_ms", timeout.count()}},
        (timeout + office_start) * recalculation_attempts + reply_grace);
    if (!reply) return reply.error();
    return read_recalculation(reply->body);
  }

private:
  service_process service_;
  milliseconds timeout_;
};

class grader_on_service final : public grader_port {
public:
  grader_on_service(service_options options, milliseconds timeout)
      : service_(std::move(options)), timeout_(timeout) {}

  void release_children() override { service_.release_children(); }

  result<std::string> about() override {
    auto hello = service_.hello();
    if (!hello) return hello.error();
    return read_text(*hello, "openpyxl");
  }

  result<isolation_facts> isolation() override {
    auto hello = service_.hello();
    if (!hello) return hello.error();
    return read_isolation(*hello);
  }

  result<case_grade> grade(const fs::path& answer, const fs::path& golden,
                           const sheet_position& position) override {
    json request{{"op", "grade"},
                 {"answer", answer.string()},
                 {"golden", golden.string()},
                 {"position", position.cells}};
    if (!position.sheet.empty()) request["sheet"] = position.sheet;
    const auto reply = service_.ask(std::move(request), timeout_);
    if (!reply) return reply.error();
    return read_case_grade(reply->body);
  }

  result<workbook_facts> inspect(const fs::path& workbook,
                                 const sheet_position& position) override {
    json request{{"op", "inspect"},
                 {"workbook", workbook.string()},
                 {"position", position.cells}};
    if (!position.sheet.empty()) request["sheet"] = position.sheet;
    const auto reply = service_.ask(std::move(request), timeout_);
    if (!reply) return reply.error();
    return read_workbook_facts(reply->body);
  }

private:
  service_process service_;
  milliseconds timeout_;
};

/// Without the keys and tokens of this process.
child::child_command command_of(const service_settings& settings,
                                const fs::path& root,
                                std::vector<std::string> words) {
  child::child_command out;
  out.words = {settings.python, "-B",
               (root / "python" / words.front()).string()};
  out.words.insert(out.words.end(), words.begin() + 1, words.end());
  out.directory = root;
  out.variables = {{"PATH", "/usr/local/bin:/usr/bin:/bin"},
                   {"LANG", "C.UTF-8"},
                   {"HOME", (root / "home").string()},
                   {"TMPDIR", (root / "tmp").string()}};
  return out;
}

service_options options_of(const service_settings& settings,
                           const fs::path& root, const std::string& name,
                           const std::string& hello_member,
                           std::vector<std::string> words) {
  service_options out;
  out.name = name;
  out.hello_member = hello_member;
  out.command = command_of(settings, root, std::move(words));
  out.start_timeout = settings.start_timeout;
  if (settings.log)
    out.log = [log = settings.log, name](const std::string& line) {
      log(fmt::format("{}: {}", name, line));
    };
  return out;
}

std::vector<std::string> isolated(const service_settings& settings,
                                  std::vector<std::string> words) {
  words.insert(words.end(), {"--rung", settings.isolation});
  if (settings.unsafe_exec) words.emplace_back("--unsafe-exec");
  return words;
}

/// It has one rung, whatever the others take.
std::vector<std::string> grader_words(const service_settings& settings) {
  std::vector<std::string> out{"grade_server.py"};
  if (settings.unsafe_exec) out.emplace_back("--unsafe-exec");
  return out;
}

} // namespace

result<service_set> make_services(const service_settings& settings) {
  constexpr const char* beginning = "brewery-sheets-";
  auto made = settings.directory.empty()
                  ? temporary_folder::make(beginning)
                  : temporary_folder::make_in(settings.directory, beginning);
  if (!made) return made.error();
  const auto keeper = std::make_shared<temporary_folder>(std::move(*made));
  // Only root's kernels have users of their own, who reach their workspace by
  // its path.
  const bool others_pass = ::geteuid() == 0;
  if (others_pass) keeper->let_pass();
  const auto root = keeper->path();
  for (const auto* name :
       {"python", "workspaces", "scratch", "home", "tmp", "recalculation",
        "recalculation/profile", "recalculation/cache"})
    if (auto ok = make_directories(root / name); !ok) return ok.error();
  if (auto ok = write_python_modules(root / "python"); !ok) return ok.error();
  // Workbooks and goldens pass through these directories: no access for others.
  for (const auto* name : {"scratch", "home", "tmp", "recalculation/profile",
                           "recalculation/cache"})
    ::chmod((root / name).c_str(), S_IRWXU);
  // Through these pass kernels and the office; they are never listed, so that
  // nobody finds a folder that code of a model has opened to all.
  const auto recalculation = root / "recalculation";
  for (const auto& passed : {root / "workspaces", recalculation})
    ::chmod(passed.c_str(),
            others_pass ? S_IRWXU | S_IXGRP | S_IXOTH : S_IRWXU);
  service_set out;
  out.keeper = keeper;
  out.scratch = root / "scratch";
  out.kernels = std::make_shared<kernels_on_service>(
      options_of(
          settings, root, "kernel host", "kernel_host",
          isolated(settings, {"kernel_host.py", "--workspaces",
                              (root / "workspaces").string(), "--memory-mb",
                              std::to_string(settings.kernel_memory_mb)})),
      root / "workspaces");
  out.recalculation = std::make_shared<recalculation_on_service>(
      options_of(
          settings, root, "recalculation", "recalculation",
          isolated(settings, {"recalc_server.py", "--profile",
                              (recalculation / "profile").string(), "--cache",
                              (recalculation / "cache").string()})),
      settings.recalculation_timeout);
  auto of_grader = settings;
  if (!settings.grader_python.empty())
    of_grader.python = settings.grader_python;
  out.grader = std::make_shared<grader_on_service>(
      options_of(of_grader, root, "grader", "grader", grader_words(settings)),
      settings.grade_timeout);
  return out;
}

} // namespace brewery::spreadsheet
