#pragma once
/// Generates telecom tasks on customers of one's own: composes 1 to
/// `faults_max` faults of the catalogue into cases, writes ticket, initial
/// state and grading, and deals the cases to train, eval and test. A pure
/// function of options and customers; the bytes never depend on the machine.
///
/// Guarantees, each held by a test: every fault of a case must be cured for
/// the case to succeed, its remedies do make it succeed, doing nothing does
/// not, and no (customer, complaint, set of faults) occurs twice.

#include "base/result.hpp"
#include "envs/environment.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace brewery::tau2 {

/// A line cases can be about: active, in a phone, its customer with a draft
/// bill (a top-up is charged to it).
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
  std::size_t faults_max = 6; ///< at once, 1 to 6
  /// Holds db.toml and user_db.toml: the customers and the working phone.
  std::filesystem::path customers = "examples/telecom";
};

struct generated_task {
  std::string id; ///< "mobile_data/L2004/mode_2g+bad_vpn"; no agent sees it
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

/// Tasks in order train, eval, test; in a split, fault counts are mixed. Error
/// ec::invalid_argument when the options ask for what is impossible.
result<std::vector<generated_task>>
make_tasks(const generator_options& options,
           const std::vector<telecom_line>& lines);

/// Writes db.toml, user_db.toml, tasks.json and split_tasks.json into `out`
/// (created if needed): a directory that load_telecom reads.
result<void> generate_telecom(const generator_options& options,
                              const std::filesystem::path& out);

} // namespace brewery::tau2
