#include "economy/rollout_parts.hpp"

#include "base/compression.hpp"
#include "base/hash.hpp"
#include "messages/wire/codec.hpp"
#include "messages/wire/frame.hpp"

#include <bit>

namespace brewery {

std::string sample_of(const rollout_job& work, bool all_trials) {
  hash_input in;
  in.add(work.task.value).add(work.seed).add(std::uint64_t{work.reflect});
  if (!all_trials) in.add(std::uint64_t{work.trial});
  return in.add(work.fingerprint).content();
}

std::string hash_of_trajectory(const rollout_result& rollout) {
  hash_input in;
  for (const auto& step : rollout.steps)
    in.add(step.requestor)
        .add(step.tool)
        .add(step.arguments)
        .add(step.observation)
        .add(std::uint64_t{step.failed});
  for (const auto& answer : rollout.answers)
    in.add(std::uint64_t{answer.number})
        .add(answer.lacking)
        .add(answer.content);
  for (const auto& rating : rollout.ratings)
    in.add(rating.rubric)
        .add(std::bit_cast<std::uint64_t>(rating.score))
        .add(rating.reason);
  for (const auto& item : rollout.insights)
    in.add(item->id.value);
  return in.content();
}

rollout_result brief_of(const rollout_result& whole) {
  rollout_result out;
  out.id = whole.id;
  out.task = whole.task;
  out.trial = whole.trial;
  out.error = whole.error;
  out.grade = whole.grade;
  out.ratings = whole.ratings;
  out.asked = whole.asked;
  out.before_draw = whole.before_draw;
  return out;
}

std::string kept_insights(const rollout_result& whole) {
  rollout_result part;
  part.insights = whole.insights;
  return compress(wire::encode(part));
}

result<rollout_insights> insights_in(const std::string& kept) {
  auto bytes = is_compressed(kept) ? decompress(kept, wire::max_frame_bytes)
                                   : result<std::string>{kept};
  if (!bytes) return bytes.error();
  auto part = wire::decode<rollout_result>(*bytes);
  if (!part) return part.error();
  return std::move(part->insights);
}

} // namespace brewery
