#pragma once
/// Converts grade questions between today's messages and protocol 3, which
/// sends them as messages to language models with the number `grade_number`.
/// PURE.

#include "base/result.hpp"
#include "messages/cluster_msgs.hpp"

namespace brewery {

/// For a coordinator of protocol 3.
model_ask as_model_ask(const grade_ask& ask);
/// From a coordinator of protocol 3. Content that cannot be read becomes an
/// error in the reply.
grade_reply as_grade_reply(const model_reply& reply);

/// From a worker of protocol 3. Error ec::malformed if `call` cannot be read.
result<grade_ask> as_grade_ask(const model_ask& ask);
/// For a worker of protocol 3. `id` is the id of the grade job.
model_reply as_model_reply(const grade_reply& reply, const job_id& id);

} // namespace brewery
