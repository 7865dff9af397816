#include "envs/osworld/grading/sidecar.hpp"

#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "process/run_program.hpp"
#include "process/temporary_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace brewery::osworld {

namespace {

namespace fs = std::filesystem;

error not_graded(std::string_view why) {
  return {ec::environment,
          fmt::format("the official evaluators gave no grade: {}",
                      printable(utf8_prefix(trim(why), 400)))};
}

std::vector<std::pair<std::string, std::string>> grader_variables() {
  std::vector<std::pair<std::string, std::string>> out;
  for (const char* name : {"PATH", "HOME", "LANG", "TMPDIR", "http_proxy",
                           "https_proxy", "no_proxy", "SSL_CERT_FILE"})
    if (const char* value = std::getenv(name)) out.emplace_back(name, value);
  return out;
}

/// A name that stays in the directory.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".."
         && name.find('/') == std::string::npos;
}

result<grade_report> report_of(const child::program_run& run,
                               const official_evaluators& how) {
  if (run.ending.empty())
    return not_graded(
        fmt::format("it took longer than {} s, or wrote more than a MiB",
                    how.deadline.count() / 1000));
  const auto lines = split(trim(run.output), '\n');
  const auto reply = json::parse(lines.back(), nullptr, false);
  if (!reply.is_object()) return not_graded(run.ending + ": " + run.errors);
  const auto failed = reply.find("error");
  if (failed != reply.end() && failed->is_string())
    return not_graded(failed->get<std::string>());
  const auto score = reply.find("score");
  if (score == reply.end() || !score->is_number()
      || !std::isfinite(score->get<double>()))
    return not_graded("its reply has no score");
  const auto reward = std::clamp(score->get<double>(), 0.0, 1.0);
  return grade_report{reward, {{"official evaluators", reward == 1.0}}};
}

} // namespace

result<std::string> evaluators_version(const fs::path& checkout) {
  const auto metrics = checkout / "desktop_env" / "evaluators" / "metrics";
  std::error_code failed;
  if (!fs::is_directory(metrics, failed))
    return error{
        ec::not_found,
        fmt::format("{} has no desktop_env/evaluators: name an OSWorld "
                    "checkout with environment.osworld.evaluators",
                    checkout.string())};
  const auto head = read_file(checkout / ".git" / "HEAD");
  if (head) {
    auto commit = std::string{trim(*head)};
    if (commit.starts_with("ref: "))
      if (const auto named = read_file(checkout / ".git" / commit.substr(5)))
        commit = trim(*named);
    if (!commit.starts_with("ref: ")) return "commit " + commit;
  }
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator
           at{checkout / "desktop_env" / "evaluators", failed},
       end;
       !failed && at != end; at.increment(failed))
    if (at->path().extension() == ".py") files.push_back(at->path());
  std::sort(files.begin(), files.end());
  hash_input all;
  for (const auto& file : files)
    if (const auto text = read_file(file)) all.add(*text);
  return "content " + all.content();
}

result<grade_report>
evaluate_officially(const official_evaluators& how, const desktop_task& task,
                    const guest_address& at,
                    const std::map<std::string, std::string>& saved) {
  const auto directory = temporary_folder::make("brewery-grade-");
  if (!directory) return not_graded(directory.error().message);
  const auto cache = directory->path() / "cache";
  if (auto ok = make_directories(cache); !ok)
    return not_graded(ok.error().message);
  for (const auto& [name, content] : saved)
    if (is_plain_name(name))
      if (auto ok = write_synced_file(cache / name, content); !ok)
        return not_graded(ok.error().message);
  const json request{
      {"task", json::parse(task.text)}, {"checkout", how.checkout.string()},
      {"cache_dir", cache.string()},    {"host", at.host},
      {"server_port", at.server_port},  {"chromium_port", at.chromium_port},
      {"vlc_port", at.vlc_port},        {"token", at.token.reveal()}};
  child::child_command command;
  command.words = {how.python, "-c", how.program};
  command.directory = cache;
  command.variables = grader_variables();
  const auto run = child::run_program(command, request.dump() + "\n",
                                      {.deadline = how.deadline});
  if (!run) return not_graded(run.error().message);
  return report_of(*run, how);
}

} // namespace brewery::osworld
