#pragma once
/// Says how a call differs from what a recording holds: from the call at its
/// place, or else from the most similar call of its role. Reads the log, so it
/// runs on the recording's thread.

#include "actors/model_recording.hpp"

#include <string>

namespace brewery {

/// One line, without the call's own name. `place` is that name.
std::string recorded_difference(const event_log& log,
                                const recording_index& index,
                                const model_call& call,
                                const request_print& print,
                                const std::string& place);

} // namespace brewery
