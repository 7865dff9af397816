// The only file of this library that includes Boost.Beast, for its parser.
// <utility> must come before Asio of Boost 1.74 with GCC 12.
#include "llm/http/http_connection.hpp"

#include "base/encodings.hpp"
#include "base/text.hpp"
#include "llm/http/tcp_link.hpp"
#include "llm/http/tls.hpp"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <fmt/format.h>

#include <optional>
#include <utility>

namespace brewery {

namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;
using std::chrono::milliseconds;

constexpr std::size_t read_bytes = 16'384;
constexpr std::uint32_t header_bytes_most = 65'536;

/// A server that closes an idle connection has not read the request, and the
/// end arrives within a round trip. If the end comes later than this, the
/// server may have processed the request.
constexpr milliseconds stale_within{1'000};

/// How long to wait for the end of a body whose content has ended. Then the
/// connection is closed; without waiting, none could be reused.
constexpr milliseconds linger{1'000};

bool is_event_stream(std::string_view content_type) {
  constexpr std::string_view wanted = "text/event-stream";
  return lower(content_type.substr(0, wanted.size())) == wanted;
}

class connection final : public http_connection,
                         public std::enable_shared_from_this<connection> {
public:
  connection(event_loop& loop, const http_endpoint& server)
      : loop_(loop), server_(server), link_(tcp_link::make(loop, server)) {}

  ~connection() override { link_->close(); }

  void exchange(const http_call& call, done finished) override {
    finished_ = std::move(finished);
    body_ = call.body;
    sink_ = call.sink;
    head_ = head_of(call);
    outcome_ = {};
    parser_.reset();
    reused_ = phase_ == phase::idle;
    phase_ = phase::connecting;
    last_moment_ = event_loop::now() + timeouts().total;
    loop_.post([self = shared_from_this()] { self->begin(); });
  }

  void close() override {
    fail(http_trouble::cancelled, "cancelled");
    phase_ = phase::closed;
    link_->close();
  }

  bool is_reusable() override {
    return phase_ == phase::idle && link_->is_quiet();
  }

private:
  enum class phase {
    fresh,
    connecting,
    sending,
    waiting,
    receiving,
    idle,
    closed
  };

  [[nodiscard]] const http_timeouts& timeouts() const {
    return server_.server.options.timeouts;
  }

  std::string head_of(const http_call& call) const {
    const auto& base = server_.server.base;
    const auto& proxy = server_.server.proxy;
    const bool absolute = proxy && !base.tls;
    auto out = fmt::format("POST {}{} HTTP/1.1\r\nHost: {}\r\n",
                           absolute ? "http://" + base.host_header() : "",
                           call.target, base.host_header());
    if (absolute && !proxy->user_info.empty())
      out += fmt::format("Proxy-Authorization: Basic {}\r\n",
                         base64(proxy->user_info.reveal()));
    for (const auto& [name, value] : server_.server.headers)
      out += fmt::format("{}: {}\r\n", name, value);
    out += fmt::format("User-Agent: brewery/{}\r\n"
                       "Accept: application/json\r\n"
                       "Content-Type: application/json\r\n"
                       "Content-Length: {}\r\n\r\n",
                       BREWERY_VERSION, call.body->size());
    return out;
  }

  // -- the course of an exchange ---------------------------------------------

  void begin() {
    if (!finished_) return;
    if (reused_) return send();
    expect(timeouts().connect);
    link_->open([self = shared_from_this()](const link_state& state) {
      if (!self->finished_) return;
      if (state.end == link_end::none) return self->send();
      self->outcome_.proxy_status = state.proxy_status;
      self->fail(state.end == link_end::untrusted ? http_trouble::untrusted
                 : state.end == link_end::proxy   ? http_trouble::proxy
                                                  : http_trouble::unreachable,
                 state.what);
    });
  }

  /// Reads while sending: a server may refuse before it has read everything.
  void send() {
    phase_ = phase::sending;
    sent_ = 0;
    write();
    read();
  }

  void write() {
    expect(timeouts().idle);
    const bool in_head = sent_ < head_.size();
    const auto& text = in_head ? head_ : *body_;
    const auto from = in_head ? sent_ : sent_ - head_.size();
    link_->write(text.data() + from, text.size() - from,
                 [self = shared_from_this()](const auto& state, auto bytes) {
                   if (self->finished_) self->written(state, bytes);
                 });
  }

  void written(const link_state& state, std::size_t bytes) {
    sent_ += bytes;
    outcome_.bytes_sent += bytes;
    // The read reports the end, perhaps with a reply that gives the reason.
    if (state.end != link_end::none) return;
    if (sent_ < head_.size() + body_->size()) return write();
    outcome_.all_sent = true;
    all_sent_at_ = event_loop::now();
    if (phase_ != phase::sending) return;
    phase_ = phase::waiting;
    expect(timeouts().first_byte);
  }

  void read() {
    const auto space = buffer_.prepare(read_bytes);
    link_->read(static_cast<char*>(space.data()), space.size(),
                [self = shared_from_this()](const auto& state, auto bytes) {
                  if (self->finished_) self->received(state, bytes);
                });
  }

  void received(const link_state& state, std::size_t bytes) {
    buffer_.commit(bytes);
    outcome_.bytes_received += bytes;
    if (bytes > 0) {
      phase_ = phase::receiving;
      const auto failed = parse();
      pass_on();
      if (failed) return not_understood(failed);
      if (parser_->is_done()) return complete();
      expect(patience());
    }
    if (state.end == link_end::none) return read();
    if (state.end == link_end::closed && parser_) {
      error_code failed; // a body without length ends with the connection
      parser_->put_eof(failed);
      pass_on();
      if (!failed && parser_->is_done()) return complete();
    }
    ended(state);
  }

  error_code parse() {
    error_code failed;
    if (!parser_) new_parser();
    while (buffer_.size() > 0 && !failed && !parser_->is_done()) {
      buffer_.consume(parser_->put(buffer_.data(), failed));
      // For 100 Continue and the like: the real reply follows.
      if (parser_->is_done() && parser_->get().result_int() < 200) new_parser();
    }
    if (failed != http::error::need_more) return failed;
    // Beast 1.74 has no limit for the line before a piece and what follows the
    // last one: it asks for more until the line ends.
    if (buffer_.size() > header_bytes_most) return http::error::header_limit;
    return {};
  }

  /// Gives the sink what has come of a stream's body.
  void pass_on() {
    if (!sink_ || !parser_->is_header_done()) return;
    auto& message = parser_->get();
    if (message.result_int() != 200
        || !is_event_stream(std::string{message[http::field::content_type]}))
      return;
    outcome_.streamed = true;
    sink_->take(message.body());
    message.body().clear();
  }

  /// The longest silence in the reply. Until a stream has words, it is the
  /// first byte's: servers send headers, an empty piece or comments at once and
  /// compute after that.
  [[nodiscard]] milliseconds patience() const {
    if (!outcome_.streamed) return timeouts().idle;
    switch (sink_->stage()) {
    case sink_stage::waiting:
      return timeouts().first_byte;
    case sink_stage::speaking:
      break;
    case sink_stage::ended:
      return linger;
    }
    return timeouts().idle;
  }

  void new_parser() {
    parser_.emplace();
    // Not eager: Beast 1.74 would continue after a Content-Length over the
    // limit and allocate that size.
    parser_->eager(false);
    parser_->header_limit(header_bytes_most);
    parser_->body_limit(server_.server.options.reply_bytes_most);
  }

  void not_understood(const error_code& failed) {
    if (failed == http::error::body_limit)
      return fail(http_trouble::too_large,
                  fmt::format("the reply has more than {} bytes "
                              "(reply_bytes_most)",
                              server_.server.options.reply_bytes_most));
    fail(http_trouble::bad_http, failed.message());
  }

  /// The connection ended before the reply was complete.
  void ended(const link_state& state) {
    if (outcome_.bytes_received > 0)
      return fail(http_trouble::cut_off,
                  fmt::format("the connection ended inside the reply, after {} "
                              "bytes: {}",
                              outcome_.bytes_received, state.what));
    const bool at_once =
        !outcome_.all_sent || event_loop::now() < all_sent_at_ + stale_within;
    if (reused_ && at_once)
      return fail(http_trouble::stale,
                  "the server had closed the connection that was kept");
    if (!outcome_.all_sent)
      return fail(http_trouble::not_sent,
                  fmt::format("the connection ended while the request was "
                              "sent: {}",
                              state.what));
    fail(http_trouble::no_reply,
         fmt::format("the connection ended before a reply: {}", state.what));
  }

  // -- its end ---------------------------------------------------------------

  void complete() {
    auto& message = parser_->get();
    outcome_.reply.status = message.result_int();
    for (const auto& field : message)
      outcome_.reply.headers.emplace_back(std::string{field.name_string()},
                                          std::string{field.value()});
    outcome_.reply.body = std::move(message.body());
    const bool keep =
        parser_->keep_alive() && outcome_.all_sent && buffer_.size() == 0;
    phase_ = keep ? phase::idle : phase::closed;
    tell();
  }

  void fail(http_trouble trouble, std::string what) {
    if (!finished_) return;
    outcome_.trouble = trouble;
    outcome_.what = std::move(what);
    phase_ = phase::closed;
    tell();
  }

  void tell() {
    const auto self = shared_from_this();
    loop_.forget(std::exchange(timer_, 0));
    if (phase_ == phase::closed) link_->close();
    parser_.reset();
    buffer_.clear();
    buffer_.shrink_to_fit();
    head_.clear();
    body_.reset();
    sink_.reset();
    std::exchange(finished_, nullptr)(std::move(outcome_));
  }

  // -- deadlines -------------------------------------------------------------

  void expect(milliseconds within) {
    deadline_ = std::min(event_loop::now() + within, last_moment_);
    // A timer that fires early starts again. This is cheaper than a new timer
    // for each piece.
    if (timer_ != 0 && timer_at_ <= deadline_) return;
    loop_.forget(timer_);
    timer_at_ = deadline_;
    timer_ =
        loop_.after(std::max(milliseconds{0}, deadline_ - event_loop::now()),
                    [self = shared_from_this()] { self->on_timer(); });
  }

  void on_timer() {
    timer_ = 0;
    if (!finished_) return;
    const auto now = event_loop::now();
    if (now < deadline_) return expect(deadline_ - now);
    const auto& limits = timeouts();
    const auto late = [this](http_trouble trouble, std::string_view what,
                             milliseconds limit) {
      fail(trouble, fmt::format("{} within {} ms", what, limit.count()));
    };
    if (now >= last_moment_)
      return late(http_trouble::total_timeout, "no complete reply",
                  limits.total);
    switch (phase_) {
    case phase::connecting:
      return late(http_trouble::connect_timeout, "no connection",
                  limits.connect);
    case phase::sending:
      return late(http_trouble::send_timeout,
                  "the server took nothing of the request", limits.idle);
    case phase::waiting:
      return late(http_trouble::first_byte_timeout, "no reply began",
                  limits.first_byte);
    default:
      break;
    }
    if (outcome_.streamed && sink_->stage() == sink_stage::waiting)
      return late(http_trouble::first_byte_timeout,
                  "the stream began, but nothing of the answer came",
                  limits.first_byte);
    late(http_trouble::idle_timeout, "nothing more of the reply came",
         limits.idle);
  }

  event_loop& loop_;
  const http_endpoint& server_;
  std::shared_ptr<tcp_link> link_;
  phase phase_ = phase::fresh;
  bool reused_ = false;

  done finished_; ///< set during an exchange
  std::string head_;
  std::shared_ptr<const std::string> body_;
  std::shared_ptr<body_sink> sink_; ///< of a reply that may be a stream
  std::size_t sent_ = 0;
  event_loop::milliseconds all_sent_at_{0};
  beast::flat_buffer buffer_;
  std::optional<http::response_parser<http::string_body>> parser_;
  http_outcome outcome_;

  event_loop::milliseconds last_moment_{0}; ///< end of the total timeout
  event_loop::milliseconds deadline_{0};    ///< end of the phase's timeout
  event_loop::timer timer_ = 0;
  event_loop::milliseconds timer_at_{0};
};

} // namespace

std::shared_ptr<http_connection>
http_connection::make(event_loop& loop, const http_endpoint& server) {
  return std::make_shared<connection>(loop, server);
}

result<std::shared_ptr<const http_endpoint>>
make_endpoint(checked_provider server) {
  auto out = std::make_shared<http_endpoint>();
  out->server = std::move(server);
  if (out->server.base.tls) {
    auto tls = make_tls_context(out->server.options.ca_file);
    if (!tls)
      return error{tls.error().code,
                   fmt::format("model server '{}': {}",
                               out->server.options.name, tls.error().message)};
    out->tls = *std::move(tls);
  }
  return std::shared_ptr<const http_endpoint>{std::move(out)};
}

} // namespace brewery
