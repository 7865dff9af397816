/// What an agent on a model sends for whole conversations: bytes a turn, the
/// share of the tools, and how much of each follow-up request is the same as
/// the request before it from the first byte on, which a server's prompt cache
/// can reuse. A scripted model plays each task of the example's split `test` to
/// its end: it looks around, makes the calls that solve the task, and ends.
/// Documents are written by the procedural roles from their own rollouts of the
/// split `train`. Bytes are counted in the order in which servers show a
/// request to a model: tools, then messages. Nothing is random and nothing is
/// timed, so the figures are the same on every machine.
///
///   prompt_cache_bench [DATA]   a domain's folder; else examples/telecom

#include "base/rng.hpp"
#include "envs/tau2/tau2_benchmark.hpp"
#include "kb/bm25.hpp"
#include "llm/format/chat_codec.hpp"
#include "roles/model/llm_agent.hpp"
#include "roles/procedural/procedural_agent.hpp"
#include "roles/procedural/procedural_integrator.hpp"
#include "roles/procedural/procedural_reflector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

using namespace brewery;
using namespace brewery::tau2;

namespace {

void require(bool good, const char* what) {
  if (good) return;
  fmt::print(stderr, "prompt_cache_bench: {}\n", what);
  std::exit(1); // the figures would be of something else
}

struct planned_call {
  std::string name;
  json arguments;
};

/// Look-ups, the calls that solve the task with a look after each, the end.
std::vector<planned_call> plan_of(const task& item) {
  const std::vector<std::string> looks{
      "check_status_bar",   "check_network_status", "check_sim_status",
      "check_apn_settings", "check_vpn_status",     "run_speed_test",
      "can_send_mms"};
  std::vector<planned_call> out;
  for (const auto& look : looks)
    out.push_back({look, json::object()});
  for (const auto& action :
       item.criteria->actions.value_or(std::vector<gold_action>{})) {
    out.push_back({action.name, action.arguments});
    out.push_back({looks[out.size() % looks.size()], json::object()});
  }
  out.push_back({"done", json::object()});
  return out;
}

/// Plays its plan and keeps what it was sent.
class planned_model final : public model_port {
public:
  explicit planned_model(std::vector<planned_call> plan)
      : plan_(std::move(plan)) {}

  result<model_answer> ask(const model_call& call,
                           const model_caller&) override {
    sent.push_back(std::get<chat_request>(call.request));
    const auto& next = plan_.at(sent.size() - 1);
    chat_reply reply;
    reply.tool_calls = {{fmt::format("call_{}", sent.size()), next.name,
                         next.arguments.dump()}};
    reply.finish = chat_finish::tool_calls;
    return model_answer{std::move(reply)};
  }

  std::vector<chat_request> sent;

private:
  std::vector<planned_call> plan_;
};

/// A request's parts in the order in which they are shown to a model.
std::string shown_tools(const chat_request& request) {
  std::string out;
  for (const auto& tool : request.tools)
    out += tool.name + '\n' + tool.description + '\n' + tool.parameters + '\n';
  return out;
}

std::string shown(const chat_message& message) {
  auto out = fmt::format("\n[{}]\n{}", static_cast<int>(message.role),
                         message.content);
  for (const auto& call : message.tool_calls)
    out += call.id + ' ' + call.name + ' ' + call.arguments + '\n';
  return out;
}

std::string shown(const chat_request& request) {
  auto out = shown_tools(request);
  for (const auto& message : request.messages)
    out += shown(message);
  return out;
}

struct sums {
  std::size_t conversations = 0, turns = 0;
  std::size_t sent = 0, tools = 0, tools_on_wire = 0;
  std::size_t follow_ups = 0, changed = 0;
  std::size_t follow_up_bytes = 0, cacheable = 0;
};

void add(sums& to, const std::vector<chat_request>& conversation) {
  ++to.conversations;
  std::string before;
  for (const auto& request : conversation) {
    const auto now = shown(request);
    ++to.turns;
    to.sent += now.size();
    to.tools += shown_tools(request).size();
    if (!before.empty()) {
      const auto same = static_cast<std::size_t>(
          std::mismatch(now.begin(), now.end(), before.begin(), before.end())
              .first
          - now.begin());
      ++to.follow_ups;
      to.changed += same < before.size();
      to.follow_up_bytes += now.size();
      to.cacheable += same;
    }
    before = now;
  }
  auto wire = encode_chat(conversation.front(), {});
  require(wire.has_value(), "a request cannot be encoded");
  auto bare = conversation.front();
  bare.tools.clear();
  to.tools_on_wire = wire->size() - encode_chat(bare, {})->size();
}

std::vector<std::size_t> split(const tau2_benchmark& tasks, const char* name) {
  const auto found = tasks.splits().find(name);
  require(found != tasks.splits().end(), "the data lack a split");
  return found->second;
}

/// Insights of procedural rollouts, by topic.
std::map<std::string, std::map<insight_id, counted_insight>>
insights_of(const tau2_benchmark& tasks) {
  std::map<std::string, std::map<insight_id, counted_insight>> out;
  const procedural_agent player{{}, {}};
  const procedural_reflector learner;
  const auto nothing = std::make_shared<kb_index>();
  for (const auto index : split(tasks, "train"))
    for (std::uint32_t trial = 0; trial < 8; ++trial) {
      const auto& info = tasks.tasks()[index];
      job_context context;
      context.job = {fmt::format("{}/{}", info.id.value, trial)};
      auto env = tasks.make(info.id);
      require(env.has_value(), "a task cannot be set up");
      retrieval_session none{nothing, 3};
      const auto tried =
          player.attempt(info, **env, none,
                         rng_key(1, "bench", info.id.value, trial), context);
      const auto grade = (*env)->grade();
      require(tried && grade, "a procedural rollout failed");
      const auto learned =
          learner.reflect({info, tried->steps, *grade}, {}, context);
      require(learned.has_value(), "the reflector failed");
      for (const auto& item : *learned) {
        auto& counted = out[item.topic][item.id];
        counted.item = item;
        ++counted.count;
        counted.rollouts.push_back(context.job);
        if (counted.tasks.empty() || *counted.tasks.back().task != info.id)
          counted.tasks.push_back({info.id, 0});
        ++counted.tasks.back().count;
      }
    }
  return out;
}

std::shared_ptr<const kb_index> learn(const tau2_benchmark& tasks) {
  std::vector<kb_entry> entries;
  for (const auto& [topic, insights] : insights_of(tasks)) {
    integrate_job work;
    work.concept_ref = {static_cast<std::uint32_t>(entries.size() + 1)};
    work.title = topic;
    std::vector<counted_insight> all;
    for (const auto& [id, item] : insights)
      all.push_back(item);
    work.insights = std::move(all);
    job_context context;
    auto made = procedural_integrator{}.integrate(work, nullptr, context);
    require(made.has_value(), "the integrator failed");
    entries.push_back({work.concept_ref, topic,
                       std::make_shared<const document>(
                           make_document(std::move(made->body)))});
  }
  const auto kb = knowledge_base::make(std::move(entries));
  require(kb.has_value() && !kb->empty(), "nothing was learned");
  auto out = std::make_shared<kb_index>();
  for (const auto& entry : kb->entries())
    out->documents.push_back(entry.doc);
  out->index = make_bm25(*kb);
  return out;
}

sums play(const tau2_benchmark& tasks,
          const std::shared_ptr<const kb_index>& knowledge,
          bool per_observation) {
  const auto prompts = prompt_set::load();
  require(prompts.has_value(), "the prompts cannot be read");
  sums out;
  for (const auto index : split(tasks, "test")) {
    const auto& info = tasks.tasks()[index];
    const auto port =
        std::make_shared<planned_model>(plan_of(*tasks.find(info.id)));
    const llm_agent player{{"agent",
                            {.model = "m"},
                            {port, std::make_shared<const prompt_set>(*prompts),
                             std::make_shared<role_tally>()}},
                           {},
                           {.per_observation = per_observation}};
    auto env = tasks.make(info.id);
    require(env.has_value(), "a task cannot be set up");
    retrieval_session retrieval{knowledge, 3};
    job_context context;
    context.job = {info.id.value};
    const auto played = player.attempt(info, **env, retrieval, 1, context);
    require(played && (*env)->grade()->reward == 1, "a task was not solved");
    add(out, port->sent);
  }
  return out;
}

double percent(std::size_t part, std::size_t of) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(of);
}

void print(const char* what, const sums& s) {
  fmt::print("{}: {} conversations, {} turns, {:.1f} MB sent\n", what,
             s.conversations, s.turns, static_cast<double>(s.sent) / 1e6);
  fmt::print("  tools: {:.1f} % of it; {} bytes in each request's body\n",
             percent(s.tools, s.sent), s.tools_on_wire);
  fmt::print("  follow-up requests whose prefix is not the request before: "
             "{} of {}\n",
             s.changed, s.follow_ups);
  fmt::print("  cacheable prefix: {:.1f} % of the bytes of follow-up requests "
             "(goal 95)\n",
             percent(s.cacheable, s.follow_up_bytes));
}

} // namespace

int main(int argc, char** argv) {
  const std::filesystem::path data =
      argc > 1 ? argv[1] : BREWERY_SOURCE_DIR "/examples/telecom";
  const auto loaded = load_tau2("tau2-telecom", data);
  if (!loaded) {
    fmt::print(stderr, "{}\n", to_string(loaded.error()));
    return 1;
  }
  const auto knowledge = learn(**loaded);
  std::size_t bytes = 0;
  for (const auto& doc : knowledge->documents)
    bytes += doc->body.size();
  fmt::print("{} documents, {} bytes\n", knowledge->documents.size(), bytes);
  print("retrieval after each observation", play(**loaded, knowledge, true));
  print("retrieval for the task only", play(**loaded, knowledge, false));
  return 0;
}
