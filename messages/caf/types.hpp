#pragma once
/// Type ids, atoms and errors of Brewery's messages for CAF, and
/// `register_types`, which the configuration of every actor system needs.
///
/// **Atoms.** To add one, append `BREWERY_ADD_ATOM(name)` to the block below
/// (at most ten characters). It declares the type `brewery::atom::name` for
/// signatures and the constant `brewery::atom::name_v` for sending:
///
///   using pool_actor =
///       interface<caf::result<void>(atom::submit, rollout_job)>;
///   tell(self, pool, atom::submit_v, job);
///
/// **Message types.** A struct that is sent must have an id: append
/// `CAF_ADD_TYPE_ID(brewery, (brewery::name))`. A forgotten id fails only at
/// run time, so tests/messages/caf_test.cpp serialises every id. Both lists are
/// append only: ids are positions in the block.
///
/// **Errors.** A handler that returns caf::result<T> may `return to_caf(err)`
/// or `return reply(result)`. The requester gets the brewery::error back with
/// `from_caf`.

#include "base/result.hpp"
#include "messages/caf/compat.hpp"
#include "messages/job_msgs.hpp"
#include "messages/search_msgs.hpp"

CAF_BEGIN_TYPE_ID_BLOCK(brewery, caf::first_custom_type_id)

  // rollout_msgs.hpp
  CAF_ADD_TYPE_ID(brewery, (brewery::doc_ref))
  CAF_ADD_TYPE_ID(brewery, (brewery::trajectory_step))
  CAF_ADD_TYPE_ID(brewery, (brewery::retrieval_record))
  CAF_ADD_TYPE_ID(brewery, (brewery::grade_part))
  CAF_ADD_TYPE_ID(brewery, (brewery::grade_report))
  CAF_ADD_TYPE_ID(brewery, (brewery::rubric_rating))
  CAF_ADD_TYPE_ID(brewery, (brewery::insight_fact))
  CAF_ADD_TYPE_ID(brewery, (brewery::insight))
  CAF_ADD_TYPE_ID(brewery, (brewery::rollout_job))
  CAF_ADD_TYPE_ID(brewery, (brewery::rollout_result))
  // kb_msgs.hpp
  CAF_ADD_TYPE_ID(brewery, (brewery::counted_insight))
  CAF_ADD_TYPE_ID(brewery, (brewery::integrate_job))
  CAF_ADD_TYPE_ID(brewery, (brewery::line_evidence))
  CAF_ADD_TYPE_ID(brewery, (brewery::integrate_result))
  CAF_ADD_TYPE_ID(brewery, (brewery::embed_job))
  CAF_ADD_TYPE_ID(brewery, (brewery::embed_result))
  // search_msgs.hpp
  CAF_ADD_TYPE_ID(brewery, (brewery::concept_record))
  CAF_ADD_TYPE_ID(brewery, (brewery::start_expand))
  CAF_ADD_TYPE_ID(brewery, (brewery::node_record))
  CAF_ADD_TYPE_ID(brewery, (brewery::expand_report))
  CAF_ADD_TYPE_ID(brewery, (brewery::gather_record))
  CAF_ADD_TYPE_ID(brewery, (brewery::evaluation_record))
  // ids.hpp
  CAF_ADD_TYPE_ID(brewery, (brewery::task_id))
  CAF_ADD_TYPE_ID(brewery, (brewery::concept_id))
  CAF_ADD_TYPE_ID(brewery, (brewery::node_id))
  CAF_ADD_TYPE_ID(brewery, (brewery::doc_hash))
  CAF_ADD_TYPE_ID(brewery, (brewery::job_id))
  CAF_ADD_TYPE_ID(brewery, (brewery::insight_id))
  // batches
  CAF_ADD_TYPE_ID(brewery, (std::vector<brewery::doc_ref>))
  CAF_ADD_TYPE_ID(brewery, (std::vector<brewery::rollout_job>))
  CAF_ADD_TYPE_ID(brewery, (std::vector<brewery::rollout_result>))

  // job_msgs.hpp
  CAF_ADD_TYPE_ID(brewery, (brewery::job))
  CAF_ADD_TYPE_ID(brewery, (brewery::job_result))
  // search_msgs.hpp
  CAF_ADD_TYPE_ID(brewery, (brewery::document_outcome))
  CAF_ADD_TYPE_ID(brewery, (brewery::search_outcome))
  CAF_ADD_TYPE_ID(brewery, (brewery::run_record))

  BREWERY_ADD_ATOM(run)
  BREWERY_ADD_ATOM(stop)
  BREWERY_ADD_ATOM(tick)
  BREWERY_ADD_ATOM(submit)
  BREWERY_ADD_ATOM(status)
  BREWERY_ADD_ATOM(append)
  BREWERY_ADD_ATOM(recall)
  BREWERY_ADD_ATOM(record)
  BREWERY_ADD_ATOM(expand)
  BREWERY_ADD_ATOM(outcome)
  BREWERY_ADD_ATOM(drain)
  BREWERY_ADD_ATOM(flush)

  // kb_msgs.hpp
  CAF_ADD_TYPE_ID(brewery, (brewery::task_count))

  // the cluster
  CAF_ADD_TYPE_ID(brewery, (brewery::run_id))
  BREWERY_ADD_ATOM(journalled)
  BREWERY_ADD_ATOM(offer)
  BREWERY_ADD_ATOM(gone)
  BREWERY_ADD_ATOM(pause)
  BREWERY_ADD_ATOM(close)
  BREWERY_ADD_ATOM(grant)
  BREWERY_ADD_ATOM(check)

  // grade_msgs.hpp
  CAF_ADD_TYPE_ID(brewery, (brewery::answer_file))
  CAF_ADD_TYPE_ID(brewery, (brewery::grade_job))
  CAF_ADD_TYPE_ID(brewery, (brewery::grade_result))

  // search_msgs.hpp
  CAF_ADD_TYPE_ID(brewery, (brewery::check_share))
  CAF_ADD_TYPE_ID(brewery, (brewery::dropped_concept))
  // rollout_msgs.hpp
  CAF_ADD_TYPE_ID(brewery, (brewery::reply_note))

  // kb_msgs.hpp
  CAF_ADD_TYPE_ID(brewery, (brewery::document_score))

  // search_msgs.hpp
  CAF_ADD_TYPE_ID(brewery, (brewery::tree_record))

  // memory/memory_msgs.hpp
  CAF_ADD_TYPE_ID(brewery, (brewery::named_text))
  CAF_ADD_TYPE_ID(brewery, (brewery::attempt_log))
  CAF_ADD_TYPE_ID(brewery, (brewery::memory_job))
  CAF_ADD_TYPE_ID(brewery, (brewery::memory_result))

  // search_msgs.hpp
  CAF_ADD_TYPE_ID(brewery, (brewery::arm_count))

CAF_END_TYPE_ID_BLOCK(brewery)

BREWERY_ERROR_ENUM(brewery::ec, "brewery")

namespace brewery {

/// Category and code come from the enum; the message becomes the context.
inline caf::error to_caf(const error& err) {
  return caf::make_error(err.code, err.message);
}

/// Also translates CAF's own errors: no answer in time, receiver gone, handler
/// threw, actor told to stop.
error from_caf(const caf::error& err);

/// Turns a core's answer into a handler's answer.
template <class T>
caf::result<T> reply(result<T> answer) {
  if (!answer) return to_caf(answer.error());
  if constexpr (std::is_void_v<T>)
    return {};
  else
    return *std::move(answer);
}

/// Call once per configuration, before its actor system is made.
void register_types(caf::actor_system_config& config);

} // namespace brewery
