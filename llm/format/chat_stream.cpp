#include "llm/format/chat_stream.hpp"

#include "base/utf8.hpp"
#include "llm/format/json_text.hpp"
#include "llm/format/server_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

constexpr std::string_view white_space = " \t\r\n";

/// What stands for half a character.
constexpr std::string_view replacement = "\ufffd";

/// Each part of a call is looked for among all calls of the reply.
constexpr std::size_t calls_max = 1024;

/// Reasoning is not part of the reply, but shows that the model works.
constexpr const char* reasoning_names[] = {"reasoning_content", "reasoning",
                                           "thinking"};

bool has_text(const sorted_json& object, const char* name) {
  const auto* found = member(object, name);
  return found != nullptr && found->is_string()
         && !found->get_ref<const std::string&>().empty();
}

/// The first completion; only one is asked for.
const sorted_json* first_choice(const sorted_json& piece) {
  const auto* choices = member(piece, "choices");
  if (choices == nullptr || !choices->is_array()) return nullptr;
  for (const auto& choice : *choices) {
    const auto* index = member(choice, "index");
    if (choice.is_object() && (index == nullptr || *index == 0)) return &choice;
  }
  return nullptr;
}

} // namespace

/// JSON, which is not in the header.
struct chat_stream::piece {
  const sorted_json& json;
};

std::string with_stream(const std::string& request, stream_mode mode) {
  if (mode == stream_mode::off) return request;
  const std::string_view usage = mode == stream_mode::with_usage
                                     ? R"("stream_options":{"include_usage":)"
                                       "true},"
                                     : "";
  return fmt::format(R"({{"stream":true,{}{})", usage, request.substr(1));
}

bool looks_like_stream(std::string_view body) {
  static constexpr std::string_view fields[] = {
      "data:", "event:", "id:", "retry:"};
  const auto start = body.find_first_not_of(white_space);
  if (start == std::string_view::npos) return false;
  body.remove_prefix(start);
  return body.front() == ':'
         || std::any_of(std::begin(fields), std::end(fields),
                        [body](auto name) { return body.starts_with(name); });
}

void chat_stream::take(std::string_view bytes) {
  if (!started_) {
    const auto start = bytes.find_first_not_of(white_space);
    if (start == std::string_view::npos) return;
    started_ = true;
    bytes.remove_prefix(start);
    plain_ = bytes.front() == '{';
  }
  if (plain_) {
    stage_ = sink_stage::speaking;
    raw_ += bytes;
  } else if (stage_ != sink_stage::ended)
    events_.feed(bytes, [this](const auto& event) { read(event); });
}

void chat_stream::end() {
  ended_ = true;
  if (stage_ != sink_stage::ended)
    events_.finish([this](const auto& event) { read(event); });
}

void chat_stream::give_up(const std::string& why) {
  broken_ = fmt::format("piece {} of the stream {}", pieces_, why);
  stage_ = sink_stage::ended;
}

void chat_stream::read(const sse_event& event) {
  if (stage_ == sink_stage::ended) return;
  if (event.data.find_first_not_of(white_space) == std::string::npos) return;
  if (event.data == "[DONE]") {
    done_ = true;
    stage_ = sink_stage::ended;
    return;
  }
  lone_halves halves;
  const auto parsed = parse_server_json(event.data, "a piece", &halves);
  const bool reads = parsed && parsed->is_object();
  // The end of a stream may cut its last event in two: it is not there.
  if (!reads && ended_) return;
  ++pieces_;
  // The parser's reason would quote what the server sent, which may be a key.
  if (!reads) return give_up("is no JSON object");
  if (event.name == "error" || member(*parsed, "error") != nullptr
      || (member(*parsed, "choices") == nullptr && is_error_body(event.data))) {
    error_ = member(*parsed, "error") == nullptr
                     && member(*parsed, "object") == nullptr
                 ? to_text({{"error", *parsed}})
                 : event.data;
    stage_ = sink_stage::ended;
    return;
  }
  note_halves(halves);
  read_piece({*parsed});
}

/// A server that cuts its text between UTF-16 units sends half a character at
/// the end of one piece and half at the start of another.
void chat_stream::note_halves(const std::vector<char16_t>& halves) {
  cut_in_two_ = 0;
  if (halves.empty()) return;
  const bool second = halves.front() >= 0xdc00;
  if (half_ != 0 && second)
    cut_in_two_ =
        0x10000 + ((half_ - 0xd800U) << 10U) + (halves.front() - 0xdc00U);
  half_ = halves.back() < 0xdc00 ? halves.back() : char16_t{0};
}

void chat_stream::append(std::string& into, std::string text) const {
  if (cut_in_two_ != 0 && into.ends_with(replacement)
      && text.starts_with(replacement)) {
    into.resize(into.size() - replacement.size());
    append_utf8(cut_in_two_, into);
    text.erase(0, replacement.size());
  }
  into += text;
}

void chat_stream::read_piece(const piece& from) {
  const auto model = text_member(from.json, "model", "piece");
  if (!model) return give_up("has a model that is no string");
  if (model_.empty()) model_ = *model;
  // Some servers count in every piece; the last count is the whole.
  const auto* usage = member(from.json, "usage");
  if (usage != nullptr && !usage->empty()) usage_ = to_text(*usage);
  const auto* choice = first_choice(from.json);
  if (choice == nullptr) return;
  if (const auto* delta = member(*choice, "delta")) {
    if (!delta->is_object()) return give_up("has a delta that is no object");
    read_delta({*delta});
  }
  const auto finish = text_member(*choice, "finish_reason", "piece");
  if (!finish) return give_up("has a finish_reason that is no string");
  if (!finish->empty()) finish_ = *finish;
  spoke_ = spoke_ || !finish_.empty();
  if (spoke_ && stage_ == sink_stage::waiting) stage_ = sink_stage::speaking;
}

void chat_stream::read_delta(const piece& delta) {
  read_text(delta, "content", content_);
  read_text(delta, "refusal", refusal_);
  for (const auto* name : reasoning_names)
    spoke_ = spoke_ || has_text(delta.json, name);
  const auto* calls = member(delta.json, "tool_calls");
  if (calls == nullptr) return;
  if (!calls->is_array()) return give_up("has tool_calls that are no list");
  for (const auto& call : *calls)
    if (broken_.empty()) read_call({call});
}

/// A string, or a list of parts of which the text ones count.
void chat_stream::read_text(const piece& from, const char* name,
                            std::optional<std::string>& into) {
  const auto* found = member(from.json, name);
  if (found == nullptr || !broken_.empty()) return;
  if (!into) into.emplace();
  if (found->is_string()) {
    append(*into, found->get<std::string>());
  } else if (found->is_array()) {
    for (const auto& part : *found)
      if (has_text(part, "text"))
        append(*into, member(part, "text")->get<std::string>());
    spoke_ = spoke_ || !found->empty(); // parts of reasoning
  } else
    return give_up(fmt::format("has a {} that is {}", name, kind_of(*found)));
  spoke_ = spoke_ || !into->empty();
}

void chat_stream::read_call(const piece& delta) {
  const auto* function = member(delta.json, "function");
  const auto id = text_member(delta.json, "id", "tool call");
  if (!id) return give_up("has a tool call whose id is no string");
  std::string name;
  std::string arguments;
  if (function != nullptr) {
    auto named = text_member(*function, "name", "function");
    if (!named) return give_up("has a function whose name is no string");
    name = *std::move(named);
    // Whole, or a part of its text.
    if (const auto* given = member(*function, "arguments"))
      arguments =
          given->is_string() ? given->get<std::string>() : to_text(*given);
  }
  std::optional<std::uint64_t> index;
  if (const auto* at = member(delta.json, "index");
      at && at->is_number_unsigned())
    index = at->get<std::uint64_t>();
  auto& call = call_of(index, *id, name);
  if (calls_.size() > calls_max)
    return give_up(fmt::format("begins tool call {}, and a reply has at most "
                               "{}",
                               calls_.size(), calls_max));
  if (call.id.empty()) call.id = *id;
  // Some servers repeat the name with each part.
  if (call.name.empty()) call.name = name;
  append(call.arguments, std::move(arguments));
  spoke_ = true;
}

/// The call that a part belongs to: by its index. But some servers leave the
/// index out (Gemini), or give every call the index 0 (Ollama), so a name with
/// another id begins another call. An id alone does not: old versions of vLLM
/// send a new one with each part.
chat_stream::joined_call&
chat_stream::call_of(std::optional<std::uint64_t> index, const std::string& id,
                     const std::string& name) {
  const auto same = [&](const joined_call& call) {
    if (index && call.index) {
      if (*index != *call.index) return false;
      return name.empty() || id.empty() || call.id.empty() || id == call.id;
    }
    return !id.empty() && id == call.id;
  };
  const auto found = std::find_if(calls_.rbegin(), calls_.rend(), same);
  if (found != calls_.rend()) return *found;
  const bool goes_on = !index && name.empty();
  if (!goes_on || calls_.empty()) calls_.push_back({index, {}, {}, {}});
  return calls_.back();
}

std::string chat_stream::body() const {
  if (plain_) return raw_;
  if (!error_.empty()) return error_;
  sorted_json message{{"role", "assistant"}};
  if (content_) message["content"] = *content_;
  if (refusal_) message["refusal"] = *refusal_;
  for (const auto& call : calls_) {
    message["tool_calls"].push_back(
        {{"id", call.id},
         {"type", "function"},
         {"function", {{"name", call.name}, {"arguments", call.arguments}}}});
  }
  sorted_json out{
      {"choices", sorted_json::array({{{"message", std::move(message)},
                                       {"finish_reason", finish_}}})}};
  if (!model_.empty()) out["model"] = model_;
  if (!usage_.empty())
    if (auto usage = parse_json_text(usage_, "usage")) out["usage"] = *usage;
  return to_text(out);
}

} // namespace brewery
