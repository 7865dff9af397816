#include "envs/spreadsheet/case_episode.hpp"

#include "base/file.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "envs/spreadsheet/ask_with_retry.hpp"
#include "envs/spreadsheet/scratch_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::spreadsheet {

namespace {

using clock = std::chrono::steady_clock;

/// How often code that ended its process is repeated. Only a kill can come from
/// outside, again and again on a machine that is short of memory.
int doubts_max(const cell_report& report) {
  return report.killed ? 2 : 1;
}

/// The official evaluation cuts nothing of what it shows of a workbook.
constexpr std::uint32_t look_bytes_max = 1U << 20;

constexpr std::string_view shown_directory = "/workspace";
void end_line(std::string& text) {
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
}

std::string refusal_text(const std::string& why) {
  return fmt::format("[The workspace cannot be used any more: {}.]", why);
}

std::string no_answer(workspace::fetched how) {
  switch (how) {
  case workspace::fetched::missing:
    return "there is no output.xlsx";
  case workspace::fetched::too_large:
    return "output.xlsx is too large";
  default:
    return "output.xlsx is not a plain file";
  }
}

} // namespace

case_episode::case_episode(std::shared_ptr<const service_set> services,
                           case_files files, cell_limits limits)
    : services_(std::move(services)), files_(std::move(files)),
      limits_(limits) {}

case_episode::~case_episode() {
  close();
}

result<std::unique_ptr<case_episode>>
case_episode::begin(std::shared_ptr<const service_set> services,
                    case_files files, cell_limits limits) {
  std::unique_ptr<case_episode> made{
      new case_episode{std::move(services), std::move(files), limits}};
  auto opened = ask_with_retry([&] { return made->open(); });
  if (!opened) return opened.error();
  return made;
}

result<void> case_episode::open() {
  close();
  auto place = workspace::make(services_->kernels->workspaces(), files_.input);
  if (!place) return place.error();
  workspace_.emplace(std::move(*place));
  auto opened = open_kernel();
  // It holds nothing of the agent's yet.
  if (!opened && opened.error().code == ec::invalid_argument)
    return error{ec::environment, opened.error().message};
  return opened;
}

result<void> case_episode::open_kernel() {
  auto kernel = services_->kernels->open(workspace_->path());
  if (!kernel) return kernel.error();
  kernel_ = *kernel;
  return {};
}

void case_episode::close() {
  if (kernel_) services_->kernels->close(*kernel_);
  kernel_.reset();
  workspace_.reset();
  refused_.clear();
}

result<std::string> case_episode::look(const std::string& code) {
  auto limits = limits_;
  limits.output_bytes = look_bytes_max;
  return ask_with_retry([&]() -> result<std::string> {
    if (!kernel_)
      if (auto ok = open(); !ok) return ok.error();
    auto outcome = services_->kernels->run(*kernel_, code, limits);
    if (outcome && outcome->status != cell_status::died) return outcome->output;
    close();
    return outcome ? error{ec::environment, "the kernel died"}
                   : outcome.error();
  });
}

result<cell_report> case_episode::run_once(const std::string& code) {
  if (!refused_.empty())
    return cell_report{cell_status::died, refusal_text(refused_)};
  if (!kernel_) return error{ec::environment, "the kernel was lost"};
  const auto began = clock::now();
  auto outcome = services_->kernels->run(*kernel_, code, limits_);
  if (!outcome) return outcome.error();
  spent_ += clock::now() - began;
  // Replaces the workspace's path, which differs between attempts, so that
  // equal attempts read alike.
  outcome->output = replace_all(std::move(outcome->output),
                                workspace_->path().string(), shown_directory);
  cell_report out{outcome->status, std::move(outcome->output), outcome->killed};
  if (outcome->status == cell_status::died) {
    if (auto ok = replace_kernel(out); !ok) return ok.error();
    if (!refused_.empty()) return out;
  }
  auto notes = recalculate_changed();
  if (!notes) return notes.error();
  if (!notes->empty()) end_line(out.text);
  out.text += *notes;
  return out;
}

/// A new process in the same directory, after one that died. The host's report
/// says why it did.
result<void> case_episode::replace_kernel(cell_report& report) {
  services_->kernels->close(*kernel_);
  kernel_.reset();
  end_line(report.text);
  auto opened = open_kernel();
  if (opened) {
    report.text += "[A new Python process was started; files are kept.]";
    return {};
  }
  if (opened.error().code != ec::invalid_argument) return opened;
  refused_ = replace_all(opened.error().message, workspace_->path().string(),
                         shown_directory);
  report.text += refusal_text(refused_);
  return {};
}

/// Runs all cells so far in a fresh workspace and kernel, because an unfinished
/// cell may have left anything in the old ones.
result<void> case_episode::begin_again(replay how) {
  if (auto ok = open(); !ok) return ok;
  const auto spent = spent_;
  for (const auto& before : cells_) {
    auto now = run_once(before.code);
    if (!now) return now.error();
    if (how == replay::tolerant || *now == before.report) continue;
    return error{ec::exhausted,
                 "the kernel was lost, and the cells before do not do again "
                 "what they did"};
  }
  // The machine's failure is not at the agent's cost.
  if (how == replay::exact) spent_ = spent;
  return {};
}

result<cell_report> case_episode::run(const std::string& code) {
  // So that no attempt outlives the limit of its job, which has no score then.
  if (spent_ >= limits_.total)
    return cell_report{
        cell_status::timeout,
        fmt::format("Not run: the time of all calls, {:.0f} s, is used up.",
                    std::chrono::duration<double>(limits_.total).count())};
  auto began = clock::now();
  auto done = run_once(code);
  // Another may have ended the process: it is repeated before the code is
  // blamed. Code that used up its whole time is not.
  int doubts = 0;
  auto how = replay::exact;
  for (int tried = 1; tried < tries_max; ++tried) {
    const bool doubted = done && done->status == cell_status::died
                         && refused_.empty() && doubts < doubts_max(*done)
                         && clock::now() - began < limits_.timeout
                         && 2 * spent_ < limits_.total;
    if (done && !doubted) break;
    if (!done && done.error().code != ec::environment) break;
    doubts += doubted;
    if (doubted) how = replay::tolerant;
    const auto again = ask_with_retry([&] { return begin_again(how); });
    if (!again) return again.error();
    began = clock::now();
    done = run_once(code);
  }
  if (done) cells_.push_back({code, *done});
  return done;
}

/// All workbooks of a cell together get the time of one, so that a cell cannot
/// keep others waiting by writing many. The answer comes first.
result<std::string> case_episode::recalculate_changed() {
  std::string notes;
  auto left = services_->recalculation->timeout();
  const auto changed = workspace_->changed_workbooks();
  if (!changed) return changed.error();
  for (const auto& name : *changed) {
    auto note = recalculate(name, left);
    if (!note) return note;
    if (!note->empty()) notes += "[" + *note + "]\n";
  }
  return notes;
}

result<std::string> case_episode::recalculate(const std::string& name,
                                              std::chrono::milliseconds& left) {
  const auto shown = single_line(name);
  if (left <= left.zero())
    return shown + " was not recalculated: the other files took too long";
  const scratch_file in{services_->scratch}, out{services_->scratch};
  const auto fetched = workspace_->fetch(name, in.path());
  if (!fetched) return fetched.error();
  if (*fetched == workspace::fetched::too_large)
    return shown + " is too large to be recalculated";
  if (*fetched != workspace::fetched::copied) return std::string{};
  const auto outcome = ask_with_retry([&] {
    return services_->recalculation->recalculate(
        in.path(), out.path(), {workspace_->path().filename(), left});
  });
  if (!outcome) return outcome.error();
  left -= outcome->elapsed;
  if (outcome->status == recalculation_status::timeout)
    spent_ += outcome->elapsed;
  switch (outcome->status) {
  case recalculation_status::unchanged:
    return std::string{};
  case recalculation_status::invalid:
    return fmt::format("{} cannot be opened as a workbook: {}", shown,
                       outcome->detail);
  case recalculation_status::timeout:
    return fmt::format("{}: its formulas took too long and were not computed",
                       shown);
  case recalculation_status::crashed:
    return fmt::format("{}: LibreOffice crashes each time it computes this; "
                       "its formulas were not computed",
                       shown);
  case recalculation_status::computed:
    break;
  }
  computed_ = true;
  repeatable_ = repeatable_ && outcome->repeatable;
  if (auto ok = workspace_->replace(name, out.path()); !ok) return ok.error();
  return fmt::format("{} was recalculated", shown);
}

result<answer_file> case_episode::answer(std::size_t bytes_max) {
  if (!workspace_) return error{ec::environment, "the workspace was lost"};
  if (!refused_.empty())
    return answer_file{
        files_.number, computed_, "the workspace was refused: " + refused_, {}};
  const scratch_file copy{services_->scratch};
  auto fetched = workspace_->fetch(output_name, copy.path());
  if (!fetched) return fetched.error();
  answer_file out{files_.number, computed_, {}, {}};
  std::error_code failed;
  if (*fetched == workspace::fetched::copied
      && std::filesystem::file_size(copy.path(), failed) > bytes_max)
    fetched = workspace::fetched::too_large;
  if (*fetched != workspace::fetched::copied) {
    out.lacking = no_answer(*fetched);
    return out;
  }
  auto bytes = read_file(copy.path());
  if (!bytes) return error{ec::environment, bytes.error().message};
  out.content = std::move(*bytes);
  return out;
}

} // namespace brewery::spreadsheet
