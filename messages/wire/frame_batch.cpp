#include "messages/wire/frame_batch.hpp"

namespace brewery::wire {

namespace {

constexpr std::size_t length_bytes = 4;
constexpr std::size_t bits_of_byte = 8;

constexpr std::string_view batch_header{"BW\x01\xff", frame_header_bytes};
static_assert(batch_header[2] == static_cast<char>(frame_format)
              && batch_header[3] == static_cast<char>(batch_kind));

void append(std::string& out, std::string_view frame) {
  for (std::size_t i = length_bytes; i > 0; --i)
    out += static_cast<char>(frame.size() >> (bits_of_byte * (i - 1)) & 0xff);
  out += frame;
}

std::size_t read_length(std::string_view bytes) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i)
    length = length << bits_of_byte | static_cast<std::uint8_t>(bytes[i]);
  return length;
}

shared_frame joined(const shared_frame* begin, const shared_frame* end) {
  if (end - begin == 1) return *begin;
  std::string out{batch_header};
  for (const auto* frame = begin; frame != end; ++frame)
    append(out, **frame);
  return std::make_shared<const std::string>(std::move(out));
}

} // namespace

std::vector<shared_frame> batched(std::vector<shared_frame> frames) {
  if (frames.size() < 2) return frames;
  std::vector<shared_frame> out;
  std::size_t first = 0, bytes = 0;
  const auto close = [&](std::size_t end) {
    if (first < end)
      out.push_back(joined(frames.data() + first, frames.data() + end));
    first = end;
    bytes = 0;
  };
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const auto size = frames[i]->size();
    const bool is_large = size > batched_frame_bytes_max;
    if (is_large || i - first == batch_frames_max
        || bytes + size > batch_bytes_max)
      close(i);
    bytes += size;
    if (is_large) close(i + 1);
  }
  close(frames.size());
  return out;
}

result<std::vector<std::string_view>> frames_in(std::string_view bytes) {
  if (!bytes.starts_with(batch_header)) return std::vector{bytes};
  const auto refuse = [](const char* why) {
    return error{ec::malformed, std::string{"a batch of frames "} + why};
  };
  bytes.remove_prefix(batch_header.size());
  std::vector<std::string_view> out;
  while (!bytes.empty()) {
    if (out.size() == batch_frames_max) return refuse("has too many");
    if (bytes.size() < length_bytes) return refuse("ends in a length");
    const auto length = read_length(bytes);
    bytes.remove_prefix(length_bytes);
    if (bytes.size() < length) return refuse("ends within a frame");
    out.push_back(bytes.substr(0, length));
    bytes.remove_prefix(length);
  }
  return out;
}

} // namespace brewery::wire
