#pragma once
/// The steps of one run over a running engine: searches, the final evaluation,
/// what is written. Used by one thread.

#include "apps/session.hpp"

#include <memory>
#include <string>
#include <vector>

namespace brewery {

class run_steps {
public:
  run_steps(session_inputs& in, const problem& what, std::string fingerprint,
            document_store& documents, engine& machine)
      : in_(in), what_(what), fingerprint_(std::move(fingerprint)),
        documents_(documents), machine_(machine) {}

  result<run_summary> run(const run_record& started);

  /// Documents and report of a run that is done.
  result<void> write(run_summary& summary);

  /// The documents as they were gathered last, of a run that could not end: the
  /// best there are. Nothing when nothing was gathered.
  result<void> write_unfinished();

private:
  result<search_outcome> search(const std::string& strategy);
  result<void> evaluate(run_summary& summary);
  /// The arm is on record when it returns, and added to `arms`.
  result<void> measure(const std::string& name, const brew_settings& how,
                       const std::vector<doc_ref>& knowledge,
                       std::vector<evaluation_record>& arms);

  session_inputs& in_;
  const problem& what_;
  std::string fingerprint_;
  document_store& documents_;
  engine& machine_;
};

} // namespace brewery
