#pragma once
/// Generates telecom tasks for given customers: combines 1 to `faults_max`
/// faults of the catalogue into cases, writes ticket, initial state and
/// grading, and distributes the cases to train, eval and test. A pure function
/// of options and customers: the bytes are the same on every machine.
///
/// Guarantees, each tested: a case succeeds only if every fault is cured; its
/// remedies make it succeed; doing nothing does not; and no (customer,
/// complaint, set of faults) occurs twice.

#include "base/result.hpp"
#include "envs/environment.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace brewery::tau2 {

/// A line for cases: active, in a phone, its customer with a draft bill (which
/// a top-up is charged to).
struct telecom_line {
  std::string customer_id;
  std::string full_name;
  std::string line_id;
  std::string phone_number;
  double data_limit_gb = 0;
};

struct generator_options {
  std::uint64_t seed = 1;
  std::size_t train = 60;
  std::size_t eval = 40;
  std::size_t test = 60;
  std::size_t faults_max = 6; ///< per case, 1 to 6
  /// The directory with db.toml and user_db.toml: the customers and the working
  /// phone.
  std::filesystem::path customers = "examples/telecom";
};

struct generated_task {
  std::string id; ///< "mobile_data/L2004/mode_2g+bad_vpn"; hidden from agents
  std::string split;
  std::uint8_t complaint = 0;
  bool abroad = false;
  telecom_line line;
  std::vector<std::string> faults; ///< ids, in catalogue order
  json document;                   ///< one element of tasks.json
};

/// Usable lines of a db.toml, in file order. Errors name file, key and line.
result<std::vector<telecom_line>>
load_lines(const std::filesystem::path& db_toml);

/// Tasks in the order train, eval, test. Within a split, fault counts are
/// mixed. Error ec::invalid_argument if the options cannot be fulfilled.
result<std::vector<generated_task>>
make_tasks(const generator_options& options,
           const std::vector<telecom_line>& lines);

/// Writes db.toml, user_db.toml, tasks.json and split_tasks.json to `out`,
/// which is created if needed. load_telecom can read the directory.
result<void> generate_telecom(const generator_options& options,
                              const std::filesystem::path& out);

} // namespace brewery::tau2
