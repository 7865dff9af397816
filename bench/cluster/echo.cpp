#include "bench/cluster/echo.hpp"

#include "bench/cluster/process.hpp"

#include <set>
#include <zmq.hpp>

namespace brewery::bench {

void echo_worker(const std::string& endpoint, std::size_t reply_bytes) {
  zmq::context_t context{1};
  zmq::socket_t socket{context, zmq::socket_type::dealer};
  socket.connect(endpoint);
  const std::string reply(reply_bytes, 'r');
  socket.send(zmq::buffer(std::string{}), zmq::send_flags::none);
  for (;;) {
    zmq::message_t request;
    (void)!socket.recv(request);
    socket.send(zmq::buffer(reply), zmq::send_flags::none);
  }
}

double echo_rate(std::size_t workers, std::size_t window, echo_sizes sizes,
                 double seconds) {
  zmq::context_t context{2};
  zmq::socket_t router{context, zmq::socket_type::router};
  router.set(zmq::sockopt::linger, 0);
  router.set(zmq::sockopt::router_mandatory, true);
  router.bind("tcp://127.0.0.1:*");
  const auto endpoint = router.get(zmq::sockopt::last_endpoint);
  std::vector<child> children;
  for (std::size_t i = 0; i < workers; ++i)
    children.emplace_back(
        std::vector<std::string>{own_program().string(), "echo-worker",
                                 endpoint, std::to_string(sizes.reply_bytes)});
  const std::string request(sizes.request_bytes, 'q');
  const auto receive = [&] {
    zmq::message_t id, body;
    (void)!router.recv(id);
    (void)!router.recv(body);
    return id;
  };
  const auto ask = [&](const zmq::message_t& id) {
    router.send(zmq::buffer(id.data(), id.size()), zmq::send_flags::sndmore);
    router.send(zmq::buffer(request), zmq::send_flags::none);
  };
  std::vector<zmq::message_t> peers;
  while (peers.size() < workers)
    peers.push_back(receive());
  for (const auto& peer : peers)
    for (std::size_t i = 0; i < window; ++i)
      ask(peer);
  std::size_t answered = 0;
  const auto began = bench_clock::now();
  while (answered % 64 != 0 || seconds_since(began) < seconds) {
    ask(receive());
    ++answered;
  }
  return static_cast<double>(answered) / seconds_since(began);
}

} // namespace brewery::bench
