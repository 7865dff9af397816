#pragma once
/// The server behind `brewery ui`: the page, and /api/ for it. Read-only. Its
/// pages can also be served by a coordinator, beside its metrics, or be asked
/// of one from elsewhere.

#include "net/http_access.hpp"
#include "web/live/live_answer.hpp"
#include "web/run_shelf.hpp"

#include <atomic>
#include <memory>
#include <string>

namespace brewery::web {

/// Where answers come from. Pages are asked for one after the other, the news
/// of streams on another thread.
struct ui_source {
  http_handler answer; ///< what is below /api/, but `stream`
  news_source news;    ///< for streams
};

/// The runs of a directory on this machine.
ui_source local_source(run_shelf shelf);

struct ui_options {
  http_options http{};
  std::string token{}; ///< empty: none is asked for
};

/// The pages, with who may ask. Thread-safe but for `source`, see there.
class ui_site {
public:
  /// Error ec::invalid_argument: an address beyond loopback without a token, or
  /// a token that is too short.
  static result<std::shared_ptr<ui_site>> make(const ui_options& options,
                                               ui_source source);

  /// Refuses everything until the server's port is known.
  void set_port(std::uint16_t port) { port_ = port; }
  http_response answer(const http_request& request);

private:
  ui_site(const ui_options& options, ui_source source);
  http_response page(const http_request& request);

  ui_source source_;
  std::atomic<std::uint16_t> port_;
  bool loopback_;
  std::string token_;
};

/// Of a site that it keeps. Else as http_server::start.
result<std::unique_ptr<http_server>>
start_ui(const http_options& options, const std::shared_ptr<ui_site>& site);

} // namespace brewery::web
