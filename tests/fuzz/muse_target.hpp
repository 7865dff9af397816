#pragma once
/// What is done with a document of a memory of MUSE and with a model's replies
/// to its prompts when they are fuzzed: the first byte says who reads the rest.
/// A refusal is one line and leaves no trace; what is taken is within bounds.
/// See targets.hpp for how targets are used.

#include "kb/muse/memory_text.hpp"
#include "roles/muse/muse_replies.hpp"

#include <string>
#include <string_view>

namespace brewery::fuzz {

namespace detail {

inline std::string muse_refusal(const error& refusal) {
  if (refusal.code != ec::malformed) return "refused as something else";
  for (const char c : refusal.message)
    if (static_cast<unsigned char>(c) < ' ')
      return "a refusal of several lines: " + refusal.message;
  return refusal.message.empty() ? "refused without a word" : "";
}

inline std::string muse_document(std::string_view text) {
  muse::memory all;
  if (const auto ok = muse::read_document(text, all); !ok)
    return all.empty() ? muse_refusal(ok.error()) : "a refusal left a trace";
  const auto written = muse::documents_of(all);
  if (written.size() != 1 || written.front() != text)
    return "what was read is not written back";
  return {};
}

inline std::string
muse_operations(const result<std::vector<memory_operation>>& got) {
  if (!got) return muse_refusal(got.error());
  muse::memory all;
  const auto done = muse::merge(all, *got);
  if (done.added.size() + done.changed.size() + done.refused.size()
      > got->size())
    return "more changes than operations";
  muse::memory again;
  for (const auto& text : muse::documents_of(all))
    if (!muse::read_document(text, again)) break;
  return again == all ? "" : "a memory that cannot be read again";
}

} // namespace detail

inline std::string muse_text(std::string_view bytes) {
  if (bytes.empty()) return {};
  const auto text = bytes.substr(1);
  switch (static_cast<unsigned char>(bytes.front()) % 6) {
  case 0:
    return detail::muse_document(text);
  case 1: {
    const auto got = muse::read_plan(text);
    if (!got) return detail::muse_refusal(got.error());
    return got->size() <= muse::plan_most ? "" : "too many sub-tasks";
  }
  case 2: {
    const auto got = muse::read_verdict(text, 3);
    return got ? "" : detail::muse_refusal(got.error());
  }
  case 3: {
    auto got = muse::read_procedure(text);
    if (!got) return detail::muse_refusal(got.error());
    if (!*got) return {};
    return detail::muse_operations(std::vector{std::move(**got)});
  }
  case 4:
    return detail::muse_operations(muse::read_lessons(text, {"look", "set"}));
  default:
    return detail::muse_operations(muse::read_procedures(text, "board"));
  }
}

} // namespace brewery::fuzz
