#include "process/descriptor_limit.hpp"

namespace brewery {

namespace {

/// Written once, before there are threads.
std::optional<rlimit> before;

} // namespace

void raise_descriptor_limit() {
  rlimit limit{};
  if (before || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  auto raised = limit;
  raised.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) before = limit;
}

std::optional<rlimit> descriptor_limit_of_children() {
  return before;
}

} // namespace brewery
