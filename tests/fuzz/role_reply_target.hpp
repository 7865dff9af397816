#pragma once
/// What is done with a model's reply when it is fuzzed: the first byte says who
/// reads the rest. A refusal is one line that can be sent back to the model;
/// what is taken is whole. See targets.hpp for how targets are used.

#include "base/text.hpp"
#include "roles/model/document_reply.hpp"
#include "roles/model/replies.hpp"
#include "roles/model/reply_text.hpp"
#include "roles/model/tool_calls.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace brewery::fuzz {

namespace detail {

inline std::string bad_refusal(const error& refusal) {
  if (refusal.code != ec::malformed) return "refused as something else";
  if (refusal.message.empty()) return "refused without a word";
  for (const char c : refusal.message)
    if (static_cast<unsigned char>(c) < ' ')
      return "a refusal of several lines: " + refusal.message;
  return {};
}

inline std::string ratings(std::string_view reply) {
  const std::vector<std::string> rubrics{"looks", "checks"};
  const auto got = read_ratings(reply, rubrics);
  if (!got) return bad_refusal(got.error());
  if (got->size() != rubrics.size()) return "a rubric without a rating";
  for (std::size_t i = 0; i < rubrics.size(); ++i) {
    const auto& item = got->at(i);
    if (item.rubric != rubrics[i] || item.reason.empty()
        || !(item.score >= 0 && item.score <= 1))
      return "half a rating";
  }
  return {};
}

inline std::string insights(std::string_view reply) {
  const insight_limits limits{5, 3, {"Roaming"}};
  const auto got = read_insights(reply, limits);
  if (!got) return bad_refusal(got.error());
  if (got->kept.size() > limits.most) return "too many insights";
  if (got->kept.empty() && !got->dropped.empty()) return "none is left";
  for (const auto& item : got->kept) {
    if (item.topic.empty() || item.sentence.empty() || item.steps.empty()
        || item.id != identity(item))
      return "half an insight";
    if (item.steps.back() >= limits.steps) return "a step that does not exist";
  }
  return {};
}

inline std::string verdicts(std::string_view reply) {
  const auto got = read_verdicts(reply, 3);
  if (!got) return bad_refusal(got.error());
  return got->size() == 3 ? "" : "a statement without a verdict";
}

inline std::string document(std::string_view reply) {
  const document_request wanted{
      "Title", document_parts("tau2-retail"), {{"one"}, {"two"}}};
  const auto got = read_document(reply, wanted);
  if (!got) return bad_refusal(got.error());
  if (!got->body.starts_with("# Title\n")) return "a document without a title";
  const auto lines = static_cast<std::uint32_t>(
      std::count(got->body.begin(), got->body.end(), '\n'));
  for (const auto& item : got->evidence)
    if (item.line < 1 || item.line > lines || item.insights.empty())
      return "evidence for no line";
  const auto again = read_document(got->body, wanted);
  if (!again) return "it refuses its own document: " + again.error().message;
  return {};
}

inline std::string arguments(std::string_view text) {
  const auto got = read_arguments(text);
  if (!got) return bad_refusal(got.error());
  if (!got->is_object()) return "arguments that are no object";
  // What was taken can be sent to the server again.
  return json::accept(got->dump()) ? "" : "it writes what it cannot read";
}

} // namespace detail

inline std::string role_reply(std::string_view bytes) {
  if (bytes.empty()) return {};
  const auto reply = bytes.substr(1);
  switch (static_cast<unsigned char>(bytes.front()) % 5) {
  case 0:
    return detail::ratings(reply);
  case 1:
    return detail::insights(reply);
  case 2:
    return detail::verdicts(reply);
  case 3:
    return detail::document(reply);
  default:
    return detail::arguments(reply);
  }
}

} // namespace brewery::fuzz
