#include "run/build_info.hpp"

namespace brewery {

std::string_view build_commit() {
  return BREWERY_COMMIT;
}

} // namespace brewery
