#pragma once
/// What is known of models by their names.

#include <string_view>

namespace brewery {

/// OpenAI's reasoning models, which refuse `temperature` and `max_tokens`: o1,
/// o3, o4 and gpt-5, of any size and date, also behind a vendor's prefix
/// ("openai/o3"). False for gpt-5-chat, which does not reason.
bool is_reasoning_model(std::string_view name);

} // namespace brewery
