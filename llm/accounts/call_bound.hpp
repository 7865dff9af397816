#pragma once
/// What a call can cost at most, known before it is sent: the budget reserves
/// it. An upper bound from bytes, because only the server counts tokens.

#include "llm/accounts/budget.hpp"
#include "llm/model_port.hpp"

namespace brewery {

/// `reply_tokens`: of a reply, if the request sets no limit.
spending spending_at_most(const model_call& call, const token_price& price,
                          std::uint32_t reply_tokens);

} // namespace brewery
