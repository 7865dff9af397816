#include "envs/tau2/tau2_environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace brewery::tau2 {

namespace {

/// The text of a tool's result: strings unchanged, verdicts quoted.
std::string result_text(tool_value value) {
  if (auto* text = std::get_if<std::string>(&value)) return std::move(*text);
  return std::get<bool>(value) ? "\"True\"" : "\"False\"";
}

bool changes_state(const domain& of, play_mode mode, std::string_view requestor,
                   std::string_view name) {
  const tool_spec* tool = find_tool(of, requestor, name);
  if (tool == nullptr && mode == play_mode::solo)
    tool = find_tool(of, "user", name);
  return tool != nullptr && tool->kind == tool_kind::write;
}

} // namespace

tau2_environment::tau2_environment(tau2_parts parts)
    : parts_(std::move(parts)), state_(parts_.initial->clone()),
      talk_(parts_.rules),
      began_(std::chrono::steady_clock::now()), user_told_{parts_.guidelines,
                                                           parts_.item.scenario,
                                                           &parts_.user_tools} {
}

std::chrono::milliseconds tau2_environment::elapsed() const {
  if (parts_.rules.timeout.count() == 0) return {};
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - began_);
}

tool_result tau2_environment::call(std::string_view name,
                                   const json& arguments) {
  return call_as("assistant", name, arguments);
}

tool_result tau2_environment::call_as(std::string_view requestor,
                                      std::string_view name,
                                      const json& arguments) {
  record_.calls.push_back(
      {std::string{requestor}, std::string{name}, arguments});
  auto value = make_tool_call(parts_.of, *state_, parts_.rules.mode, requestor,
                              name, arguments);
  if (!value) return {"Error: " + value.error().message, true};
  if (const auto ok = state_->sync(); !ok)
    return {"Error: " + ok.error().message, true};
  return {result_text(std::move(*value)), false};
}

std::optional<tool_result> tau2_environment::probe(std::string_view name,
                                                   const json& arguments) {
  const tool_spec* tool = find_tool(parts_.of, "assistant", name);
  if (tool == nullptr && parts_.rules.mode == play_mode::solo)
    tool = find_tool(parts_.of, "user", name);
  if (tool == nullptr || tool->kind != tool_kind::read) return std::nullopt;
  const auto copy = state_->clone();
  auto value = make_tool_call(parts_.of, *copy, parts_.rules.mode, "assistant",
                              name, arguments);
  if (!value) return tool_result{"Error: " + value.error().message, true};
  return tool_result{result_text(std::move(*value)), false};
}

void tau2_environment::note_words(std::string_view requestor,
                                  const std::string& text) {
  record_.events.push_back({.requestor = std::string{requestor},
                            .tool = std::string{words_tool},
                            .arguments = "",
                            .observation = text,
                            .reason = ""});
  if (requestor == "assistant") record_.said.push_back(text);
}

result<std::vector<tool_result>>
tau2_environment::run_calls(std::string_view requestor,
                            const std::vector<tool_call>& calls) {
  std::vector<tool_result> answers;
  std::uint32_t failed = 0;
  for (const tool_call& asked : calls) {
    auto answer = call_as(requestor, asked.name, asked.arguments);
    record_.events.push_back(
        {.requestor = std::string{requestor},
         .tool = asked.name,
         .arguments = asked.arguments.dump(-1, ' ', false,
                                           json::error_handler_t::replace),
         .observation = answer.content,
         .failed = answer.failed,
         .mutates =
             changes_state(parts_.of, parts_.rules.mode, requestor, asked.name),
         .reason = ""});
    failed += answer.failed ? 1 : 0;
    answers.push_back(std::move(answer));
  }
  // In the conversation a step syncs even after a failure; a single call does
  // not.
  if (const auto ok = state_->sync(); !ok)
    return error{ec::environment,
                 fmt::format("task \"{}\": {}", parts_.item.id.value,
                             ok.error().message)};
  talk_.ran(failed, elapsed());
  return answers;
}

void tau2_environment::user_heard(const std::string& text) {
  user_event heard;
  heard.text = text;
  user_seen_.push_back(std::move(heard));
}

result<std::string> tau2_environment::hear_user() {
  using party = orchestrator::party;
  if (!parts_.with.user)
    return error{ec::invalid_argument,
                 fmt::format("task \"{}\": nobody plays the user",
                             parts_.item.id.value)};
  std::string words;
  while (!talk_.over() && talk_.next() == party::user) {
    auto said = parts_.with.user->answer(user_told_, user_seen_);
    if (!said) return said.error();
    auto counted = talk_.speak(std::move(*said), elapsed());
    if (!counted) return counted.error();
    const turn& move = *counted;
    words = has_text(move) ? move.text : std::string{};
    if (!words.empty()) note_words("user", words);
    user_event made;
    made.what = user_event::kind::said;
    made.move = move;
    user_seen_.push_back(std::move(made));
    if (talk_.over() || talk_.next() != party::world) continue;
    auto answers = run_calls("user", move.calls);
    if (!answers) return answers.error();
    for (std::size_t i = 0; i < answers->size(); ++i)
      user_seen_.push_back({.what = user_event::kind::answered,
                            .text = (*answers)[i].content,
                            .move = {},
                            .id = move.calls[i].id,
                            .failed = (*answers)[i].failed});
    words.clear(); // words with calls reach nobody
  }
  return words;
}

result<std::string> tau2_environment::opening() {
  if (parts_.rules.mode == play_mode::solo) return std::string{};
  if (std::exchange(opened_, true)) return first_words_;
  const std::string hello{greeting};
  note_words("assistant", hello);
  user_heard(hello);
  auto words = hear_user();
  if (!words) broken_ = words.error();
  if (broken_) return *broken_;
  return first_words_ = std::move(*words);
}

result<void> tau2_environment::play_turn(const turn& move, turn_outcome& out) {
  auto counted = talk_.speak(move, elapsed());
  if (!counted) return counted.error();
  if (has_text(*counted)) note_words("assistant", counted->text);
  if (talk_.over()) return {};
  if (talk_.next() == orchestrator::party::world) {
    auto answers = run_calls("assistant", counted->calls);
    if (!answers) return answers.error();
    out.results = std::move(*answers);
    return {};
  }
  user_heard(counted->text);
  auto words = hear_user();
  if (!words) return words.error();
  out.reply = std::move(*words);
  return {};
}

result<turn_outcome> tau2_environment::take_turn(const turn& move) {
  (void)opening();
  opened_ = true;
  turn_outcome out;
  if (!broken_ && !talk_.over())
    if (auto ok = play_turn(move, out); !ok) broken_ = ok.error();
  if (broken_) return *broken_;
  out.over = talk_.over();
  out.events.assign(record_.events.begin()
                        + static_cast<std::ptrdiff_t>(handed_out_),
                    record_.events.end());
  handed_out_ = record_.events.size();
  return out;
}

bool tau2_environment::counts() const {
  const bool call_by_call = !opened_ && parts_.rules.mode == play_mode::solo;
  return call_by_call || properly_ended(talk_.why());
}

std::uint32_t tau2_environment::checkpoints_met() const {
  if (broken_ || !counts() || !parts_.item.criteria) return 0;
  const auto copy = state_->clone();
  (void)copy->sync(); // as graders do
  const auto met = check_assertions(*copy, *parts_.item.criteria);
  return static_cast<std::uint32_t>(std::ranges::count(met, true));
}

result<grade_report> tau2_environment::grade() {
  if (broken_) return *broken_;
  if (!counts()) return premature_report(talk_.why());
  return grade_attempt(parts_.of, parts_.item, *parts_.initial, *state_,
                       record_, parts_.with.judge.get());
}

} // namespace brewery::tau2
