#pragma once
/// What an episode needs from outside, as three independent ports. Kernels run
/// the agent's code and never see a golden. A grader sees goldens and answers
/// and never runs code. Recalculation computes formulas. All are thread-safe.
///
/// Errors of all: ec::exhausted if the service cannot be started here,
/// ec::environment if it broke or failed. Neither is the agent's fault.
/// `release_children` is as for a benchmark.

#include "envs/environment.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>

namespace brewery::spreadsheet {

/// Of a workbook, and of all answers of a rollout together, which are sent in a
/// message. What is larger is not taken out of a workspace, not recalculated
/// and not graded (MAX_FILE_BYTES of workbook_guard.py).
inline constexpr std::size_t workbook_bytes_max = std::size_t{32} << 20;

/// What a service keeps what it opens or runs in, as it found out itself.
struct isolation_facts {
  std::string isolation; ///< the rung in use
  /// Every rung that was tried, and whether it works or why not.
  std::vector<std::pair<std::string, std::string>> rungs;
};

struct kernel_facts : isolation_facts {
  std::string python, openpyxl, pandas, numpy; ///< versions
};

/// A kernel and the host process that has it. A restarted host does not have
/// it.
struct kernel_id {
  std::uint64_t host = 0;
  std::uint64_t number = 0;
};

enum class cell_status : std::uint8_t {
  ok,
  error,   ///< an exception ended it
  timeout, ///< interrupted; the kernel still runs
  died,    ///< the kernel ended
};

struct cell_outcome {
  cell_status status = cell_status::ok;
  std::string output; ///< limited to head and tail
  std::uint64_t cut_bytes = 0;
  /// Its process was killed, and not by its host: maybe by the machine.
  bool killed = false;
};

struct cell_limits {
  std::chrono::milliseconds timeout{60'000};
  /// Of all cells of a case, with what is computed slowly or again for them.
  std::chrono::milliseconds total{std::chrono::hours{1}};
  std::uint32_t output_bytes = 8192;
};

class kernel_port {
public:
  virtual ~kernel_port() = default;
  virtual void release_children() {}
  virtual result<kernel_facts> about() = 0;
  /// The directory that contains every workspace.
  [[nodiscard]] virtual const std::filesystem::path& workspaces() const = 0;
  /// Error ec::invalid_argument: the workspace holds what no kernel may have.
  virtual result<kernel_id> open(const std::filesystem::path& workspace) = 0;
  /// Error ec::disk_full: others have used the space that its code may use.
  virtual result<cell_outcome> run(const kernel_id& kernel,
                                   const std::string& code,
                                   const cell_limits& limits) = 0;
  /// Afterwards no process of the kernel runs. Closing one that has ended is no
  /// error.
  virtual void close(const kernel_id& kernel) = 0;
};

enum class recalculation_status : std::uint8_t {
  computed,
  unchanged, ///< no formula in it
  invalid,   ///< the workbook cannot be opened: the agent's fault
  timeout,   ///< its formulas take too long, twice: the agent's fault
  crashed,   ///< each office that tries crashes: the agent's fault
};

/// How an office has to be written to, as it found out itself.
struct office_functions {
  /// Names as a file must have them ("_xlfn.STDEV.S"); bare, they are errors.
  std::vector<std::string> prefixed;
  std::vector<std::string> unknown; ///< however they are written
};

struct recalculation_outcome {
  recalculation_status status = recalculation_status::unchanged;
  std::string detail;
  /// Of the last attempt, without waiting for others.
  std::chrono::milliseconds elapsed{0};
  /// Its values change by time or chance.
  bool repeatable = true;
};

struct recalculation_limits {
  std::string episode;                  ///< those take turns
  std::chrono::milliseconds timeout{0}; ///< 0: the service's own
};

class recalculation_port {
public:
  virtual ~recalculation_port() = default;
  virtual void release_children() {}
  /// Version of the office program.
  virtual result<std::string> about() = 0;
  virtual result<isolation_facts> isolation() = 0;
  virtual result<office_functions> functions() = 0;
  /// `out` is written only if something was computed.
  virtual result<recalculation_outcome>
  recalculate(const std::filesystem::path& in, const std::filesystem::path& out,
              const recalculation_limits& within) = 0;
  /// The longest time for one workbook.
  [[nodiscard]] virtual std::chrono::milliseconds timeout() const = 0;
};

/// The cells that are compared, as the dataset writes them.
struct sheet_position {
  std::string cells;
  std::string sheet; ///< answer_sheet; empty: not given
};

struct comparison {
  bool passed = false;
  std::string why; ///< the first difference, or the failure
};

struct case_grade {
  comparison official, repaired; ///< by parser of the position
};

/// The result of `inspect` for a workbook.
struct workbook_facts {
  bool loads = false;
  std::string why; ///< if it cannot be read
  std::uint64_t formulas = 0;
  std::uint64_t uncached = 0; ///< formulas without a value in the position
  std::vector<std::string> volatile_functions; ///< their values change by time
                                               ///< or chance
  std::vector<std::string> sheets;
};

class grader_port {
public:
  virtual ~grader_port() = default;
  virtual void release_children() {}
  /// Version of openpyxl.
  virtual result<std::string> about() = 0;
  virtual result<isolation_facts> isolation() = 0;
  virtual result<case_grade> grade(const std::filesystem::path& answer,
                                   const std::filesystem::path& golden,
                                   const sheet_position& position) = 0;
  virtual result<workbook_facts> inspect(const std::filesystem::path& workbook,
                                         const sheet_position& position) = 0;
};

} // namespace brewery::spreadsheet
