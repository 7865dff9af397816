#include "net/free_descriptors.hpp"

#include "base/file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <sys/eventfd.h>
#include <vector>

namespace brewery {

result<void> check_free_descriptors(std::size_t wanted) {
  std::vector<file_descriptor> held;
  while (held.size() < wanted) {
    file_descriptor one{::eventfd(0, EFD_CLOEXEC)};
    if (!one)
      return error{
          ec::io, fmt::format("{} descriptors are needed and {} are free ({}); "
                              "raise `ulimit -n`",
                              wanted, held.size(), std::strerror(errno))};
    held.push_back(std::move(one));
  }
  return {};
}

} // namespace brewery
