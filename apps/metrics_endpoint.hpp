#pragma once
/// `/metrics` and `/healthz` of a running engine, when asked for.

#include "apps/runtime.hpp"
#include "net/http_server.hpp"
#include "workers/worker_process.hpp"

namespace brewery {

/// `listen` is "host:port"; empty: null, nothing is served. The runtime must
/// outlive the server.
result<std::unique_ptr<http_server>> serve_metrics(const std::string& listen,
                                                   const runtime& machine);

/// The same of a worker process.
result<std::unique_ptr<http_server>>
serve_worker(const std::string& listen, const worker_process& machine,
             std::shared_ptr<probes> metrics);

} // namespace brewery
