#include "run/metrics_endpoint.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

using handlers = std::map<std::string, http_handler>;

constexpr const char* plain_text = "text/plain; charset=utf-8";

result<std::unique_ptr<http_server>>
serve(const std::string& listen, std::function<std::string()> metrics,
      std::function<bool()> alive, std::function<std::string()> why_not_ready,
      std::function<std::string()> notes = {}, http_handler pages = {}) {
  if (listen.empty()) return std::unique_ptr<http_server>{};
  const auto options = options_to_listen(listen);
  if (!options)
    return error{ec::invalid_config,
                 fmt::format("metrics_listen = \"{}\": expected host:port, "
                             "e.g. \"127.0.0.1:9464\"",
                             listen)};
  return http_server::start(
      *options,
      {{"/metrics",
        [metrics](const http_request&) {
          return http_response{200, process_metrics::exposition_type,
                               metrics()};
        }},
       {"/healthz",
        [alive](const http_request&) {
          return alive()
                     ? http_response{200, plain_text, "ok\n"}
                     : http_response{503, plain_text, "a thread is stuck\n"};
        }},
       {"/readyz",
        [why_not_ready, notes](const http_request&) {
          const auto why = why_not_ready();
          const auto more = notes ? notes() : std::string{};
          return why.empty()
                     ? http_response{200, plain_text, "ready\n" + more}
                     : http_response{503, plain_text, why + '\n' + more};
        }}},
      pages ? handlers{{"/*", std::move(pages)}} : handlers{});
}

} // namespace

result<void> can_serve(const std::string& listen) {
  const auto tried = serve(
      listen, [] { return std::string{}; }, [] { return true; },
      [] { return std::string{}; });
  if (!tried) return tried.error();
  return {};
}

result<std::unique_ptr<http_server>>
serve_metrics(const std::string& listen, const cluster_runtime& machine,
              std::function<std::string()> notes, http_handler pages) {
  return serve(
      listen, [&machine] { return machine.metrics()->exposition(); },
      [&machine] { return machine.alive(); },
      [&machine] { return machine.why_not_ready(); }, std::move(notes),
      std::move(pages));
}

result<std::unique_ptr<http_server>>
serve_waiting(const std::string& listen,
              std::shared_ptr<process_metrics> metrics, std::string why) {
  return serve(
      listen, [metrics] { return metrics->exposition(); }, [] { return true; },
      [why] { return why; });
}

result<std::unique_ptr<http_server>>
serve_worker(const std::string& listen, const worker_process& machine,
             std::shared_ptr<process_metrics> metrics) {
  return serve(
      listen,
      [&machine, metrics] {
        const auto now = machine.view();
        table_counts counts;
        counts.slots = now.slots;
        counts.leased = counts.busy = now.running;
        counts.delivered = now.unacknowledged;
        metrics->set_cluster(counts);
        return metrics->exposition();
      },
      [&machine] { return machine.view().turns_lately; },
      [&machine]() -> std::string {
        return machine.view().connected ? "" : "no coordinator can be reached";
      });
}

} // namespace brewery
