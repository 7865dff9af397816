#pragma once
/// Which grades this program can compute itself. Pure.

#include "envs/osworld/tasks/task.hpp"

namespace brewery::osworld {

bool is_native_metric(std::string_view name);
bool is_native_getter(std::string_view type);

/// The metrics and getters of an evaluator that are not native, joined by a
/// comma; empty: the whole grade is.
std::string not_native(const evaluator& graded);

} // namespace brewery::osworld
