#pragma once
/// A Docker daemon that plays a few requests of the Engine API on a unix
/// socket, with containers that are names. One request per connection. Replies
/// are as Docker's Engine API v1.41 describes them.

#include "base/file.hpp"
#include "base/json.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <mutex>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace brewery::osworld {

class fake_docker {
public:
  fake_docker() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "docker-XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
    listening_ = file_descriptor{::socket(AF_UNIX, SOCK_STREAM, 0)};
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::strncpy(at.sun_path, socket().c_str(), sizeof at.sun_path - 1);
    ::bind(listening_.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at);
    ::listen(listening_.get(), 8);
    serving_ = std::thread{[this] { serve(); }};
  }
  ~fake_docker() {
    ::shutdown(listening_.get(), SHUT_RDWR);
    serving_.join();
    std::filesystem::remove_all(directory_);
  }

  std::filesystem::path directory() const { return directory_; }
  std::string socket() const { return (directory_ / "docker.sock").string(); }

  std::vector<json> created() const {
    const std::lock_guard lock{mutex_};
    return created_;
  }
  std::size_t running() const {
    const std::lock_guard lock{mutex_};
    return containers_.size();
  }
  void add(const std::string& id, const std::string& owner) {
    const std::lock_guard lock{mutex_};
    containers_[id] = owner;
  }
  /// The next request of that kind is answered so.
  void fail(const std::string& kind, int status, const std::string& body) {
    const std::lock_guard lock{mutex_};
    failures_[kind] = {status, body};
  }

private:
  using reply = std::pair<int, std::string>;

  void serve() {
    for (;;) {
      const file_descriptor caller{
          ::accept(listening_.get(), nullptr, nullptr)};
      if (!caller) return;
      const auto [status, body] = answer(read(caller.get()));
      const auto text = sent(status, body);
      (void)!::write(caller.get(), text.data(), text.size());
    }
  }

  /// As dockerd sends it: what has a body, in chunks.
  static std::string sent(int status, const std::string& body) {
    auto out = fmt::format("HTTP/1.1 {} X\r\nApi-Version: 1.41\r\n"
                           "Content-Type: application/json\r\n",
                           status);
    if (body.empty()) return out + "\r\n";
    out += "Transfer-Encoding: chunked\r\n\r\n";
    for (std::size_t at = 0; at < body.size(); at += 100) {
      const auto piece = body.substr(at, 100);
      out += fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
    }
    return out + "0\r\n\r\n";
  }

  static std::string read(int caller) {
    std::string text;
    for (;;) {
      const auto head = text.find("\r\n\r\n");
      if (head != std::string::npos) {
        const auto length = text.find("Content-Length: ");
        const auto body = length == std::string::npos
                              ? 0
                              : std::stoul(text.substr(length + 16));
        if (text.size() >= head + 4 + body) return text;
      }
      char piece[4096];
      const auto got = ::read(caller, piece, sizeof piece);
      if (got <= 0) return text;
      text.append(piece, static_cast<std::size_t>(got));
    }
  }

  reply answer(const std::string& request) {
    const std::lock_guard lock{mutex_};
    const auto path = request.substr(0, request.find(" HTTP"));
    const auto body = request.substr(request.find("\r\n\r\n") + 4);
    for (const auto& [kind, told] : failures_)
      if (path.find("/" + kind) != std::string::npos) {
        auto out = told;
        failures_.erase(kind);
        return out;
      }
    if (path == "POST /v1.41/containers/create") return create(body);
    if (path.starts_with("GET /v1.41/containers/json")) return list();
    const auto begin = std::strlen("/v1.41/containers/") + path.find(' ') + 1;
    const auto id = path.substr(begin, path.find_first_of("/?", begin) - begin);
    if (!containers_.contains(id)) return {404, R"({"message":"no such"})"};
    if (path.starts_with("DELETE")) {
      containers_.erase(id);
      return {204, ""};
    }
    if (path.ends_with("/start")) return {204, ""};
    return {200, about().dump()};
  }

  reply create(const std::string& body) {
    created_.push_back(json::parse(body));
    const auto id = fmt::format("container{}", created_.size());
    containers_[id] = created_.back()["Labels"]["brewery.osworld.owner"];
    return {201, json{{"Id", id}}.dump()};
  }

  reply list() const {
    auto out = json::array();
    for (const auto& [id, owner] : containers_)
      out.push_back(
          {{"Id", id}, {"Labels", {{"brewery.osworld.owner", owner}}}});
    return {200, out.dump()};
  }

  static json about() {
    json ports = json::object();
    int next = 41000;
    for (const auto* inside : {"5000/tcp", "9222/tcp", "8080/tcp"})
      ports[inside] = {
          {{"HostIp", "127.0.0.1"}, {"HostPort", std::to_string(next++)}}};
    return {{"State", {{"Running", true}}},
            {"NetworkSettings", {{"Ports", ports}}}};
  }

  std::filesystem::path directory_;
  file_descriptor listening_;
  mutable std::mutex mutex_;
  std::vector<json> created_; ///< guarded by mutex_, like the next two
  std::map<std::string, std::string> containers_; ///< id -> owner
  std::map<std::string, reply> failures_;
  std::thread serving_;
};

} // namespace brewery::osworld
