#include "apps/metrics_endpoint.hpp"

#include <fmt/format.h>

#include <charconv>

namespace brewery {

result<std::unique_ptr<http_server>> serve_metrics(const std::string& listen,
                                                   const engine& machine) {
  if (listen.empty()) return std::unique_ptr<http_server>{};
  const auto colon = listen.rfind(':');
  http_options options;
  const char* end = listen.data() + listen.size();
  const auto bad = error{ec::invalid_config,
                         fmt::format("run.metrics_listen = \"{}\": expected "
                                     "host:port, e.g. \"127.0.0.1:9464\"",
                                     listen)};
  if (colon == std::string::npos || colon == 0) return bad;
  const auto parsed =
      std::from_chars(listen.data() + colon + 1, end, options.port);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return bad;
  options.address = listen.substr(0, colon);
  return http_server::start(
      options,
      {{"/metrics",
        [&machine](const http_request&) {
          return http_response{200, probes::exposition_type,
                               machine.metrics().exposition()};
        }},
       {"/healthz", [](const http_request&) {
          return http_response{200, "text/plain; charset=utf-8", "ok\n"};
        }}});
}

} // namespace brewery
