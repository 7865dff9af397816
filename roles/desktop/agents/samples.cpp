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
  for (auto& reply : replies) {
    if (!reply) return reply.error();
    out.push_back(std::move(*reply));
  }
  return out;
}

} // namespace brewery::desktop
