#pragma once
/// The first event of a run's log: what must be equal when the run resumes.

#include "base/result.hpp"
#include "cluster/ledger/job_memo.hpp"
#include "config/config.hpp"
#include "messages/search_msgs.hpp"

namespace brewery {

/// The fingerprints that a record has.
fingerprints keys_of(const run_record& record);

/// With what the log says the keys of its rollouts have, so that they are found
/// again; without a record as given. A log of an older release has nothing of
/// it: there keys have the whole fingerprint.
fingerprints as_recorded(const memo_content& known, fingerprints prints);

/// The record to journal. If the log has a record that agrees in all that
/// results depend on, returns that one; so limits, threads, addresses and newer
/// options may differ. Otherwise returns a new record, which the log refuses if
/// it has another.
run_record started_with(const memo_content& known, const fingerprints& prints,
                        const config& options);

/// Error ec::invalid_argument if the log has a record with another fingerprint:
/// then other data or other models were measured, and no result would count. It
/// names the models, prompts or rubrics that differ; of all else, the words of
/// the fingerprints.
result<void> check_fingerprint(const memo_content& known,
                               const std::string& fingerprint);

/// Whether the log has a record that agrees with the options.
bool is_recorded_with(const memo_content& known, const config& options);

/// How a run began, as its log has it.
struct recorded_start_of_run {
  std::string playing; ///< fingerprint of rollouts without reflection
  config options;      ///< as `what_decides` has them
};

/// Error ec::not_found: the log does not say.
result<recorded_start_of_run> start_on_record(const memo_content& known);

/// What two fingerprints do not begin and end with alike, in whole words.
std::pair<std::string, std::string> differing_words(std::string_view a,
                                                    std::string_view b);

/// If the run was recorded with fewer iterations and otherwise the same, it is
/// extended: forgets its record and its final evaluation, which were of the
/// shorter run. Returns whether it did. Error: that of `check_fingerprint`,
/// whether it would be extended or only go on.
result<bool> extend(memo_content& known, const std::string& fingerprint,
                    const config& options);

/// The part of a configuration that results depend on.
config what_decides(config options);

} // namespace brewery
