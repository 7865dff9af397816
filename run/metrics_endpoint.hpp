#pragma once
/// Serves `/metrics`, `/healthz` and `/readyz` of a runtime or a worker
/// process, if configured.

#include "net/http_server.hpp"
#include "run/cluster_runtime.hpp"
#include "workers/worker_process.hpp"

namespace brewery {

/// Whether the address is right and free now. For use before anything is
/// written.
result<void> can_serve(const std::string& listen);

/// `listen` is "host:port", of IPv6 "[host]:port". If it is empty, returns null
/// and serves nothing. The runtime must outlive the server. `notes`: what
/// `/readyz` says besides. `pages` answer all other paths.
result<std::unique_ptr<http_server>>
serve_metrics(const std::string& listen, const cluster_runtime& machine,
              std::function<std::string()> notes = {}, http_handler pages = {});

/// Serves the same for a process that has no runtime yet; `/readyz` says why.
result<std::unique_ptr<http_server>>
serve_waiting(const std::string& listen,
              std::shared_ptr<process_metrics> metrics, std::string why);

/// Serves the same for a worker process.
result<std::unique_ptr<http_server>>
serve_worker(const std::string& listen, const worker_process& machine,
             std::shared_ptr<process_metrics> metrics);

} // namespace brewery
