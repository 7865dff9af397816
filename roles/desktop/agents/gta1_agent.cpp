#include "roles/desktop/agents/gta1_agent.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "roles/desktop/agents/desktop_notes.hpp"
#include "roles/desktop/agents/desktop_play.hpp"
#include "roles/desktop/agents/samples.hpp"
#include "roles/desktop/formats/gta1_reply.hpp"
#include "roles/model/trajectory_text.hpp"

#include <fmt/format.h>

namespace brewery::desktop {

namespace {

constexpr std::size_t images_of_plans = 5;
constexpr std::uint32_t point_tokens = 100;

const char* const planner_prompt = "desktop-planner";
const char* const judge_prompt = "desktop-plan-judge";
const char* const grounder_prompt = "desktop-grounder";
constexpr std::string_view earlier_image =
    "The screen before step {}; the screenshot is left out.";

struct planned_step {
  std::string png;
  std::string reply; ///< empty: it is asked for
};

/// One attempt of GTA1.
class gta1_run {
public:
  gta1_run(const model_asker& planner, const model_asker& grounder,
           const desktop_options& options, std::uint32_t plans,
           const task_info& task, environment& env,
           retrieval_session& retrieval, job_context& context)
      : planner_(planner), grounder_(grounder), options_(options),
        plans_(plans), task_(task), env_(env), retrieval_(retrieval),
        context_(context), play_(env, options.max_steps) {}

  result<trajectory> run() {
    auto notes = find_notes(task_, retrieval_, options_.knowledge_tokens);
    if (!notes) return notes.error();
    notes_ = std::move(*notes);
    while (play_.left() > 0) {
      const auto ok = step();
      if (ok) continue;
      const auto why = collapse_spaces(ok.error().message);
      if (planner_.gave_up(ok.error(), context_))
        return play_.take_given_up(why, context_);
      if (ok.error().code != ec::context_too_long) return ok.error();
      planner_.note(context_, &role_counts::overflowed, why);
      return play_.take("the conversation outgrew the model's context: " + why);
    }
    return play_.over() ? play_.take() : play_.take_unfinished();
  }

private:
  struct candidate {
    std::string text;
    gta1_plan plan;
  };

  result<void> step() {
    const auto seen = play_.look();
    if (!seen) return seen.error();
    if (play_.is_last_step())
      return play_.act({action::kind::fail}, "no step is left");
    shown_.push_back({(*seen)->png, {}});
    auto drawn = draw_plans();
    if (!drawn) return drawn.error();
    const auto best = drawn->size() > 1 ? choose(*drawn)
                                        : result<std::size_t>{std::size_t{0}};
    if (!best) return best.error();
    const auto& chosen = (*drawn)[*best];
    shown_.back().reply = chosen.text;
    const auto points = ground(chosen.plan);
    if (!points && !grounder_.gave_up(points.error(), context_))
      return points.error();
    const auto wanted =
        points ? gta1_action(chosen.plan, *points) : action{action::kind::wait};
    const auto caption =
        points ? fmt::format("{} {}", chosen.plan.line, chosen.plan.thought)
               : fmt::format("waited: the place of {} was not found",
                             chosen.plan.line);
    if (auto ok = play_.act(wanted, caption); !ok) return ok;
    captions_ += fmt::format("{}. {}\n", play_.made(),
                             single_line(collapse_spaces(caption), 400));
    return {};
  }

  /// All plans that can be read; at least one.
  result<std::vector<candidate>> draw_plans() {
    const auto request = plan_request();
    const auto replies = ask_samples(planner_, request, plans_, context_);
    if (!replies) return replies.error();
    std::vector<candidate> out;
    for (const auto& reply : *replies)
      if (auto plan = read_gta1_plan(reply.content))
        out.push_back({reply.content, std::move(*plan)});
    if (!out.empty()) return out;
    auto again = planner_.ask_until_read<candidate>(
        request,
        [](const chat_reply& reply) -> result<candidate> {
          auto plan = read_gta1_plan(reply.content);
          if (!plan) return plan.error();
          return candidate{reply.content, std::move(*plan)};
        },
        context_);
    if (!again) return again.error();
    out.push_back(std::move(*again));
    return out;
  }

  chat_request plan_request() const {
    const slot_texts texts{{"briefing", {env_.briefing()}},
                           {"documents", notes_},
                           {"task", {task_.instruction}}};
    chat_request out;
    out.messages.push_back(
        {chat_role::system,
         planner_.prompts().fill(planner_prompt, texts).system,
         {},
         {},
         {}});
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      const bool with_image = i + images_of_plans >= shown_.size();
      chat_message user{chat_role::user, {}, {}, {}, {}};
      user.content =
          with_image ? planner_.prompts().later_turn(
              planner_prompt, {{"step", {std::to_string(i + 1)}}}, "")
                     : fmt::format(earlier_image, i + 1);
      if (with_image) user.images.push_back({"image/png", shown_[i].png});
      out.messages.push_back(std::move(user));
      if (!shown_[i].reply.empty())
        out.messages.push_back(
            {chat_role::assistant, shown_[i].reply, {}, {}, {}});
    }
    return out;
  }

  /// The judge's; the first plan if its replies cannot be used.
  result<std::size_t> choose(const std::vector<candidate>& plans) {
    std::string listed;
    for (std::size_t i = 0; i < plans.size(); ++i)
      listed +=
          fmt::format("{}. {}\n   {}\n", i, plans[i].plan.line,
                      single_line(collapse_spaces(plans[i].plan.thought), 600));
    auto request =
        planner_.prompted(judge_prompt, {{"documents", notes_},
                                         {"task", {task_.instruction}},
                                         {"steps", {captions_}},
                                         {"plans", {listed}}});
    request.messages.back().images.push_back({"image/png", shown_.back().png});
    const auto index = planner_.ask_until_read<std::size_t>(
        std::move(request),
        [&](const chat_reply& reply) {
          return read_gta1_choice(reply.content, plans.size());
        },
        context_);
    if (!index && planner_.gave_up(index.error(), context_))
      return std::size_t{0};
    return index;
  }

  /// The points of the plan's places, each asked for by itself.
  result<std::vector<point>> ground(const gta1_plan& plan) {
    std::vector<point> out;
    const auto screen = play_.size();
    const auto from = smart_resize(screen);
    if (!from) return from.error();
    for (const auto& place : plan.places) {
      auto request = grounder_.prompted(
          grounder_prompt, {{"width", {std::to_string(from->width_px)}},
                            {"height", {std::to_string(from->height_px)}},
                            {"place", {place}}});
      request.messages.back().images.push_back(
          {"image/png", shown_.back().png});
      request.max_tokens = point_tokens;
      auto found = grounder_.ask_until_read<point>(
          std::move(request),
          [&](const chat_reply& reply) {
            return read_gta1_point(reply.content, *from, screen);
          },
          context_);
      if (!found) return found.error();
      out.push_back(*found);
    }
    return out;
  }

  const model_asker& planner_;
  const model_asker& grounder_;
  const desktop_options& options_;
  std::uint32_t plans_;
  const task_info& task_;
  environment& env_;
  retrieval_session& retrieval_;
  job_context& context_;
  desktop_play play_;
  std::vector<std::string> notes_;
  std::vector<planned_step> shown_;
  std::string captions_; ///< of all steps, one a line
};

} // namespace

gta1_agent::gta1_agent(model_asker planner, model_asker grounder,
                       const agent_options& options)
    : planner_(std::move(planner)),
      grounder_(std::move(grounder)), options_{options.max_calls,
                                               options.knowledge_tokens},
      plans_(options.plans) {}

std::string gta1_agent::fingerprint() const {
  return fmt::format("gta1/2 {} {} steps={} notes={} plans={}",
                     planner_.fingerprint({planner_prompt, judge_prompt}),
                     grounder_.fingerprint({grounder_prompt}),
                     options_.max_steps, options_.knowledge_tokens, plans_);
}

result<trajectory> gta1_agent::attempt(const task_info& task, environment& env,
                                       retrieval_session& retrieval,
                                       std::uint64_t,
                                       job_context& context) const {
  return gta1_run{planner_, grounder_, options_,  plans_,
                  task,     env,       retrieval, context}
      .run();
}

} // namespace brewery::desktop
