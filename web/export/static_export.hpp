#pragma once
/// A run as a folder that a browser opens from disk, without a server: the
/// page, and the answers that it would get, in scripts that it loads as they
/// are needed.
///
///   DIR/index.html         opens it
///       app.js style.css icon.svg
///       screenshots/       HASH.png; only if the run kept any
///       data/about.js      which run, in how many parts
///       data/0.js ...      brewery_answer("KEY", "JSON"); a line per answer
///
/// An answer's key are the decoded parts of its address, its parameters and the
/// offset of its page; its part is the key's hash modulo the number of parts
/// (ui/src/exported.ts does the same).

#include "web/run_shelf.hpp"

#include <cstdint>

namespace brewery::web {

struct export_request {
  std::string run;
  std::filesystem::path out;   ///< must not exist
  std::uint64_t bytes_max = 0; ///< of data/ and screenshots/; never passed
};

struct exported_run {
  std::uint64_t bytes = 0; ///< of all files
  std::size_t rollouts = 0;
  std::size_t with_steps = 0; ///< of these; the others did not fit
};

/// What agents did is written in the order of web/export/rollout_order.hpp
/// until the next one would not fit; of the others the head is. Error
/// ec::already_exists: `out` exists. ec::not_found: no such run, or the program
/// has no page in it. ec::invalid_argument: not even the run without its
/// rollouts fits.
result<exported_run> export_run(run_shelf& shelf, const export_request& wanted);

} // namespace brewery::web
