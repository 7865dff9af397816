#include "sim/simulated_models.hpp"

#include "sim/simulated_work.hpp"

namespace brewery::simulated {

void simulated_models::ask(const model_call& call, answer_handler done) {
  const auto key = wire::encode(call);
  if (const auto known = log_.replies.find(key); known != log_.replies.end())
    return done(*wire::decode<model_answer>(known->second));
  auto& waiting = under_way_[key];
  waiting.push_back(std::move(done));
  if (waiting.size() > 1) return;
  constexpr std::uint64_t usual_us = 80'000, longest_us = 3'000'000;
  const auto longest = draw_.below(16) == 0 ? longest_us : usual_us;
  const bool let_go = moody_ && draw_.below(32) == 0;
  port_.after(microseconds{static_cast<std::int64_t>(draw_.below(longest))},
              [=, this] { answered(key, call, let_go); });
}

void simulated_models::answered(const std::string& key, const model_call& call,
                                bool let_go) {
  const auto answer = simulated_reply(call);
  if (!let_go && !log_.replies.emplace(key, wire::encode(answer)).second)
    port_.violated("a reply was recorded twice");
  const auto waiting = under_way_.extract(key);
  for (const auto& tell : waiting.mapped()) {
    if (let_go)
      tell(error{ec::cancelled, "the run ends"});
    else
      tell(answer);
  }
}

} // namespace brewery::simulated
