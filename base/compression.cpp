#include "base/compression.hpp"

#include <fmt/format.h>

#include <memory>
#include <zstd.h>

namespace brewery {

namespace {

/// A third of the time of zlib's fastest level and three quarters of its bytes.
/// Higher levels hardly shrink results further.
constexpr int compression_level = 1;

struct release {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

error refuse(const std::string& what) {
  return {ec::malformed, "compressed bytes: " + what};
}

} // namespace

std::string compress(std::string bytes) {
  if (bytes.size() < compress_from_bytes) return bytes;
  // Its tables are larger than most payloads, so they are made once.
  thread_local const std::unique_ptr<ZSTD_CCtx, release> context{
      ZSTD_createCCtx()};
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const auto length =
      ZSTD_compressCCtx(context.get(), out.data(), out.size(), bytes.data(),
                        bytes.size(), compression_level);
  // Fails only without memory or with a buffer that is too small.
  BREWERY_ASSERT(ZSTD_isError(length) == 0);
  if (length >= bytes.size()) return bytes;
  out.resize(length);
  out.shrink_to_fit();
  return out;
}

std::string compress_to_send(std::string bytes) {
  auto frame = compress(bytes);
  return frame.size() * sent_ratio_max < bytes.size() ? std::move(bytes)
                                                      : std::move(frame);
}

bool is_compressed(std::string_view bytes) {
  return bytes.starts_with("\x28\xB5\x2F\xFD");
}

std::size_t content_size(std::string_view frame) {
  const auto size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  const bool known =
      size != ZSTD_CONTENTSIZE_UNKNOWN && size != ZSTD_CONTENTSIZE_ERROR;
  return is_compressed(frame) && known ? static_cast<std::size_t>(size) : 0;
}

namespace {

/// The length of the content, if the frame may be decompressed.
result<std::size_t> checked_size(std::string_view frame,
                                 std::size_t bytes_max) {
  const auto size = content_size(frame);
  if (size <= frame.size()) return refuse("their frame does not give a length");
  if (size > bytes_max)
    return refuse(fmt::format("{} bytes of content, more than the {} allowed",
                              size, bytes_max));
  if (ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size())
    return refuse("they are cut off, damaged or more than one frame");
  return size;
}

result<void> decompress_to(char* out, std::size_t size,
                           std::string_view frame) {
  thread_local const std::unique_ptr<ZSTD_DCtx, release> context{
      ZSTD_createDCtx()};
  const auto length =
      ZSTD_decompressDCtx(context.get(), out, size, frame.data(), frame.size());
  if (length != size) // or an error's code, which is larger than any size
    return refuse("their content is damaged");
  return {};
}

} // namespace

result<std::string> decompress(std::string_view frame, std::size_t bytes_max) {
  const auto size = checked_size(frame, bytes_max);
  if (!size) return size.error();
  std::string out(*size, '\0');
  if (auto ok = decompress_to(out.data(), *size, frame); !ok) return ok.error();
  return out;
}

result<std::string_view> decompress_for_now(std::string_view frame,
                                            std::size_t bytes_max) {
  struct memory {
    std::unique_ptr<char[]> bytes; // NOLINT(modernize-avoid-c-arrays)
    std::size_t size = 0;
  };
  constexpr std::size_t usual_bytes = 1U << 20U;
  thread_local memory kept;
  const auto size = checked_size(frame, bytes_max);
  if (!size) return size.error();
  if (*size > kept.size || kept.size > usual_bytes) {
    kept.size = 0;
    kept.bytes.reset(); // not both at a time
    // Not filled with anything: the frame does that.
    kept.bytes.reset(new char[*size]);
    kept.size = *size;
  }
  if (auto ok = decompress_to(kept.bytes.get(), *size, frame); !ok)
    return ok.error();
  return std::string_view{kept.bytes.get(), *size};
}

} // namespace brewery
