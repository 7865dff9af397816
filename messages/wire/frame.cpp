#include "messages/wire/frame.hpp"

#include <fmt/format.h>

namespace brewery::wire {

namespace {

using decoder = result<message> (*)(std::string_view);

template <class T>
result<message> decode_body(std::string_view bytes) {
  auto body = decode<T>(bytes);
  if (!body) return body.error();
  return message{std::in_place_type<T>, std::move(*body)};
}

struct kind {
  std::string_view name;
  decoder decode;
};

template <std::size_t... I>
constexpr auto make_kinds(std::index_sequence<I...>) {
  return std::array<kind, sizeof...(I)>{
      kind{std::variant_alternative_t<I, message>::type_name,
           decode_body<std::variant_alternative_t<I, message>>}...};
}

constexpr auto kinds =
    make_kinds(std::make_index_sequence<std::variant_size_v<message>>{});

std::uint8_t byte_at(std::string_view bytes, std::size_t index) {
  return static_cast<std::uint8_t>(bytes[index]);
}

} // namespace

std::string frame(const message& body) {
  return std::visit([](const auto& one) { return frame(one); }, body);
}

result<message> unframe(std::string_view bytes) {
  if (bytes.size() < frame_header_bytes || bytes.substr(0, 2) != "BW")
    return error{ec::malformed, "not a frame of Brewery's"};
  if (byte_at(bytes, 2) != frame_format)
    return error{ec::version_mismatch,
                 fmt::format("a frame of format {}, this build reads format {}",
                             byte_at(bytes, 2), frame_format)};
  if (byte_at(bytes, 3) >= kinds.size())
    return error{ec::malformed, fmt::format("a message of unknown kind {}",
                                            byte_at(bytes, 3))};
  if (bytes.size() > max_frame_bytes)
    return error{ec::malformed,
                 fmt::format("a frame of {} bytes, more than the {} allowed",
                             bytes.size(), max_frame_bytes)};
  return kinds[byte_at(bytes, 3)].decode(bytes.substr(frame_header_bytes));
}

std::string_view kind_name(std::string_view bytes) {
  if (bytes.size() < frame_header_bytes || byte_at(bytes, 3) >= kinds.size())
    return {};
  return kinds[byte_at(bytes, 3)].name;
}

} // namespace brewery::wire
