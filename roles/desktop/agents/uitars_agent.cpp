#include "roles/desktop/agents/uitars_agent.hpp"

#include "base/printable.hpp"
#include "roles/desktop/agents/desktop_notes.hpp"
#include "roles/desktop/agents/desktop_play.hpp"
#include "roles/desktop/formats/uitars_reply.hpp"

#include <fmt/format.h>

namespace brewery::desktop {

namespace {

constexpr std::size_t shown_images = 5;
constexpr std::uint32_t most_calls_for_help = 3;

const char* const first_prompt = "ui-tars";
/// The model's template has it where a conversation has none.
const char* const system_words = "You are a helpful assistant.";
/// In place of a screenshot that is left out: servers want messages in turns.
const char* const image_left_out = "(an earlier screenshot)";

struct uitars_step {
  std::string png;
  std::string reply; ///< empty: it is asked for
};

/// One attempt of UI-TARS.
class uitars_run {
public:
  uitars_run(const model_asker& ask, const desktop_options& options,
             const task_info& task, environment& env,
             retrieval_session& retrieval, job_context& context)
      : ask_(ask), options_(options), task_(task), env_(env),
        retrieval_(retrieval), context_(context),
        play_(env, options.max_steps) {}

  result<trajectory> run() {
    auto notes = find_notes(task_, retrieval_, options_.knowledge_tokens);
    if (!notes) return notes.error();
    first_ = ask_.prompts()
                 .fill(first_prompt, {{"briefing", {env_.briefing()}},
                                      {"documents", std::move(*notes)},
                                      {"task", {task_.instruction}}})
                 .user;
    while (play_.left() > 0 && gave_up_.empty()) {
      if (auto ok = step(); !ok) {
        if (ok.error().code != ec::context_too_long) return ok.error();
        const auto why = collapse_spaces(ok.error().message);
        ask_.note(context_, &role_counts::overflowed, why);
        return play_.take("the conversation outgrew the model's context: "
                          + why);
      }
    }
    if (!gave_up_.empty())
      return play_.take_given_up(std::move(gave_up_), context_);
    return play_.over() ? play_.take() : play_.take_unfinished();
  }

private:
  struct move {
    std::string text;
    uitars_reply content;
  };

  result<void> step() {
    const auto seen = play_.look();
    if (!seen) return seen.error();
    if (play_.is_last_step())
      return play_.act({action::kind::fail}, "no step is left");
    shown_.push_back({(*seen)->png, {}});
    const auto screen = play_.size();
    const auto from = smart_resize(screen);
    if (!from) return from.error();
    const auto reply = ask_.ask_until_read<move>(
        request(),
        [&](const chat_reply& said) -> result<move> {
          auto read = read_uitars_reply(said.content, *from, screen);
          if (!read) return read.error();
          return move{said.content, std::move(*read)};
        },
        context_);
    if (!reply && ask_.gave_up(reply.error(), context_)) {
      gave_up_ = collapse_spaces(reply.error().message);
      if (play_.made() == 0) return {};                 // it has not begun
      return play_.act({action::kind::done}, gave_up_); // as the reference
    }
    if (!reply) return reply.error();
    shown_.back().reply = reply->text;
    return play(reply->content);
  }

  result<void> play(const uitars_reply& said) {
    if (said.calls_user && ++calls_for_help_ > most_calls_for_help)
      return play_.act({action::kind::fail}, "nobody helps: " + said.thought);
    for (const auto& wanted : said.actions) {
      if (play_.left() == 0) break;
      if (auto ok = play_.act(wanted, said.thought); !ok) return ok;
    }
    return {};
  }

  chat_request request() const {
    chat_request out;
    out.messages.push_back({chat_role::system, system_words, {}, {}, {}});
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      const auto& item = shown_[i];
      const bool with_image = i + shown_images >= shown_.size();
      chat_message user{
          chat_role::user, with_image ? "" : image_left_out, {}, {}, {}};
      if (i == 0) user.content = first_;
      if (with_image) user.images.push_back({"image/png", item.png});
      out.messages.push_back(std::move(user));
      if (!item.reply.empty())
        out.messages.push_back({chat_role::assistant, item.reply, {}, {}, {}});
    }
    return out;
  }

  const model_asker& ask_;
  const desktop_options& options_;
  const task_info& task_;
  environment& env_;
  retrieval_session& retrieval_;
  job_context& context_;
  desktop_play play_;
  std::string first_;
  std::vector<uitars_step> shown_;
  std::uint32_t calls_for_help_ = 0;
  std::string gave_up_; ///< why its model did; empty: it did not
};

} // namespace

uitars_agent::uitars_agent(model_asker ask, const agent_options& options)
    : ask_(std::move(ask)), options_{options.max_calls,
                                     options.knowledge_tokens} {}

std::string uitars_agent::fingerprint() const {
  return fmt::format("ui-tars/2 {} steps={} notes={}",
                     ask_.fingerprint({first_prompt}), options_.max_steps,
                     options_.knowledge_tokens);
}

result<trajectory> uitars_agent::attempt(const task_info& task,
                                         environment& env,
                                         retrieval_session& retrieval,
                                         std::uint64_t,
                                         job_context& context) const {
  return uitars_run{ask_, options_, task, env, retrieval, context}.run();
}

} // namespace brewery::desktop
