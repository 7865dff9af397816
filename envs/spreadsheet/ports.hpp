#pragma once
/// What an episode needs from others, as three ports that know nothing of each
/// other: kernels run what the agent writes and never see a golden workbook; a
/// grader sees goldens and answers and never runs code; recalculation computes
/// formulas. All may be called on any thread.
///
/// Errors of all: ec::exhausted when the service cannot be started here,
/// ec::environment when it broke or failed; never the agent's fault. `rest` as
/// of a benchmark.

#include "envs/environment.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>

namespace brewery::spreadsheet {

struct kernel_facts {
  std::string isolation; ///< the rung in force
  /// Every rung that was tried, with why it works or does not.
  std::vector<std::pair<std::string, std::string>> rungs;
  std::string python, openpyxl, pandas, numpy; ///< versions
};

/// A kernel in the host that has it; a host that was started again has it not.
struct kernel_id {
  std::uint64_t host = 0;
  std::uint64_t number = 0;
};

enum class cell_status : std::uint8_t {
  ok,
  error,   ///< an exception went through it
  timeout, ///< it was interrupted; the kernel lives
  died,    ///< the kernel is gone
};

struct cell_outcome {
  cell_status status = cell_status::ok;
  std::string output; ///< capped, head and tail
  std::uint64_t cut_bytes = 0;
};

struct cell_limits {
  std::chrono::milliseconds timeout{60'000};
  std::uint32_t output_bytes = 8192;
};

class kernel_port {
public:
  virtual ~kernel_port() = default;
  virtual void rest() {}
  virtual result<kernel_facts> about() = 0;
  /// Every workspace is a directory in here.
  [[nodiscard]] virtual const std::filesystem::path& workspaces() const = 0;
  virtual result<kernel_id> open(const std::filesystem::path& workspace) = 0;
  virtual result<cell_outcome> run(const kernel_id& kernel,
                                   const std::string& code,
                                   const cell_limits& limits) = 0;
  /// Afterwards nothing of it runs any more. One that is gone is fine.
  virtual void close(const kernel_id& kernel) = 0;
};

enum class recalculation_status : std::uint8_t {
  computed,
  unchanged, ///< no formula in it
  invalid,   ///< the workbook cannot be opened: the agent's fault
  timeout,   ///< its formulas take too long, twice: the agent's fault
};

struct recalculation_outcome {
  recalculation_status status = recalculation_status::unchanged;
  std::string detail;
};

class recalculation_port {
public:
  virtual ~recalculation_port() = default;
  virtual void rest() {}
  /// Version of the office program.
  virtual result<std::string> about() = 0;
  /// `out` is written only when something was computed.
  virtual result<recalculation_outcome>
  recalculate(const std::filesystem::path& in,
              const std::filesystem::path& out) = 0;
};

/// The cells that count, as the dataset writes them.
struct sheet_position {
  std::string cells;
  std::string sheet; ///< answer_sheet; empty: not said
};

struct comparison {
  bool passed = false;
  std::string why; ///< the first difference, or what failed
};

struct case_grade {
  comparison official, repaired; ///< by parser of the position
};

/// What `inspect` finds in a workbook.
struct workbook_facts {
  bool loads = false;
  std::string why; ///< if it does not
  std::uint64_t formulas = 0;
  std::uint64_t uncached = 0; ///< formula cells of the position without a value
  std::vector<std::string> volatile_functions; ///< their values change by time
                                               ///< or chance
  std::vector<std::string> sheets;
};

class grader_port {
public:
  virtual ~grader_port() = default;
  virtual void rest() {}
  /// Version of openpyxl.
  virtual result<std::string> about() = 0;
  virtual result<case_grade> grade(const std::filesystem::path& answer,
                                   const std::filesystem::path& golden,
                                   const sheet_position& position) = 0;
  virtual result<workbook_facts> inspect(const std::filesystem::path& workbook,
                                         const sheet_position& position) = 0;
};

} // namespace brewery::spreadsheet
