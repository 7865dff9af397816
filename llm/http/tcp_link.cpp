// <utility> must come before Asio of Boost 1.74 with GCC 12.
#include "llm/http/tcp_link.hpp"

#include "base/encodings.hpp"
#include "llm/http/tls.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include <array>
#include <optional>
#include <sys/socket.h>
#include <utility>

namespace brewery {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

/// Larger than any proxy's reply to CONNECT.
constexpr std::size_t tunnel_reply_most = 16'384;

link_state state_of(const error_code& failed) {
  if (!failed) return {};
  if (failed == asio::error::eof) return {link_end::closed, "closed", 0};
  if (failed == asio::ssl::error::stream_truncated)
    return {link_end::broken, "ended without TLS's goodbye", 0};
  return {link_end::broken, failed.message(), 0};
}

/// Owned by its users and by its pending operations.
class link final : public tcp_link, public std::enable_shared_from_this<link> {
  /// A handler for Asio that keeps this object alive.
  auto pass_on(moved done) {
    return [self = shared_from_this(),
            done = std::move(done)](const error_code& failed, std::size_t n) {
      done(state_of(failed), n);
    };
  }

public:
  link(event_loop& loop, const http_endpoint& server)
      : loop_(loop), server_(server), socket_(loop.context()) {}

  void open(opened done) override {
    opened_ = std::move(done);
    loop_.resolve(peer().host, [self = shared_from_this()](const auto& found) {
      if (!self->opened_) return;
      if (!found)
        return self->fail({link_end::unreachable, found.error().message, 0});
      self->addresses_ = *found;
      self->connect_next("there is no address");
    });
  }

  void read(char* to, std::size_t size, moved done) override {
    const auto into = asio::buffer(to, size);
    if (tls_)
      tls_->async_read_some(into, pass_on(std::move(done)));
    else
      socket_.async_read_some(into, pass_on(std::move(done)));
  }

  void write(const char* from, std::size_t size, moved done) override {
    const auto what = asio::buffer(from, size);
    if (tls_)
      tls_->async_write_some(what, pass_on(std::move(done)));
    else
      socket_.async_write_some(what, pass_on(std::move(done)));
  }

  bool is_quiet() override {
    char byte = 0;
    return socket_.is_open()
           && ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT)
                  < 0
           && (errno == EAGAIN || errno == EWOULDBLOCK);
  }

  void close() override {
    opened_ = nullptr;
    error_code ignored;
    socket_.close(ignored);
  }

private:
  [[nodiscard]] const url& target() const { return server_.server.base; }
  /// The other end of the TCP connection.
  [[nodiscard]] const url& peer() const {
    return server_.server.proxy ? *server_.server.proxy : target();
  }

  void fail(link_state why) {
    if (auto tell = std::exchange(opened_, nullptr)) tell(why);
  }

  void connect_next(const std::string& last_reason) {
    if (next_address_ == addresses_.size()) {
      loop_.forget_addresses(peer().host);
      return fail({link_end::unreachable, last_reason, 0});
    }
    error_code failed;
    const tcp::endpoint to{
        asio::ip::make_address(addresses_[next_address_++], failed),
        peer().port};
    // Close-on-exec, because environments start child processes.
    const int fd =
        ::socket(to.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
      return connect_next(
          error_code{errno, boost::system::system_category()}.message());
    error_code ignored;
    socket_.close(ignored);
    socket_.assign(to.protocol(), fd, failed);
    socket_.set_option(tcp::no_delay(true), ignored);
    socket_.async_connect(to, [self = shared_from_this()](error_code refused) {
      if (!self->opened_) return;
      if (refused) return self->connect_next(refused.message());
      self->connected();
    });
  }

  void connected() {
    if (!target().tls) return ready();
    if (!server_.server.proxy) return secure();
    tunnel();
  }

  void ready() {
    if (auto tell = std::exchange(opened_, nullptr)) tell({});
  }

  // -- CONNECT ---------------------------------------------------------------

  void tunnel() {
    const auto& who = peer().user_info;
    text_ = fmt::format("CONNECT {0} HTTP/1.1\r\nHost: {0}\r\n",
                        target().authority());
    if (!who.empty())
      text_ += fmt::format("Proxy-Authorization: Basic {}\r\n",
                           base64(who.reveal()));
    text_ += "\r\n";
    asio::async_write(socket_, asio::buffer(text_),
                      [self = shared_from_this()](error_code failed, auto) {
                        if (!self->opened_) return;
                        if (failed) return self->tunnel_broke(failed);
                        self->text_.clear();
                        self->read_tunnel();
                      });
  }

  void tunnel_broke(const error_code& failed) {
    fail({link_end::unreachable,
          fmt::format("proxy {} ended the connection: {}", peer().authority(),
                      failed.message()),
          0});
  }

  /// Reads in blocks. Nothing after the reply can be lost, because the server
  /// behind the proxy waits for our TLS hello.
  void read_tunnel() {
    socket_.async_read_some(
        asio::buffer(block_),
        [self = shared_from_this()](error_code failed, std::size_t n) {
          if (!self->opened_) return;
          self->text_.append(self->block_.data(), n);
          if (self->text_.find("\r\n\r\n") != std::string::npos)
            return self->tunnel_answered();
          if (failed) return self->tunnel_broke(failed);
          if (self->text_.size() > tunnel_reply_most)
            return self->fail({link_end::proxy, "its reply is too long", 0});
          self->read_tunnel();
        });
  }

  void tunnel_answered() {
    unsigned status = 0;
    if (text_.starts_with("HTTP/1.") && text_.size() > 12)
      for (std::size_t i = 9; i < 12; ++i)
        status = status * 10 + static_cast<unsigned>(text_[i] - '0');
    text_.clear();
    if (status >= 200 && status < 300) return secure();
    if (status < 100 || status > 599)
      return fail({link_end::proxy, "its reply is no HTTP", 0});
    fail({link_end::proxy, fmt::format("it answers HTTP {}", status), status});
  }

  // -- TLS -------------------------------------------------------------------

  void secure() {
    auto* const shared = server_.tls.get();
    SSL_CTX_up_ref(shared);
    asio::ssl::context context{shared}; // drops the reference
    tls_.emplace(socket_, context);
    if (const auto ok = expect_host(tls_->native_handle(), target().host); !ok)
      return fail({link_end::unreachable, ok.error().message, 0});
    tls_->async_handshake(asio::ssl::stream_base::client,
                          [self = shared_from_this()](error_code failed) {
                            if (self->opened_) self->secured(failed);
                          });
  }

  void secured(const error_code& failed) {
    if (!failed) return ready();
    if (const auto why = certificate_trouble(tls_->native_handle());
        !why.empty())
      return fail({link_end::untrusted, why, 0});
    // Complaints of OpenSSL are permanent (no TLS on that port, no common
    // version). A connection that ended may work the next time.
    const bool objection = failed.category() == asio::error::get_ssl_category();
    fail({objection ? link_end::untrusted : link_end::unreachable,
          fmt::format("the TLS handshake failed: {}", failed.message()), 0});
  }

  event_loop& loop_;
  const http_endpoint& server_;
  tcp::socket socket_;
  std::optional<asio::ssl::stream<tcp::socket&>> tls_;
  opened opened_;
  event_loop::addresses addresses_;
  std::size_t next_address_ = 0;
  std::string text_;
  std::array<char, 1024> block_{};
};

} // namespace

std::shared_ptr<tcp_link> tcp_link::make(event_loop& loop,
                                         const http_endpoint& server) {
  return std::make_shared<link>(loop, server);
}

} // namespace brewery
