#include "cluster/packed_result.hpp"

#include "base/compression.hpp"
#include "messages/wire/frame.hpp"

#include <algorithm>

namespace brewery {

packed_result pack(job_result whole) {
  auto bytes = compress(wire::encode(whole));
  return {without_trajectory(std::move(whole)), std::move(bytes)};
}

result<packed_result> unpack_result(std::string bytes) {
  std::string_view content = bytes;
  if (is_compressed(bytes)) {
    const auto whole = decompress_for_now(
        bytes, std::min(wire::max_frame_bytes, bytes.size() * sent_ratio_max));
    if (!whole)
      return error{whole.error().code, std::string{job_result::type_name} + ": "
                                           + whole.error().message};
    content = *whole;
  }
  auto brief = wire::decode_brief<job_result>(content);
  if (!brief) return brief.error();
  return packed_result{std::move(*brief), std::move(bytes)};
}

} // namespace brewery
