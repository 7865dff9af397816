#pragma once
/// `/metrics` and `/healthz` of a running engine, when asked for.

#include "apps/engine.hpp"
#include "net/http_server.hpp"

namespace brewery {

/// `listen` is "host:port"; empty: null, nothing is served. The engine must
/// outlive the server.
result<std::unique_ptr<http_server>> serve_metrics(const std::string& listen,
                                                   const engine& machine);

} // namespace brewery
