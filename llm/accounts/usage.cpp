#include "llm/accounts/usage.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

/// No server takes or writes more at once: a larger count is a mistake.
constexpr std::uint64_t count_max = 1'000'000'000;

/// A count inside one of usage's objects of details.
result<std::uint64_t> detail(const sorted_json& usage, const char* group,
                             const char* name) {
  const auto* found = member(usage, group);
  if (found == nullptr) return std::uint64_t{0};
  const auto where = fmt::format("usage.{}", group);
  if (!found->is_object())
    return error{ec::malformed, fmt::format("{} is {}, expected an object",
                                            where, kind_of(*found))};
  return count_member(*found, name, where);
}

/// Some servers (Gemini) count what a model thinks in the total alone, and
/// charge it. A total of less, or one that is no count, says nothing.
void add_uncounted(token_usage& out, const sorted_json& usage) {
  if (member(usage, "prompt_tokens") == nullptr
      || member(usage, "completion_tokens") == nullptr)
    return;
  const auto total = count_member(usage, "total_tokens", "usage");
  const auto parts = out.prompt + out.completion;
  if (!total || *total <= parts || *total > 2 * count_max) return;
  out.completion += *total - parts;
  if (out.reasoning == 0) out.reasoning = *total - parts;
}

} // namespace

result<token_usage> usage_of(const sorted_json& reply) {
  const auto* usage = member(reply, "usage");
  if (usage == nullptr) return token_usage{};
  if (!usage->is_object())
    return error{ec::malformed, fmt::format("usage is {}, expected an object",
                                            kind_of(*usage))};
  token_usage out;
  const auto take = [](std::uint64_t& to, const result<std::uint64_t>& from) {
    if (from) to = *from;
    return from.has_value();
  };
  for (auto [to, from] :
       {std::pair{&out.prompt, count_member(*usage, "prompt_tokens", "usage")},
        std::pair{&out.completion,
                  count_member(*usage, "completion_tokens", "usage")},
        std::pair{&out.cached,
                  detail(*usage, "prompt_tokens_details", "cached_tokens")},
        std::pair{&out.reasoning, detail(*usage, "completion_tokens_details",
                                         "reasoning_tokens")}})
    if (!take(*to, from)) return from.error();
  if (out.cached == 0) { // DeepSeek
    const auto hit = count_member(*usage, "prompt_cache_hit_tokens", "usage");
    if (!take(out.cached, hit)) return hit.error();
  }
  if (out.cached > out.prompt) out.prompt += out.cached;
  if (out.reasoning > out.completion) out.completion += out.reasoning;
  add_uncounted(out, *usage);
  if (std::max(out.prompt, out.completion) > count_max) return token_usage{};
  return out;
}

token_usage counts_in(std::string_view body) {
  const auto parsed = parse_server_json(body, "reply");
  if (!parsed) return {};
  const auto usage = usage_of(*parsed);
  return usage ? *usage : token_usage{};
}

} // namespace brewery
