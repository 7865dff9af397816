#pragma once
/// What is done with an experience of Agent KB, a document that becomes one,
/// and a model's reply to the prompts that make one, when they are fuzzed: the
/// first byte says who reads the rest. A refusal is one line; what is taken is
/// written back the same, byte for byte. See targets.hpp for how targets are
/// used.

#include "kb/experience/from_document.hpp"
#include "kb/experience/to_document.hpp"
#include "llm/format/json_schema.hpp"
#include "roles/memory/experience_reply.hpp"
#include "roles/model/reply_schemas.hpp"
#include "roles/model/reply_text.hpp"

#include <string>
#include <string_view>

namespace brewery::fuzz {

namespace detail {

inline std::string experience_refusal(const error& refusal) {
  if (refusal.code != ec::malformed) return "refused as something else";
  for (const char c : refusal.message)
    if (static_cast<unsigned char>(c) < ' ')
      return "a refusal of several lines: " + refusal.message;
  return refusal.message.empty() ? "refused without a word" : "";
}

/// What is in a memory: written and read again it is the same.
inline std::string experience_taken(const experience& item) {
  const auto text = to_markdown(item);
  const auto again = read_experience(text);
  if (!again) return "cannot be read again: " + again.error().message;
  if (to_markdown(*again) != text) return "what was read is not written back";
  const auto back = experience_of(to_document(*again), again->domain);
  // As a document it may be too long to come back.
  if (!back) return experience_refusal(back.error());
  return {};
}

inline std::string experience_reply_taken(std::string_view text) {
  static const auto checker = json_schema::parse(
      *plain_schema(object_schema(experience_members()).dump()));
  const auto found = extract_json(text, *checker);
  if (!found) return {};
  auto item = experience_in(json::parse(*found));
  item.domain = "toy";
  const auto written = to_markdown(item);
  // What the limits of texts have emptied is dropped by the role.
  const auto got = read_experience(written);
  if (!got) return experience_refusal(got.error());
  return to_markdown(*got) == written ? "" : "a reply is not written back";
}

} // namespace detail

inline std::string experience_text(std::string_view bytes) {
  if (bytes.empty()) return {};
  const auto text = bytes.substr(1);
  switch (static_cast<unsigned char>(bytes.front()) % 3) {
  case 0: {
    const auto got = read_experience(text);
    return got ? detail::experience_taken(*got)
               : detail::experience_refusal(got.error());
  }
  case 1: {
    const auto got = experience_of(text, "toy");
    return got ? detail::experience_taken(*got)
               : detail::experience_refusal(got.error());
  }
  default:
    return detail::experience_reply_taken(text);
  }
}

} // namespace brewery::fuzz
