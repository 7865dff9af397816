#include "run/setup/run_models.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// A recording answers without any server.
catalog_use use_of(const std::filesystem::path& replay) {
  return replay.empty() ? catalog_use::asking : catalog_use::reading;
}

} // namespace

result<run_models> models_of(std::shared_ptr<model_service> service,
                             const config& options,
                             const std::filesystem::path& run,
                             const std::filesystem::path& replay) {
  run_models out;
  out.service = std::move(service);
  auto broker = out.service->broker(options, run, replay);
  if (!broker) return broker.error();
  out.broker = std::move(*broker);
  out.names = out.service->fingerprint(models_used(options));
  out.playing = out.service->fingerprint(models_playing(options));
  out.reflecting = out.service->fingerprint(models_reflecting(options));
  if (options.integrator.kind == "llm")
    out.integrating = out.service->fingerprint({options.integrator.llm.model});
  return out;
}

result<run_models>
open_models(const config& options, const std::filesystem::path& run,
            const std::filesystem::path& replay,
            const std::shared_ptr<process_metrics>& metrics) {
  if (models_used(options).empty()) return run_models{};
  auto service =
      model_service::start(options.models.catalog, metrics, use_of(replay));
  if (!service) return service.error();
  return models_of(std::move(*service), options, run, replay);
}

result<void> check_run_models(const config& options,
                              const std::filesystem::path& replay) {
  if (models_used(options).empty()) return {};
  const auto service =
      model_service::start(options.models.catalog,
                           std::make_shared<process_metrics>(), use_of(replay));
  if (!service) return service.error();
  if (!replay.empty())
    if (const auto recorded = model_recording::open_for_replay(replay);
        !recorded)
      return recorded.error();
  if (auto ok = (*service)->check(options); !ok) return ok;
  return replay.empty() ? (*service)->reach(options) : result<void>{};
}

namespace {

std::string cost_text(const model_broker_view& view) {
  auto out = dollars_text(view.spent.cost);
  if (view.limit.cost > 0) out += " of " + dollars_text(view.limit.cost);
  return out;
}

std::string spent_text(const model_broker_view& view) {
  auto out = cost_text(view);
  out += ", " + counted(view.spent.tokens, "token");
  if (view.limit.tokens > 0) out += fmt::format(" of {}", view.limit.tokens);
  return out;
}

} // namespace

std::string cost_text(const run_models& models) {
  return models.broker ? cost_text(models.broker->view()) : std::string{};
}

std::string models_text(const run_models& models) {
  if (!models.broker) return {};
  const auto view = models.broker->view();
  auto out = spent_text(view) + ", " + counted(view.spent.calls, "call");
  if (view.waiting > 0)
    out += fmt::format(", {} wait for the budget", view.waiting);
  for (const auto& server : models.service->servers()) {
    if (server.out + server.queued + server.pausing == 0) continue;
    out += fmt::format(", {}: {} out", server.name, server.out);
    if (server.queued > 0) out += fmt::format(", {} queued", server.queued);
    if (server.pausing > 0)
      out += fmt::format(", {} retried soon", server.pausing);
  }
  return out;
}

nlohmann::ordered_json models_json(const run_models& models) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  if (!models.broker) return out;
  const auto view = models.broker->view();
  out["cost_usd"] = spent_usd(models);
  out["tokens"] = view.spent.tokens;
  out["calls"] = view.spent.calls;
  out["answered_from_recording"] = view.from_record;
  out["failed"] = view.failed;
  out["under_way"] = view.under_way;
  out["servers"] = nlohmann::ordered_json::array();
  for (const auto& server : models.service->servers())
    out["servers"].push_back({{"name", server.name},
                              {"limit", server.limit},
                              {"out", server.out},
                              {"queued", server.queued},
                              {"pausing", server.pausing},
                              {"attempts", server.attempts},
                              {"rate_limited", server.rate_limited}});
  return out;
}

double spent_usd(const run_models& models) {
  return models.broker ? dollars_of(models.broker->view().spent.cost) : 0;
}

void report_spending(const run_models& models, run_metrics& metrics) {
  if (!models.broker) return;
  const auto view = models.broker->view();
  metrics.set_model_spending(dollars_of(view.spent.cost),
                             dollars_of(view.limit.cost), view.spent.tokens,
                             view.spent.calls);
}

error stopped_because(const run_models& models, const error& why) {
  auto text = why.message;
  if (models.broker) text += "; spent " + spent_text(models.broker->view());
  return {why.code, std::move(text)};
}

bool may_go_on(const error& why) {
  return why.code == ec::over_budget || why.code == ec::exhausted
         || why.code == ec::unauthorized;
}

std::string larger_budget(const error& why, const std::string& command) {
  constexpr std::string_view of_budget = "budget.";
  const auto at = why.message.find(of_budget);
  if (at == std::string::npos) return command;
  const auto end = why.message.find_first_not_of("abcdefghijklmnopqrstuvwxyz_",
                                                 at + of_budget.size());
  const auto key = why.message.substr(at, end - at);
  if (key == "budget.max_hours") return command;
  return fmt::format("{} --set {}={}", command, key,
                     key == "budget.roles" ? "'[LIMITS]'" : "AMOUNT");
}

std::string go_on_advice(const error& why, const std::string& command) {
  const auto* when = why.code == ec::exhausted      ? "when it answers again,"
                     : why.code == ec::unauthorized ? "then"
                                                    : "";
  if (*when == 0) return {};
  return fmt::format("; nothing that was paid is lost; {} go on with `{}`",
                     when, command);
}

} // namespace brewery
