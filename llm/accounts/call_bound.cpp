#include "llm/accounts/call_bound.hpp"

#include "llm/accounts/image_tokens.hpp"

namespace brewery {

namespace {

/// An upper bound: a token has at least two bytes in any language.
std::uint64_t tokens_at_most(std::size_t bytes) {
  return bytes / 2 + 64;
}

std::uint64_t prompt_tokens_at_most(const model_call& call) {
  std::uint64_t sum = 0;
  if (const auto* chat = std::get_if<chat_request>(&call.request)) {
    sum += tokens_at_most(chat->schema.size());
    for (const auto& tool : chat->tools)
      sum += tokens_at_most(tool.name.size() + tool.description.size()
                            + tool.parameters.size());
    for (const auto& message : chat->messages) {
      sum += tokens_at_most(message.content.size());
      for (const auto& image : message.images)
        sum += image_tokens_at_most(image);
      for (const auto& asked : message.tool_calls)
        sum += tokens_at_most(asked.name.size() + asked.arguments.size());
    }
  }
  if (const auto* request = std::get_if<embedding_request>(&call.request))
    for (const auto& text : request->texts)
      sum += tokens_at_most(text.size());
  return sum;
}

} // namespace

spending spending_at_most(const model_call& call, const token_price& price,
                          std::uint32_t reply_tokens) {
  std::uint32_t reply = 0;
  if (const auto* chat = std::get_if<chat_request>(&call.request))
    reply = chat->max_tokens > 0 ? chat->max_tokens : reply_tokens;
  const token_usage worst{prompt_tokens_at_most(call), 0, reply, 0};
  return {1, worst.prompt + worst.completion, cost_of(worst, price)};
}

} // namespace brewery
