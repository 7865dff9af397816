#include "llm/format/embedding_codec.hpp"

#include "llm/accounts/usage.hpp"
#include "llm/format/json_text.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

error malformed_embedding(std::string_view where, std::string_view why) {
  return {ec::malformed, fmt::format("embedding reply: {} {}", where, why)};
}

result<std::vector<double>> vector_of(const sorted_json& item,
                                      const std::string& where) {
  const auto* numbers = member(item, "embedding");
  if (numbers == nullptr || !numbers->is_array() || numbers->empty())
    return malformed_embedding(where,
                               "has no embedding that is a list of numbers");
  std::vector<double> out;
  out.reserve(numbers->size());
  for (const auto& number : *numbers) {
    // The parser has refused numbers that are not finite.
    if (!number.is_number())
      return malformed_embedding(
          where, fmt::format("has {} among the numbers", kind_of(number)));
    out.push_back(number.get<double>());
  }
  return out;
}

/// Where it belongs. Without any index they are in order.
result<std::size_t> place_of(const sorted_json& item, std::size_t position,
                             std::size_t count, const std::string& where) {
  if (member(item, "index") == nullptr) return position;
  auto index = count_member(item, "index", where);
  if (!index) return malformed_embedding("", index.error().message);
  if (*index >= count)
    return malformed_embedding(
        where,
        fmt::format("has index {}, but there are {} texts", *index, count));
  return static_cast<std::size_t>(*index);
}

result<void> check_lengths(const embedding_reply& reply,
                           const embedding_request& request) {
  const auto length = request.dimensions > 0 ? request.dimensions
                                             : reply.vectors.front().size();
  for (std::size_t i = 0; i < reply.vectors.size(); ++i)
    if (reply.vectors[i].size() != length)
      return malformed_embedding(fmt::format("the vector of text {}", i),
                                 fmt::format("has {} numbers, expected {}",
                                             reply.vectors[i].size(), length));
  return {};
}

} // namespace

result<std::string> encode_embedding(const embedding_request& request) {
  if (request.texts.empty())
    return error{ec::invalid_argument, "embedding request: there is no text"};
  for (std::size_t i = 0; i < request.texts.size(); ++i)
    if (request.texts[i].empty())
      return error{ec::invalid_argument,
                   fmt::format("embedding request: text {} is empty", i)};
  sorted_json out{{"model", request.model}, {"input", request.texts}};
  if (request.dimensions > 0) out["dimensions"] = request.dimensions;
  return to_text(out);
}

result<embedding_reply> decode_embedding(std::string_view body,
                                         const embedding_request& request) {
  const auto parsed = parse_server_json(body, "embedding reply");
  if (!parsed) return parsed.error();
  const auto count = request.texts.size();
  const auto* data = member(*parsed, "data");
  if (data == nullptr || !data->is_array())
    return malformed_embedding("data", "is missing or no list");
  if (data->size() != count)
    return malformed_embedding(
        "data",
        fmt::format("has {} entries for {} texts", data->size(), count));
  embedding_reply out;
  out.vectors.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto where = fmt::format("data[{}]", i);
    auto numbers = vector_of((*data)[i], where);
    if (!numbers) return numbers.error();
    auto place = place_of((*data)[i], i, count, where);
    if (!place) return place.error();
    if (!out.vectors[*place].empty())
      return malformed_embedding(
          where, fmt::format("is a second one for text {}", *place));
    out.vectors[*place] = *std::move(numbers);
  }
  if (count > 0)
    if (auto ok = check_lengths(out, request); !ok) return ok.error();
  auto usage = usage_of(*parsed);
  if (!usage) return malformed_embedding("its", usage.error().message);
  out.usage = *usage;
  return out;
}

} // namespace brewery
