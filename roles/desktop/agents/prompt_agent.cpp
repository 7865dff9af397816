#include "roles/desktop/agents/prompt_agent.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "roles/desktop/agents/desktop_notes.hpp"
#include "roles/desktop/agents/desktop_play.hpp"
#include "roles/desktop/formats/prompt_reply.hpp"

#include <fmt/format.h>

namespace brewery::desktop {

namespace {

/// As in the reference (`max_trajectory_length`): steps before this one that
/// the model is shown.
constexpr std::size_t shown_steps = 3;

const char* const prompt_name = "desktop-agent";

struct shown_step {
  std::string tree, png;
  std::string reply; ///< empty: it is asked for
};

/// One attempt of the prompt agent.
class prompt_run {
public:
  prompt_run(const model_asker& ask, const desktop_options& options,
             bool sees_pixels, bool sees_tree, const task_info& task,
             environment& env, retrieval_session& retrieval,
             job_context& context)
      : ask_(ask), options_(options), sees_pixels_(sees_pixels),
        sees_tree_(sees_tree), task_(task), env_(env), retrieval_(retrieval),
        context_(context), play_(env, options.max_steps) {}

  result<trajectory> run() {
    auto notes = find_notes(task_, retrieval_, options_.knowledge_tokens);
    if (!notes) return notes.error();
    texts_ = {{"briefing", {env_.briefing()}},
              {"documents", std::move(*notes)},
              {"task", {task_.instruction}}};
    while (play_.left() > 0) {
      auto reply = next_reply();
      if (!reply) {
        const auto why = collapse_spaces(reply.error().message);
        const auto code = reply.error().code;
        if (ask_.gave_up(reply.error(), context_))
          return play_.take_given_up(why, context_);
        if (code != ec::context_too_long) return reply.error();
        ask_.note(context_, &role_counts::overflowed, why);
        return play_.take("the conversation outgrew the model's context: "
                          + why);
      }
      if (auto ok = play(*reply); !ok) return ok.error();
    }
    return play_.over() ? play_.take() : play_.take_unfinished();
  }

private:
  struct move {
    std::string text;
    std::vector<action> actions;
  };

  result<move> next_reply() {
    const auto seen = play_.look();
    if (!seen) return seen.error();
    shown_.push_back({sees_tree_ ? play_.tree_text() : std::string{},
                      sees_pixels_ ? (*seen)->png : std::string{},
                      {}});
    if (shown_.size() > shown_steps + 1) shown_.erase(shown_.begin());
    return ask_.ask_until_read<move>(
        request(),
        [](const chat_reply& reply) -> result<move> {
          auto actions = read_prompt_reply(reply.content);
          if (!actions) return actions.error();
          return move{reply.content, std::move(*actions)};
        },
        context_);
  }

  /// The system message with task and notes, then the steps that are shown.
  chat_request request() const {
    std::vector<std::string_view> later;
    for (const auto& step : shown_)
      later.push_back(step.tree);
    const auto marker =
        ask_.prompts().choose_marker(prompt_name, texts_, later);
    auto system = texts_;
    chat_request out;
    out.messages.push_back(
        {chat_role::system,
         ask_.prompts().fill(prompt_name, system, marker).system,
         {},
         {},
         {}});
    for (const auto& step : shown_) {
      slot_texts turn{{"tree", {step.tree}},
                      {"pixels", {step.png.empty() ? "" : "yes"}}};
      chat_message user{chat_role::user,
                        ask_.prompts().later_turn(prompt_name, turn, marker),
                        {},
                        {},
                        {}};
      if (!step.png.empty()) user.images.push_back({"image/png", step.png});
      out.messages.push_back(std::move(user));
      if (!step.reply.empty())
        out.messages.push_back({chat_role::assistant, step.reply, {}, {}, {}});
    }
    return out;
  }

  result<void> play(const move& made) {
    shown_.back().reply = made.text;
    // What the model said of it, which is before its first fence.
    const auto caption = made.text.substr(0, made.text.find("```"));
    for (const auto& wanted : made.actions) {
      if (play_.left() == 0) break;
      if (auto ok = play_.act(wanted, caption); !ok) return ok;
    }
    return {};
  }

  const model_asker& ask_;
  const desktop_options& options_;
  bool sees_pixels_, sees_tree_;
  const task_info& task_;
  environment& env_;
  retrieval_session& retrieval_;
  job_context& context_;
  desktop_play play_;
  slot_texts texts_;
  std::vector<shown_step> shown_;
};

} // namespace

prompt_agent::prompt_agent(model_asker ask, const agent_options& options)
    : ask_(std::move(ask)), options_{options.max_calls,
                                     options.knowledge_tokens},
      sees_pixels_(options.observation != "tree"),
      sees_tree_(options.observation != "screenshot") {}

std::string prompt_agent::fingerprint() const {
  return fmt::format("desktop-prompt/1 {} steps={} notes={} pixels={} tree={}",
                     ask_.fingerprint({prompt_name}), options_.max_steps,
                     options_.knowledge_tokens, sees_pixels_, sees_tree_);
}

result<trajectory> prompt_agent::attempt(const task_info& task,
                                         environment& env,
                                         retrieval_session& retrieval,
                                         std::uint64_t,
                                         job_context& context) const {
  return prompt_run{ask_, options_, sees_pixels_, sees_tree_,
                    task, env,      retrieval,    context}
      .run();
}

} // namespace brewery::desktop
