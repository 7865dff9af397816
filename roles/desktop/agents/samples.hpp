#pragma once
/// Several samples of one request, asked for at once: servers with a prompt
/// cache read the screenshots once, and a step takes as long as the slowest
/// sample, not as all together.

#include "roles/model/model_asker.hpp"

namespace brewery::desktop {

/// `count` replies, in the order of their numbers, which are those of calls one
/// after the other, without those that the model refused. Error: that of the
/// first one that failed, or of the first if all were refused; none is lost
/// from the recording.
result<std::vector<chat_reply>> ask_samples(const model_asker& ask,
                                            const chat_request& request,
                                            std::uint32_t count,
                                            job_context& context);

} // namespace brewery::desktop
