#include "roles/prompts/prompt.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "roles/prompts/prompt_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

result<prompt> prompt::parse(const prompt_spec& spec, std::string_view text,
                             std::string_view file) {
  return reader{spec, file}.read(text);
}

slot_kind prompt::kind_of(const std::string& slot) const {
  const auto found = slots_.find(slot);
  BREWERY_ASSERT(found != slots_.end());
  return found->second;
}

std::vector<std::string_view> prompt::data_of(const slot_texts& with) const {
  std::vector<std::string_view> out;
  for (const auto& [name, texts] : with)
    if (kind_of(name) == slot_kind::data)
      out.insert(out.end(), texts.begin(), texts.end());
  return out;
}

namespace {

std::string data_block(const std::string& slot, std::size_t number,
                       std::size_t all, std::string_view text,
                       std::string_view marker) {
  const auto name = all == 1 ? slot : fmt::format("{} {}", slot, number);
  return fmt::format("<{} name=\"{}\">\n{}{}</{}>", marker, name, text,
                     text.ends_with('\n') ? "" : "\n", marker);
}

} // namespace

std::string prompt::fill(const section& part, const slot_texts& with,
                         std::string_view marker) const {
  static const std::vector<std::string> none;
  const auto texts_of = [&](const std::string& slot) -> const auto& {
    const auto found = with.find(slot);
    return found == with.end() ? none : found->second;
  };
  std::string out;
  bool left_out = false;
  for (const auto& item : part) {
    if (item.what == piece_kind::open) {
      const auto& texts = texts_of(item.text);
      left_out = std::all_of(texts.begin(), texts.end(),
                             [](const auto& text) { return text.empty(); });
    } else if (item.what == piece_kind::close) {
      left_out = false;
    } else if (left_out) {
      continue;
    } else if (item.what == piece_kind::words) {
      out += item.text;
    } else if (kind_of(item.text) == slot_kind::text) {
      out += join(texts_of(item.text), "\n");
    } else {
      const auto& texts = texts_of(item.text);
      const auto tag = kind_of(item.text) == slot_kind::given
                           ? tag_of_given(texts)
                           : std::string{marker};
      for (std::size_t i = 0; i < texts.size(); ++i)
        out += (i == 0 ? "" : "\n")
               + data_block(item.text, i + 1, texts.size(), texts[i], tag);
    }
  }
  return std::string{trim(out)};
}

filled_prompt prompt::fill(const slot_texts& with,
                           std::string_view marker) const {
  for (const auto& [name, texts] : with)
    BREWERY_ASSERT(slots_.contains(name));
  return {fill(system_, with, marker), fill(user_, with, marker)};
}

namespace {

std::string choose_tag(const std::string& prefix,
                       const std::vector<std::string_view>& texts,
                       std::size_t digits,
                       const std::vector<std::string_view>& later) {
  constexpr std::uint64_t tries_per_length = 64;
  std::vector<std::string> lowered;
  for (const auto* all : {&texts, &later})
    for (const auto text : *all)
      lowered.push_back(lower(text));
  // Add digits after a while: all short tags may be taken.
  for (std::uint64_t attempt = 0;; ++attempt) {
    hash_input in;
    for (const auto text : texts)
      in.add(text);
    in.add(attempt);
    const auto length = digits + attempt / tries_per_length;
    const auto marker = prefix + in.content().substr(0, length);
    if (std::none_of(lowered.begin(), lowered.end(), [&](const auto& text) {
          return text.find(marker) != std::string::npos;
        }))
      return marker;
  }
}

} // namespace

std::string choose_marker(const std::vector<std::string_view>& texts,
                          std::size_t digits,
                          const std::vector<std::string_view>& later) {
  return choose_tag("data-", texts, digits, later);
}

std::string tag_of_given(const std::vector<std::string>& texts) {
  return choose_tag("given-", {texts.begin(), texts.end()}, 12, {});
}

} // namespace brewery
