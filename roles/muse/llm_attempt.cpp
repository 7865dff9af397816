#include "roles/muse/llm_attempt.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "roles/model/tool_calls.hpp"
#include "roles/model/trajectory_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

constexpr std::string_view open_tool = "open_memory";

/// Calls of one check.
constexpr std::uint32_t check_calls = 8;

tool_spec memory_tool() {
  return {"assistant",
          std::string{open_tool},
          tool_kind::read,
          "Opens procedures of an application of the memory's outline. Without "
          "operations: all of them.",
          {{"application", "string", "As the outline has it.", {}, true},
           {"operations",
            "array",
            "As the outline has them.",
            {},
            false,
            "string"}}};
}

muse::sub_task_limits limits_of(const muse_options& how,
                                std::uint32_t max_calls) {
  return {.actions_per_try = how.actions_per_try,
          .tries = 2,
          .actions = std::min(how.actions, max_calls),
          .plans = 40};
}

const tool_spec* find(const std::vector<tool_spec>& tools,
                      std::string_view name) {
  const auto at = std::ranges::find(tools, name, &tool_spec::name);
  return at == tools.end() ? nullptr : &*at;
}

result<chat_reply> says_something(const chat_reply& reply) {
  if (reply.tool_calls.empty() && trim(reply.content).empty())
    return error{ec::malformed, "it has neither words nor a call"};
  return reply;
}

} // namespace

llm_attempt::llm_attempt(const model_asker& ask, const muse_options& how,
                         std::uint32_t max_calls, const task_info& task,
                         environment& env, opened_memory& memory,
                         job_context& context)
    : ask_(ask), how_(how), max_calls_(max_calls), task_(task), env_(env),
      memory_(memory), context_(context),
      learns_(context.method != methods::muse_frozen),
      loop_(limits_of(how, max_calls)) {}

result<trajectory> llm_attempt::run() {
  using phase = muse::sub_task_loop::phase;
  const auto opening = env_.opening();
  if (!opening) return opening.error();
  if (!opening->empty())
    return error{ec::invalid_argument,
                 "muse plays tasks without a user, and here one speaks first"};
  memory_.read_standing();
  std::string gave_up;
  bool broke_off = false;
  while (loop_.now() != phase::over && gave_up.empty()) {
    auto done = loop_.now() == phase::plan  ? plan()
                : loop_.now() == phase::act ? act()
                                            : check();
    if (done) continue;
    const bool outgrew = done.error().code == ec::context_too_long;
    if (!outgrew && !ask_.gave_up(done.error(), context_)) return done.error();
    gave_up = collapse_spaces(done.error().message);
    if (outgrew)
      ask_.note(context_, &role_counts::overflowed, gave_up);
    else
      broke_off = context_.said_nothing;
  }
  if (auto ok = draw_lessons(); !ok) return ok.error();
  trajectory out;
  out.steps = std::move(steps_);
  out.broke_off = broke_off;
  out.cut_short = std::move(gave_up);
  if (loop_.exhausted())
    out.cut_short = fmt::format("the limit of {} actions or the one of plans "
                                "ended it (muse.actions, agent.max_calls)",
                                std::min(how_.actions, max_calls_));
  muse_attempt own;
  own.sub_tasks = loop_.records();
  own.memory = memory_.take_added();
  out.muse.push_back(std::move(own));
  return out;
}

slot_texts llm_attempt::shared_texts() const {
  slot_texts out;
  std::string strategies;
  for (const auto& one : memory_.all().strategies)
    strategies += fmt::format("- {}: {}\n", one.dilemma, one.text);
  out["briefing"] = {env_.briefing()};
  out["task"] = {task_.instruction};
  if (!strategies.empty()) out["strategies"] = {strategies};
  if (auto outline = muse::outline(memory_.all()); !outline.empty())
    out["outline"] = {std::move(outline)};
  if (auto done = done_so_far(); !done.empty()) out["done"] = {std::move(done)};
  return out;
}

std::string llm_attempt::done_so_far() const {
  std::string out;
  for (const auto& one : loop_.records())
    out += fmt::format("- {} [{}] {}\n", one.description,
                       one.met ? "done" : "failed", one.report);
  return out;
}

std::string llm_attempt::steps_of_try() const {
  return steps_text(
      {steps_.begin() + static_cast<std::ptrdiff_t>(first_step_), steps_.end()},
      {}, &env_.tools());
}

result<void> llm_attempt::plan() {
  auto texts = shared_texts();
  texts["tools"] = {tools_text(env_.tools())};
  if (!steps_.empty()) texts["steps"] = {steps_of_try()};
  auto request = ask_.prompted("muse-plan", texts);
  request.schema_name = "plan";
  request.schema = muse::plan_schema();
  auto made = ask_.ask_until_read<std::vector<muse::sub_task>>(
      std::move(request),
      [](const chat_reply& reply) { return muse::read_plan(reply.content); },
      context_);
  if (!made) return made.error();
  loop_.planned(*made);
  failure_.clear();
  return {};
}

result<chat_reply> llm_attempt::converse(
    chat_request& request, std::uint32_t calls,
    const std::function<std::string(const tool_call&, const std::string&)>&
        use) {
  std::size_t made = 0;
  for (;;) {
    auto reply =
        ask_.ask_until_read<chat_reply>(request, says_something, context_);
    if (!reply || reply->tool_calls.empty() || made >= calls) return reply;
    auto read = read_calls(reply->tool_calls, made);
    if (read.size() > calls - made) read.resize(calls - made);
    request.messages.push_back(said_by_model(reply->content, read));
    for (const auto& item : read) {
      ++made;
      auto content =
          item.problem
              ? "Error: the call was not made, its arguments cannot be read: "
                    + item.problem->message
              : use(item.call, reply->content);
      request.messages.push_back(
          {chat_role::tool, std::move(content), {}, {}, item.call.id});
    }
    if (made >= calls) {
      auto& last = request.messages.back().content;
      last += "\n\n(No calls are left. Say in words how far you came.)";
      request.tool_choice = "none";
    }
  }
}

std::string llm_attempt::answer(const tool_call& call, const std::string& why) {
  if (call.name == open_tool) return open(call.arguments);
  const auto* tool = find(env_.tools(), call.name);
  auto got = env_.call(call.name, call.arguments);
  steps_.push_back(
      {tool ? tool->requestor : "assistant", call.name,
       call.arguments.dump(-1, ' ', false, json::error_handler_t::replace),
       got.content, got.failed,
       tool != nullptr && tool->kind == tool_kind::write,
       excerpt(collapse_spaces(why), 200)});
  if (const auto note = muse::note_on(memory_.all(), call.name); !note.empty())
    got.content +=
        fmt::format("\n\n(From earlier work with this tool: {})", note);
  return got.content;
}

/// What is asked for by name is recorded like a retrieval.
std::string llm_attempt::open(const json& arguments) {
  if (!arguments.is_object() || !arguments.contains("application")
      || !arguments["application"].is_string())
    return "Error: \"application\" is needed, a name of the outline.";
  const auto name = arguments["application"].get<std::string>();
  std::vector<std::string> operations;
  if (const auto list = arguments.find("operations");
      list != arguments.end() && list->is_array())
    for (const auto& one : *list)
      if (one.is_string()) operations.push_back(one.get<std::string>());
  memory_.open(name, static_cast<std::uint32_t>(steps_.size()));
  return muse::open_procedures(memory_.all(), name, operations);
}

result<void> llm_attempt::act() {
  first_step_ = steps_.size();
  auto texts = shared_texts();
  texts["sub_task"] = {loop_.current().description};
  texts["goal"] = {loop_.current().goal};
  if (loop_.explores()) texts["failure"] = {failure_};
  auto request = ask_.prompted("muse-act", texts);
  auto tools = env_.tools();
  std::erase_if(tools, [](const tool_spec& tool) {
    return tool.kind == tool_kind::finish; // the plan decides what is the end
  });
  if (!memory_.all().procedures.empty()) tools.push_back(memory_tool());
  request.tools = tools_for_model(tools);
  request.tool_choice = "auto";
  auto reply = converse(request, loop_.actions_left(),
                        [this](const tool_call& call, const std::string& why) {
                          return answer(call, why);
                        });
  if (!reply) return reply.error();
  claim_ = reply->content;
  loop_.acted(static_cast<std::uint32_t>(steps_.size() - first_step_));
  loop_.claim();
  return {};
}

/// A look without effect; what cannot be looked at so is said.
std::string llm_attempt::look(const tool_call& call) {
  ++probes_;
  const auto seen = env_.probe(call.name, call.arguments);
  return seen ? seen->content
              : "Error: this cannot be looked at without an effect.";
}

result<void> llm_attempt::check() {
  if (!how_.verify) {
    loop_.checked(true, "not checked", 0);
    return {};
  }
  probes_ = 0;
  slot_texts texts;
  texts["task"] = {task_.instruction};
  texts["sub_task"] = {loop_.current().description};
  texts["goal"] = {loop_.current().goal};
  texts["claim"] = {claim_};
  texts["steps"] = {steps_of_try()};
  auto request = ask_.prompted("muse-check", texts);
  auto tools = env_.tools();
  std::erase_if(tools, [](const tool_spec& tool) {
    return tool.kind != tool_kind::read;
  });
  if (!tools.empty()) {
    request.tools = tools_for_model(tools);
    request.tool_choice = "auto";
  }
  auto looked = converse(
      request, check_calls,
      [this](const tool_call& call, const std::string&) { return look(call); });
  if (!looked) return looked.error();
  const auto count = steps_.size() - first_step_;
  auto verdict = muse::read_verdict(looked->content, count);
  if (!verdict) {
    request.messages.push_back(
        {chat_role::assistant, looked->content, {}, {}, {}});
    request.messages.push_back(
        {chat_role::user,
         "Reply with the JSON object alone: " + verdict.error().message + ".",
         {},
         {},
         {}});
    request.tools.clear();
    request.tool_choice.clear();
    request.schema_name = "verdict";
    request.schema = muse::verdict_schema();
    const auto again = ask_.ask(std::move(request), context_);
    if (!again) return again.error();
    verdict = muse::read_verdict(again->content, count);
  }
  if (!verdict) {
    ask_.note(context_, &role_counts::dropped, verdict.error().message);
    verdict = muse::model_verdict{false, "the check could not be read"};
  }
  failure_ = verdict->report;
  loop_.checked(verdict->met, verdict->report, probes_);
  return verdict->met ? keep_procedure() : result<void>{};
}

template <class T>
result<std::optional<T>> llm_attempt::optional_reply(
    chat_request request,
    const std::function<result<T>(std::string_view)>& read) {
  const auto reply = ask_.ask(std::move(request), context_);
  if (!reply && reply.error().code != ec::context_too_long
      && !ask_.gave_up(reply.error(), context_))
    return reply.error();
  auto made = reply ? read(reply->content) : result<T>{reply.error()};
  if (made) return std::optional<T>{std::move(*made)};
  ask_.note(context_, &role_counts::dropped, made.error().message);
  return std::optional<T>{};
}

result<void> llm_attempt::keep_procedure() {
  if (!learns_) return {};
  slot_texts texts;
  const auto& record = loop_.records().back();
  if (auto outline = muse::outline(memory_.all()); !outline.empty())
    texts["outline"] = {std::move(outline)};
  texts["sub_task"] = {record.description};
  texts["goal"] = {record.goal};
  texts["report"] = {record.report};
  texts["steps"] = {steps_of_try()};
  auto request = ask_.prompted("muse-procedure", texts);
  request.schema_name = "procedure";
  request.schema = muse::procedure_schema();
  auto made = optional_reply<std::optional<memory_operation>>(
      std::move(request), &muse::read_procedure);
  if (!made) return made.error();
  if (*made && **made && !memory_.add(std::move(***made)))
    ask_.note(context_, &role_counts::dropped,
              "a procedure that breaks the bounds of a memory");
  return {};
}

result<void> llm_attempt::draw_lessons() {
  if (!learns_ || loop_.records().empty() || steps_.empty()) return {};
  auto texts = shared_texts();
  texts.erase("briefing");
  texts.erase("outline");
  texts["tools"] = {tools_text(env_.tools())};
  texts["steps"] = {steps_text(steps_, {}, &env_.tools())};
  auto request = ask_.prompted("muse-lessons", texts);
  request.schema_name = "lessons";
  request.schema = muse::lessons_schema();
  std::vector<std::string> names;
  for (const auto& tool : env_.tools())
    names.push_back(tool.name);
  auto made = optional_reply<std::vector<memory_operation>>(
      std::move(request), [&names](std::string_view reply) {
        return muse::read_lessons(reply, names);
      });
  if (!made) return made.error();
  if (!*made) return {};
  for (auto& one : **made)
    if (!memory_.add(std::move(one)))
      ask_.note(context_, &role_counts::dropped,
                "a lesson that breaks the bounds of a memory");
  return {};
}

} // namespace brewery
