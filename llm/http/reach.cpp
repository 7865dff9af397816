#include "llm/http/reach.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <fmt/format.h>

namespace brewery {

result<void> can_connect(const url& to, std::chrono::milliseconds limit) {
  using boost::asio::ip::tcp;
  const auto failed = [&](ec code, const std::string& why) {
    return error{code,
                 fmt::format("cannot connect to {}: {}", to.authority(), why)};
  };
  boost::asio::io_context io;
  boost::system::error_code problem;
  const auto found =
      tcp::resolver{io}.resolve(to.host, std::to_string(to.port), problem);
  if (problem) return failed(ec::not_found, problem.message());
  tcp::socket socket{io};
  bool ended = false;
  boost::asio::async_connect(
      socket, found,
      [&](const boost::system::error_code& outcome, const tcp::endpoint&) {
        ended = true;
        problem = outcome;
      });
  io.run_for(limit);
  if (!ended)
    return failed(ec::timeout,
                  fmt::format("no answer within {} ms", limit.count()));
  if (problem) return failed(ec::io, problem.message());
  return {};
}

} // namespace brewery
