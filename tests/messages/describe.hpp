#pragma once
/// docs/messages.md as text, made from the structs: what a peer written in
/// another language has to know. A test compares the file with this and can
/// write it (tests/messages/describe_test.cpp), so they cannot differ.

#include "base/compression.hpp"
#include "messages/model_msgs.hpp"
#include "messages/wire/frame_batch.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace brewery {

namespace detail {

/// Its name as the codec's errors say it, with a link to its table.
template <class T>
std::string struct_link() {
  return std::string{"["} + T::type_name + "](#" + T::type_name + ")";
}

template <class T>
struct map_types;
template <class Key, class T>
struct map_types<std::map<Key, T>> {
  using key = Key;
  using entry = T;
};

/// What a value of T is on the wire: "list of text".
template <class T>
std::string wire_type() {
  if constexpr (described<T>)
    return struct_link<T>();
  else if constexpr (is_strong_id<T>)
    return wire_type<decltype(T::value)>();
  else if constexpr (wire::sent_as_another<T>)
    return wire_type<typename wire::sent_as<T>::type>();
  else if constexpr (is_shared_value<T>)
    return wire_type<typename T::value_type>();
  else if constexpr (
      wire::detail::is_list<
          T> || wire::detail::is_optional<T> || is_alternative<T>)
    return "list of " + wire_type<typename T::value_type>();
  else if constexpr (wire::detail::is_map<T>)
    return "map of " + wire_type<typename map_types<T>::key>() + " to "
           + wire_type<typename map_types<T>::entry>();
  else if constexpr (std::is_same_v<T, std::string>)
    return "text";
  else if constexpr (std::is_same_v<T, bool>)
    return "boolean";
  else if constexpr (std::is_enum_v<T>)
    return std::string{"unsigned, 0 to "} + std::to_string(wire::last_value<T>)
           + " (" + wire::enum_range<T>::name + ")";
  else if constexpr (std::is_floating_point_v<T>)
    return "real";
  else if constexpr (std::is_unsigned_v<T>)
    return "unsigned, " + std::to_string(8 * sizeof(T)) + " bits";
  else
    return "signed, " + std::to_string(8 * sizeof(T)) + " bits";
}

template <class Struct>
bool optional_field_of(std::string_view name) {
  if constexpr (requires { Struct::optional_field(name); })
    return Struct::optional_field(name);
  else
    return false;
}

} // namespace detail

/// The table of one struct's fields, in the order they are written.
template <described T>
std::string fields_markdown() {
  std::string out = "| field | type | may be lacking |\n|---|---|---|\n";
  T none;
  T::each(none, [&]<class... Fields>(field<Fields>... fields) {
    ((out += std::string{"| `"} + fields.name + "` | "
             + detail::wire_type<Fields>() + " | "
             + (detail::optional_field_of<T>(fields.name) ? "yes" : "")
             + " |\n"),
     ...);
  });
  return out;
}

/// Tables of structs and, once each, of the structs inside them.
class message_tables {
public:
  /// `remark` is a line below the heading.
  template <described T>
  void add(const std::string& remark = {}) {
    if (!seen_.insert(T::type_name).second) return;
    out_ += std::string{"\n### "} + T::type_name + "\n\n" + remark
            + (remark.empty() ? "" : "\n\n") + fields_markdown<T>();
    T none;
    T::each(none, [this]<class... Fields>(field<Fields>...) {
      (find_inside<Fields>(), ...);
    });
  }

  /// Then the structs found inside, and those inside them.
  void add_nested() {
    while (!waiting_.empty()) {
      const auto next = std::move(waiting_.front());
      waiting_.erase(waiting_.begin());
      (this->*next)({});
    }
  }

  void say(std::string_view text) { out_ += text; }
  [[nodiscard]] std::string take() { return std::move(out_); }

private:
  using adder = void (message_tables::*)(const std::string&);

  template <class T>
  void find_inside() {
    if constexpr (wire::sent_as_another<T>)
      find_inside<typename wire::sent_as<T>::type>();
    if constexpr (described<T>)
      waiting_.push_back(&message_tables::add<T>);
    else if constexpr (
        wire::detail::is_list<
            T> || wire::detail::is_optional<T> || is_alternative<T> || is_shared_value<T>)
      find_inside<typename T::value_type>();
    else if constexpr (wire::detail::is_map<T>)
      find_inside<typename detail::map_types<T>::entry>();
  }

  std::string out_;
  std::set<std::string> seen_;
  std::vector<adder> waiting_;
};

inline std::string messages_introduction() {
  return fmt::format(
      R"(# Messages between processes

Made from the structs in `messages/` by `tests/messages/describe.hpp`; what a
field means is said with the structs. To write this file anew:

    BREWERY_WRITE_DOCS=1 build/release/tests/test_messages "*messages.md*"

A message is one ZeroMQ frame of at most {} MiB: `BW`, a byte for the format ({}),
a byte for the kind, then the struct as a msgpack map from field name to value.

- Protocol versions {} to {} are spoken: a hello says which its sender speaks,
  the welcome which of them is used. Version 2 added the fields that may be
  lacking, version 3 `model_ask` and `model_reply`, version 4 `grade_ask` and
  `grade_reply`, version 5 shorter forms, version 6
  `packed_insights.pool`, version 7 other parts of pools; `rollout_job.method`, `grade` and `memory` of `job` and
  `job_result`,
  `run_setup.goldens`, later `tags` and `slots_for` of `worker_hello`,
  `worker_heartbeat.log`, `operator_reply.content` and `code`,
  `worker_welcome.cluster` and `result_report.played_us` came after version 2 and are written only if they are set.
- A `rollout_job.method` that a worker does not know is none to it. With `given`
  the first retrieval of a rollout returns all its documents in their order; an
  older worker finds them by the query, and its `retrievals` say which it showed.
- From version 5 on, `result_report.result` of {} bytes or more is one zstd frame
  that gives the length of its content, at most {} MiB. It stays as it is if a
  frame were no shorter, or shorter than a {} of it: such frames are refused. No
  other message is compressed.
- A message has at most {} values, those in lists and maps counted.
- A batch is several of these frames as one: `BW`, the format, kind 255, then
  each frame after its length in four bytes, the highest first. It holds at most
  {} frames and no batch.
- In version 3 a rollout asks for its grade by a `model_ask` of number {}:
  `call` is then a `grade_job` without `id` and `goldens`, the reply's `answer` a
  `grade_result`.
- Version 5 packs the insights of an `integrate_job` (messages/packed_insights.hpp
  says how) and of a `rollout_result` (messages/packed_rollout_insights.hpp);
  before, they were lists of `counted_insight` and `insight`, which are still
  read. The log has results as they came.
- What there may be once is a list of at most one. Of the lists of `job`,
  `model_call` and `model_answer` that are named after kinds exactly one has a
  value, of those of `job_result` one or, if the job was not done, none.
- Unknown fields are ignored, and the order of fields does not matter.
- A field that is missing and may not be is refused by name; so is one of
  another type, out of range or given twice.
- A real is always a msgpack float, an integer never is. Text is bytes: UTF-8
  where it is for people, but that is not checked.
)",
      wire::max_frame_bytes >> 20, wire::frame_format, protocol_oldest,
      protocol_newest, compress_from_bytes, wire::max_frame_bytes >> 20,
      std::to_string(sent_ratio_max) + "nd", wire::max_values,
      wire::batch_frames_max, grade_number);
}

/// All of docs/messages.md.
inline std::string messages_markdown() {
  message_tables tables;
  tables.say(messages_introduction());
  tables.say("\n## Frames\n");
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (tables.add<std::variant_alternative_t<I, wire::message>>(
         "Kind " + std::to_string(I) + "."),
     ...);
  }
  (std::make_index_sequence<std::variant_size_v<wire::message>>{});
  tables.say("\n## Carried as bytes\n\n"
             "`job` in `lease_grant.work`, `job_result` in "
             "`result_report.result`, `run_setup`\nin "
             "`blob_content.content`, `model_call` in `model_ask.call`, "
             "`model_answer` in\n`model_reply.answer`: msgpack without a "
             "frame.\n");
  tables.add<job>();
  tables.add<job_result>();
  tables.add<run_setup>();
  tables.add<model_call>();
  tables.add<model_answer>();
  tables.say("\n## Inside the others\n");
  tables.add_nested();
  return tables.take();
}

} // namespace brewery
