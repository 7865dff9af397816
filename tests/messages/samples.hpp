#pragma once
/// One fully populated value of every message struct, and random ones, for the
/// tests of codecs. Every member differs from its default.

#include "base/rng.hpp"
#include "messages/cluster_msgs.hpp"
#include "messages/memory/memory_msgs.hpp"
#include "messages/memory/memory_record.hpp"
#include "messages/memory/muse_msgs.hpp"
#include "messages/model_msgs.hpp"
#include "messages/search_msgs.hpp"
#include "messages/side_records.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace brewery::samples {

/// Every struct of messages/*.hpp: a new one is added here and then must pass
/// every codec's tests.
using all_messages = std::tuple<
    doc_ref, trajectory_step, retrieval_record, grade_part, grade_report,
    rubric_rating, insight_fact, insight, rollout_job, rollout_result,
    task_count, counted_insight, document_score, integrate_job, line_evidence,
    integrate_result, embed_job, embed_result, concept_record, start_expand,
    node_record, expand_report, gather_record, tree_record, check_share,
    arm_count, evaluation_record, document_outcome, search_outcome,
    dropped_concept, reply_note, answer_file, grade_job, grade_result,
    named_text, attempt_log, memory_job, memory_result, job, job_result>;

/// What only travels between processes: no actor ever sends it.
using cluster_messages =
    std::tuple<lease_key, benchmark_offer, worker_job, worker_hello,
               worker_heartbeat, result_report, blob_request, worker_goodbye,
               worker_welcome, peer_refusal, lease_grant, heartbeat_reply,
               result_ack, packed_insights, packed_rollout_insights,
               lease_cancel, drain_order, blob_content, run_setup,
               operator_request, operator_reply>;

/// What is only written to logs: no actor sends it as such.
using log_messages =
    std::tuple<run_record, confirmation, economy_count, job_purpose,
               purpose_record, spend_record, memory_change, memory_record,
               sub_task_record, memory_operation, look_lines, muse_attempt>;

/// What is asked of language models and graders, and the recording of it.
using model_messages =
    std::tuple<chat_tool_call, chat_image, chat_message, chat_tool,
               chat_request, token_usage, chat_reply, embedding_request,
               embedding_reply, model_call, model_answer, request_print,
               model_record, prompt_part, model_ask, model_reply, grade_ask,
               grade_reply>;

template <class T>
void fill(T& value, std::uint32_t& next);
template <class T>
void fill(shared_list<T>& list, std::uint32_t& next);
template <class T>
void fill(shared_value<T>& shared, std::uint32_t& next);

template <class Key, class T>
void fill(std::map<Key, T>& items, std::uint32_t& next) {
  for (int i = 0; i < 2; ++i) {
    Key key;
    fill(key, next);
    fill(items[key], next);
  }
}

template <class T>
void fill(std::vector<T>& items, std::uint32_t& next) {
  items.resize(2);
  for (auto& item : items)
    fill(item, next);
}

template <class T>
void fill(shared_list<T>& list, std::uint32_t& next) {
  std::vector<T> items;
  fill(items, next);
  list = std::move(items);
}

/// What becomes a list when it is read.
template <class Insights>
requires requires {
  typename Insights::list_type;
}
void fill(Insights& made, std::uint32_t& next) {
  typename Insights::list_type list;
  fill(list, next);
  made = list;
}

template <class T>
void fill(shared_value<T>& shared, std::uint32_t& next) {
  T value;
  fill(value, next);
  shared = std::move(value);
}

template <class T>
void fill(std::optional<T>& value, std::uint32_t& next) {
  fill(value.emplace(), next);
}

/// A sum holds its first alternative: `full_of` has the others.
template <class T, class Variant>
void fill(alternative<T, Variant>& one, std::uint32_t& next) {
  constexpr auto first = may_hold_nothing<Variant> ? 1 : 0;
  if constexpr (std::is_same_v<T, std::variant_alternative_t<first, Variant>>)
    fill(one.emplace(), next);
}

/// Distinct small values in field order: 1, 2, 3 ... so that a golden shows
/// which field is which.
template <class T>
void fill(T& value, std::uint32_t& next) {
  if constexpr (described<T>)
    T::each(value, [&](auto... fields) { (fill(fields.value, next), ...); });
  else if constexpr (is_strong_id<T>)
    fill(value.value, next);
  else if constexpr (std::is_same_v<T, bool>)
    value = true;
  else if constexpr (std::is_same_v<
                         T, std::string> || std::is_same_v<T, shared_text>)
    value = "s" + std::to_string(++next);
  else if constexpr (std::is_same_v<T, text_table>)
    for (int i = 0; i < 2; ++i)
      value.push_back("s" + std::to_string(++next));
  else if constexpr (std::is_enum_v<T>)
    value = static_cast<T>(1);
  else if constexpr (std::is_floating_point_v<T>)
    value = ++next + 0.5;
  else
    value = static_cast<T>(++next);
}

template <class T>
T full() {
  T value;
  std::uint32_t next = 0;
  fill(value, next);
  return value;
}

/// A sum that holds this alternative: a job of another kind.
template <class T, class Alternative>
T full_of() {
  auto value = full<T>();
  std::uint32_t next = 100;
  T::each(value, [&](auto... fields) {
    const auto take = [&]<class Value>(Value& one) {
      if constexpr (is_alternative<Value>)
        if constexpr (std::is_same_v<typename Value::value_type, Alternative>)
          fill(one.emplace(), next);
    };
    (take(fields.value), ...);
  });
  return value;
}

template <class T>
void randomize(T& value, rng& draw);
template <class T>
void randomize(shared_list<T>& list, rng& draw);
template <class T>
void randomize(shared_value<T>& shared, rng& draw);

template <class T>
void randomize(std::optional<T>& value, rng& draw) {
  value.reset();
  if (draw.below(2) == 1) randomize(value.emplace(), draw);
}

template <class T, class Variant>
void randomize(alternative<T, Variant>& one, rng& draw) {
  if (draw.below(3) == 0) randomize(one.emplace(), draw);
}

template <class T>
void randomize(std::vector<T>& items, rng& draw) {
  items.resize(draw.below(4));
  for (auto& item : items)
    randomize(item, draw);
}

template <class T>
void randomize(shared_list<T>& list, rng& draw) {
  std::vector<T> items;
  randomize(items, draw);
  list = std::move(items);
}

template <class Insights>
requires requires {
  typename Insights::list_type;
}
void randomize(Insights& told, rng& draw) {
  typename Insights::list_type list;
  randomize(list, draw);
  told = list;
}

template <class T>
void randomize(shared_value<T>& shared, rng& draw) {
  T value;
  randomize(value, draw);
  shared = std::move(value);
}

template <class Key, class T>
void randomize(std::map<Key, T>& items, rng& draw);

inline std::string random_bytes(rng& draw, std::uint64_t below) {
  std::string bytes(draw.below(below), '\0');
  for (auto& byte : bytes)
    byte = static_cast<char>(draw.below(256));
  return bytes;
}

template <class T>
void randomize(T& value, rng& draw) {
  if constexpr (described<T>) {
    T::each(value,
            [&](auto... fields) { (randomize(fields.value, draw), ...); });
    if constexpr (std::is_same_v<T, evaluation_record>)
      value.rewards.resize(value.tasks.size()); // no other is one
  } else if constexpr (is_strong_id<T>)
    randomize(value.value, draw);
  else if constexpr (std::is_same_v<T, bool>)
    value = draw.below(2) == 1;
  else if constexpr (std::is_same_v<
                         T, std::string> || std::is_same_v<T, shared_text>)
    value = random_bytes(draw, draw.below(8) == 0 ? 300 : 12);
  else if constexpr (std::is_same_v<T, text_table>)
    for (auto left = draw.below(4); left > 0; --left)
      value.push_back(random_bytes(draw, 12));
  else if constexpr (std::is_enum_v<T>)
    value = static_cast<T>(draw.below(2));
  else if constexpr (std::is_floating_point_v<T>)
    value = (draw.uniform() - 0.5) * static_cast<double>(draw.next());
  else
    value = static_cast<T>(draw.next() >> draw.below(64));
}

template <class Key, class T>
void randomize(std::map<Key, T>& items, rng& draw) {
  for (auto i = draw.below(4); i > 0; --i) {
    Key key;
    randomize(key, draw);
    randomize(items[key], draw);
  }
}

namespace detail {

template <class F, class... Ts>
void for_each_of(F& f, std::type_identity<std::tuple<Ts...>>) {
  (f.template operator()<Ts>(), ...);
}

} // namespace detail

/// Calls `f.template operator()<T>()` for every struct that actors send.
template <class F>
void for_each_actor_message(F&& f) {
  detail::for_each_of(f, std::type_identity<all_messages>{});
}

/// The same for every message struct.
template <class F>
void for_each_message(F&& f) {
  for_each_actor_message(f);
  detail::for_each_of(f, std::type_identity<cluster_messages>{});
  detail::for_each_of(f, std::type_identity<log_messages>{});
  detail::for_each_of(f, std::type_identity<model_messages>{});
}

} // namespace brewery::samples
