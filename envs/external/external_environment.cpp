#include "envs/external/external_environment.hpp"

#include "base/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace brewery::external {

namespace {

constexpr const char* over_text = "Error: the task is over.";

/// Sends the requests of one session. Always gives the place back.
class session {
public:
  session(std::shared_ptr<child_pool> pool, child_pool::place place,
          std::string task)
      : pool_(std::move(pool)), place_(std::move(place)),
        task_(std::move(task)) {}
  ~session() {
    // Errors come too late for this rollout. A child that breaks here is not
    // used again, which may be why a run is slow.
    if (open_)
      if (const auto closed = ask("close", close_request, step_timeout());
          !closed)
        pool_->note("close", closed.error().message);
    pool_->release(place_);
  }
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  template <class Request, class... Arguments>
  result<json> ask(const char* what, Request request,
                   std::chrono::milliseconds patience,
                   const Arguments&... arguments) {
    return place_.child->ask(
        name(what),
        [&](std::uint64_t number) {
          return request(number, place_.session, arguments...);
        },
        patience);
  }
  error violated(const char* what, const error& why) {
    return place_.child->violated(name(what), why);
  }
  void opened() { open_ = true; }
  [[nodiscard]] const external_options& options() const {
    return pool_->options();
  }
  [[nodiscard]] std::chrono::milliseconds step_timeout() const {
    return options().step_timeout;
  }

private:
  [[nodiscard]] std::string name(const char* what) const {
    return fmt::format("{} of task {}", what, task_);
  }

  std::shared_ptr<child_pool> pool_;
  child_pool::place place_;
  std::string task_;
  bool open_ = false;
};

trajectory_step words_of(const char* who, std::string text) {
  return {.requestor = who,
          .tool = std::string{words_tool},
          .arguments = "",
          .observation = std::move(text),
          .reason = ""};
}

class external_environment final : public environment {
public:
  external_environment(std::unique_ptr<session> child,
                       std::shared_ptr<const hello_reply> about,
                       reset_reply start)
      : child_(std::move(child)), about_(std::move(about)),
        start_(std::move(start)) {}

  const std::vector<tool_spec>& tools() const override {
    return start_.tools ? *start_.tools : *about_->tools;
  }
  std::string briefing() const override { return start_.briefing; }
  result<std::string> opening() override { return start_.opening; }

  tool_result call(std::string_view name, const json& arguments) override {
    if (over_) return {over_text, true};
    auto done =
        step({.text = "", .calls = {{"1", std::string{name}, arguments}}});
    // The rollout ends without a score; grade() returns the reason.
    if (!done) return {"Error: " + done.error().message, true};
    return std::move(done->results.front());
  }

  result<turn_outcome> take_turn(const turn& move) override {
    turn_outcome out;
    if (over_) {
      out.results.assign(move.calls.size(), {over_text, true});
      out.over = true;
      return out;
    }
    step_reply done;
    if (about_->conversation || !move.calls.empty()) {
      auto got = step(move);
      if (!got) return got.error();
      done = std::move(*got);
    }
    if (!about_->conversation && move.calls.empty()) over_ = true;
    if (!std::exchange(told_opening_, true) && !start_.opening.empty())
      out.events.push_back(words_of("user", start_.opening));
    if (!move.text.empty())
      out.events.push_back(words_of("assistant", move.text));
    for (std::size_t i = 0; i < move.calls.size(); ++i)
      out.events.push_back(called(move.calls[i], done.results[i]));
    std::move(done.events.begin(), done.events.end(),
              std::back_inserter(out.events));
    if (!done.reply.empty()) out.events.push_back(words_of("user", done.reply));
    out.results = std::move(done.results);
    out.reply = std::move(done.reply);
    out.over = over_;
    return out;
  }

  result<grade_report> grade() override {
    if (failed_) return *failed_;
    auto got =
        child_->ask("grade", grade_request, child_->options().grade_timeout);
    if (!got) return got.error();
    auto report = read_grade(*got);
    if (!report) return child_->violated("grade", report.error());
    return report;
  }

private:
  result<step_reply> step(const turn& move) {
    if (failed_) return *failed_;
    auto sent = move;
    if (!about_->conversation) sent.text.clear();
    auto got = child_->ask("step", step_request, child_->step_timeout(), sent);
    if (!got) return fail(got.error());
    auto done = read_step(*got, move.calls.size());
    if (!done) return fail(child_->violated("step", done.error()));
    if (!about_->conversation && !done->reply.empty())
      return fail(child_->violated(
          "step", {ec::malformed, "reply: it has words for the agent, but "
                                  "capabilities.conversation is not set"}));
    over_ = done->over;
    return done;
  }

  error fail(error why) {
    failed_ = std::move(why);
    return *failed_;
  }

  trajectory_step called(const tool_call& asked,
                         const tool_result& answer) const {
    const auto tool =
        std::find_if(tools().begin(), tools().end(),
                     [&](const auto& t) { return t.name == asked.name; });
    return {.requestor = "assistant",
            .tool = asked.name,
            .arguments = asked.arguments.dump(-1, ' ', false,
                                              json::error_handler_t::replace),
            .observation = answer.content,
            .failed = answer.failed,
            .mutates = tool != tools().end() && tool->kind == tool_kind::write,
            .reason = ""};
  }

  std::unique_ptr<session> child_;
  std::shared_ptr<const hello_reply> about_;
  reset_reply start_;
  bool told_opening_ = false; ///< with the first turn
  bool over_ = false;
  std::optional<error> failed_;
};

} // namespace

result<std::unique_ptr<environment>>
start_session(std::shared_ptr<child_pool> pool, child_pool::place place,
              std::shared_ptr<const hello_reply> about, const task_id& task) {
  auto child =
      std::make_unique<session>(std::move(pool), std::move(place), task.value);
  auto got = child->ask("reset", reset_request, child->step_timeout(), task);
  if (!got) return got.error();
  auto start = read_reset(*got);
  if (!start) return child->violated("reset", start.error());
  if (!start->tools && !about->tools)
    return child->violated(
        "reset", {ec::malformed, "tools is missing, and hello had none"});
  child->opened();
  return std::unique_ptr<environment>{std::make_unique<external_environment>(
      std::move(child), std::move(about), std::move(*start))};
}

} // namespace brewery::external
