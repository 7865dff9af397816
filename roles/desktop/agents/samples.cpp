#include "roles/desktop/agents/samples.hpp"

#include <thread>

namespace brewery::desktop {

result<std::vector<chat_reply>> ask_samples(const model_asker& ask,
                                            const chat_request& request,
                                            std::uint32_t count,
                                            job_context& context) {
  BREWERY_ASSERT(count > 0);
  std::vector<job_context> contexts(count, context);
  std::vector<result<chat_reply>> replies(count,
                                          error{ec::cancelled, "not asked"});
  const auto ask_one = [&](std::uint32_t n) {
    contexts[n].calls = context.calls + n;
    replies[n] = ask.ask(request, contexts[n]);
  };
  {
    std::vector<std::jthread> others;
    for (std::uint32_t n = 1; n < count; ++n)
      others.emplace_back(ask_one, n);
    ask_one(0);
  }
  context.calls += count;
  std::vector<chat_reply> out;
  for (std::uint32_t n = 0; n < count; ++n) {
    if (replies[n])
      out.push_back(std::move(*replies[n]));
    else if (!ask.gave_up(replies[n].error(), contexts[n]))
      return replies[n].error();
    else
      context.note(ask.role(), reply_trouble::refused,
                   replies[n].error().message);
  }
  if (!out.empty()) return out;
  context.rejected_at = context.calls;
  context.said_nothing = true;
  return replies.front().error();
}

} // namespace brewery::desktop
