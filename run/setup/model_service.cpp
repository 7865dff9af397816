#include "run/setup/model_service.hpp"

#include "base/text.hpp"
#include "config/budget_limits.hpp"
#include "llm/http/reach.hpp"
#include "run/setup/server_limits.hpp"
#include "run/setup/server_watch.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <set>

namespace brewery {

namespace {

/// "http://127.0.0.1:8000/v1", without what may be secret.
std::string address_of(const provider& server) {
  const auto checked = check(server);
  if (!checked) return server.name;
  const auto& base = checked->base;
  return fmt::format("{}://{}{}", base.tls ? "https" : "http",
                     base.host_header(), base.path);
}

error outage_of(const provider& server, const call_report& report) {
  std::string_view cause = report.last.message;
  const auto known = fmt::format("model server '{}': ", server.name);
  if (cause.starts_with(known)) cause.remove_prefix(known.size());
  const auto failed = report.attempts > 1
                          ? fmt::format(" failed {} attempts", report.attempts)
                          : std::string{};
  return {report.last.code,
          fmt::format("model server '{}' ({}){}: {}{}{}", server.name,
                      address_of(server), failed, cause,
                      report.given_up.empty() ? "" : "; ", report.given_up)};
}

} // namespace

/// Maps a catalog name to its server and the model's name there.
class model_service::transport final : public model_transport {
public:
  transport(std::shared_ptr<model_client> client, model_catalog catalog)
      : client_(std::move(client)), catalog_(std::move(catalog)) {}

  void send(const model_call& call, const std::string& owner,
            std::function<bool()> pays_again,
            std::function<void(transport_outcome)> done) override {
    auto sent = call;
    auto& name = model_of(sent);
    const auto& model = catalog_.models.at(name);
    name = model.name;
    // Not part of the recorded request, so a run that is resumed after a server
    // refused it asks nothing twice.
    if (auto* chat = std::get_if<chat_request>(&sent.request);
        chat && !model.temperature.value_or(true))
      chat->temperature.reset();
    client_->ask(
        {model.server, owner, {}, std::move(pays_again)}, sent,
        [done = std::move(done), &server = catalog_.servers.at(model.server)](
            result<model_answer> answer, const call_report& report) {
          if (!answer && report.fault != call_fault::call)
            answer = outage_of(server, report);
          done({std::move(answer), report.maybe_charged, report.fault,
                report.asked, report.refused, report.unpaid});
        });
  }

  void stop_retries(const std::string& owner) override {
    client_->stop_retries(owner);
  }

  void end_calls(const std::string& owner) override {
    client_->end_calls(owner);
  }

private:
  std::shared_ptr<model_client> client_;
  model_catalog catalog_;
};

namespace {

void log_changes(const std::filesystem::path& run, const server_limits& now) {
  const auto changed = note_limits(run, now);
  if (!changed)
    spdlog::warn("run={} {}", run.filename().string(), changed.error().message);
  else
    for (const auto& line : *changed)
      spdlog::warn("model_limit_changed run={} {}", run.filename().string(),
                   line);
}

void log_news(const call_event& event, server_watch::news news) {
  if (news == server_watch::news::failing)
    spdlog::warn("model_server_failing server={} run={} error=\"{}\" calls "
                 "to the server are retried",
                 event.provider, event.owner, event.result.why.message);
  if (news == server_watch::news::answering)
    spdlog::warn("model_server_answers server={}", event.provider);
}

} // namespace

result<std::shared_ptr<model_service>>
model_service::start(const std::filesystem::path& catalog,
                     std::shared_ptr<process_metrics> metrics,
                     catalog_use use) {
  auto loaded = load_model_catalog(catalog, use);
  if (!loaded.problems.empty()) return loaded.problems.front();
  std::vector<provider> servers;
  // What an unready server lacks matters to those who ask it: see check_models.
  for (const auto& [name, server] : loaded.value.servers)
    if (!loaded.value.unready.contains(name)) servers.push_back(server);
  if (servers.empty() && !loaded.value.unready.empty())
    return loaded.value.unready.begin()->second;
  model_client_options options;
  const auto watch = std::make_shared<server_watch>();
  options.observer = [metrics, watch](const call_event& event) {
    if (event.stage == call_stage::ended) {
      metrics->model_attempt(event.provider, to_string(event.result.outcome),
                             std::chrono::duration<double>(event.took).count());
      log_news(event, watch->on(event.provider, event.result.outcome));
      if (!event.note.empty())
        spdlog::info("model_server_asked_differently server={} why=\"{}\"",
                     event.provider, event.note);
    } else if (event.stage == call_stage::pausing)
      metrics->model_paused(event.provider,
                            std::chrono::duration<double>(event.wait).count());
  };
  auto client = model_client::start(std::move(servers), std::move(options));
  if (!client) return client.error();
  std::shared_ptr<model_service> out{new model_service};
  out->catalog_ = std::move(loaded.value);
  out->file_ = catalog;
  out->client_ = std::move(*client);
  out->metrics_ = std::move(metrics);
  return out;
}

namespace {

std::set<std::string> models_that_chat(const config& options) {
  std::set<std::string> out;
  for (const auto& [role, model] : models_by_role(options))
    if (role != "embedder") out.insert(model);
  return out;
}

} // namespace

result<void> check_models(const config& options, const model_catalog& catalog,
                          const std::filesystem::path& file) {
  const bool by_cost =
      options.budget.max_cost_usd > 0
      || std::any_of(options.budget.roles.begin(), options.budget.roles.end(),
                     [](const auto& text) {
                       return text.find("cost_usd") != std::string::npos;
                     });
  std::vector<std::string> names;
  for (const auto& [name, model] : catalog.models)
    names.push_back(name);
  const auto chats = models_that_chat(options);
  for (const auto& name : models_used(options)) {
    const auto found = catalog.models.find(name);
    if (found == catalog.models.end())
      return error{ec::invalid_config,
                   fmt::format("{} has no [model.{}], which a role uses{}",
                               file.string(), name,
                               suggest_choice(name, names))};
    if (const auto unready = catalog.unready.find(found->second.server);
        unready != catalog.unready.end())
      return unready->second;
    if (by_cost && !known_price(found->second, chats.contains(name)))
      return error{
          ec::invalid_config,
          fmt::format("{}: the {} of [model.{}] ({}) is not known, "
                      "so a budget in USD cannot hold: give "
                      "usd_per_million_prompt and "
                      "usd_per_million_completion (0 if it is free)",
                      file.string(),
                      found->second.price ? "price of replies" : "price", name,
                      found->second.name)};
  }
  return {};
}

result<void> model_service::check(const config& options) const {
  return check_models(options, catalog_, file_);
}

result<void> model_service::reach(const config& options) const {
  std::set<std::string> servers;
  for (const auto& name : models_used(options))
    if (const auto found = catalog_.models.find(name);
        found != catalog_.models.end())
      servers.insert(found->second.server);
  for (const auto& name : servers) {
    const auto checked = brewery::check(catalog_.servers.at(name));
    if (!checked) return checked.error();
    const auto& to = checked->proxy ? *checked->proxy : checked->base;
    if (auto ok = can_connect(to, checked->options.timeouts.connect); !ok)
      return error{ok.error().code,
                   fmt::format("{}: [server.{}] does not answer: {}; start it, "
                               "or correct {}",
                               file_.string(), name, ok.error().message,
                               checked->proxy ? "proxy" : "base_url")};
  }
  return {};
}

result<std::shared_ptr<model_broker>>
model_service::broker(const config& options, const std::filesystem::path& run,
                      const std::filesystem::path& replay) {
  if (auto good = check(options); !good) return good.error();
  model_broker_inputs inputs;
  inputs.owner = run.filename().string();
  const auto chats = models_that_chat(options);
  for (const auto& [name, model] : catalog_.models)
    inputs.models[name] = {
        model.name,
        known_price(model, chats.contains(name)).value_or(token_price{}),
        model.reply_tokens};
  inputs.limits = make_budget(options.budget);
  inputs.on_uncounted = [owner = inputs.owner](const std::string& model) {
    spdlog::warn("model_uncounted run={} model={} its server counts no tokens; "
                 "each call costs all that was reserved for it; a lower "
                 "reply_tokens of the model reserves less",
                 owner, model);
  };
  if (!run.empty()) {
    auto recording = model_recording::open(run);
    if (!recording) return recording.error();
    inputs.recording = std::move(*recording);
    log_changes(run, limits_of(catalog_));
  }
  if (!replay.empty()) {
    auto recorded = model_recording::open_for_replay(replay);
    if (!recorded) return recorded.error();
    inputs.replay = std::move(*recorded);
  } else {
    inputs.transport = std::make_shared<transport>(client_, catalog_);
  }
  return model_broker::make(std::move(inputs));
}

std::string
model_service::fingerprint(const std::vector<std::string>& names) const {
  std::string out;
  for (const auto& name : names) {
    const auto found = catalog_.models.find(name);
    out +=
        fmt::format(" {}={}", name,
                    found == catalog_.models.end() ? "?" : found->second.name);
  }
  return out;
}

std::map<std::string, std::string>
model_service::asked_by_role(const config& options) const {
  std::map<std::string, std::string> out;
  for (const auto& [role, model] : models_by_role(options))
    if (const auto found = catalog_.models.find(model);
        found != catalog_.models.end())
      out[role] =
          fmt::format("model '{}' at server '{}'", model, found->second.server);
  return out;
}

std::vector<provider_status> model_service::servers() const {
  return client_->status();
}

} // namespace brewery
