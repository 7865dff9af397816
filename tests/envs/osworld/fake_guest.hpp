#pragma once
/// An in-guest server of OSWorld on loopback that misbehaves on request. It has
/// a few files and commands; nothing is executed.

#include "base/hash.hpp"
#include "base/json.hpp"
#include "envs/osworld/guest/guest_address.hpp"
#include "tests/fixtures/http_peer.hpp"

#include <mutex>

namespace brewery::osworld {

/// A whole PNG of one grey pixel.
inline std::string small_png() {
  const auto chunk = [](const std::string& type, const std::string& content) {
    const auto number = [](std::uint32_t value) {
      std::string out;
      for (int shift = 24; shift >= 0; shift -= 8)
        out += static_cast<char>(value >> shift & 0xff);
      return out;
    };
    return number(static_cast<std::uint32_t>(content.size())) + type + content
           + number(crc32(type + content));
  };
  const std::string head{"\0\0\0\1\0\0\0\1\x08\0\0\0\0", 13};
  const std::string pixel{"\x78\x9c\x63\x60\0\0\0\2\0\1", 10};
  return std::string{"\x89PNG\r\n\x1a\n", 8} + chunk("IHDR", head)
         + chunk("IDAT", pixel) + chunk("IEND", "");
}

class fake_guest {
public:
  /// Answers a request in place of the guest, or leaves it to it.
  using fault = std::function<std::optional<peer_reply>(const peer_request&)>;

  explicit fake_guest(fault broken = nullptr)
      : broken_(std::move(broken)),
        peer_([this](const peer_request& asked) { return answer(asked); }) {}

  [[nodiscard]] guest_address address() const {
    guest_address out;
    out.server_port = peer_.port();
    out.chromium_port = out.vlc_port = peer_.port();
    return out;
  }
  void put(const std::string& path, const std::string& content) {
    const std::lock_guard lock{mutex_};
    files_[path] = content;
  }
  void remove(const std::string& path) {
    const std::lock_guard lock{mutex_};
    files_.erase(path);
  }
  void says(const std::string& command, const std::string& output) {
    const std::lock_guard lock{mutex_};
    outputs_[command] = output;
  }
  /// What was executed, as JSON of the command.
  std::vector<std::string> commands() const {
    const std::lock_guard lock{mutex_};
    return commands_;
  }
  std::string file(const std::string& path) const {
    const std::lock_guard lock{mutex_};
    const auto found = files_.find(path);
    return found == files_.end() ? "" : found->second;
  }
  std::size_t asked(const std::string& path) const {
    std::size_t out = 0;
    for (const auto& one : peer_.requests())
      out += one.target == path ? 1 : 0;
    return out;
  }
  std::vector<peer_request> requests() const { return peer_.requests(); }

  static peer_reply words(unsigned status, const std::string& body) {
    peer_reply out;
    out.status = status;
    out.headers = {{"Content-Type", "text/html"}};
    out.body = body;
    return out;
  }

private:
  peer_reply answer(const peer_request& asked) {
    if (broken_)
      if (auto reply = broken_(asked)) return *reply;
    const std::lock_guard lock{mutex_};
    if (asked.target == "/screenshot") return words(200, small_png());
    if (asked.target == "/accessibility")
      return words(200, json{{"AT", "<desktop-frame/>"}}.dump());
    if (asked.target == "/terminal")
      return words(200, R"({"output": null, "status": "success"})");
    if (asked.target == "/file") return file_reply(asked.body);
    if (asked.target.ends_with("/execute")) return execute(asked.body);
    if (asked.target == "/setup/upload") return upload(asked.body);
    if (asked.target.starts_with("/setup/")) return words(200, "done");
    return words(404, "<h1>Not Found</h1>");
  }

  peer_reply file_reply(const std::string& body) {
    auto path = body.substr(body.find('=') + 1);
    for (auto at = path.find("%2F"); at != std::string::npos;
         at = path.find("%2F"))
      path.replace(at, 3, "/");
    const auto found = files_.find(path);
    return found == files_.end() ? words(404, R"({"error": "File not found"})")
                                 : words(200, found->second);
  }

  peer_reply execute(const std::string& body) {
    const auto command = json::parse(body)["command"];
    commands_.push_back(command.dump());
    const auto text = command.is_string() ? command.get<std::string>() : "";
    const auto found = outputs_.find(text);
    return words(200, json{{"status", "success"},
                           {"output", found == outputs_.end() ? std::string{}
                                                              : found->second},
                           {"error", ""},
                           {"returncode", 0}}
                          .dump());
  }

  peer_reply upload(const std::string& body) {
    const auto between = [&](const std::string& after, const std::string& end) {
      const auto from = body.find(after) + after.size();
      return body.substr(from, body.find(end, from) - from);
    };
    const auto path = between("name=\"file_path\"\r\n\r\n", "\r\n--");
    files_[path] = between("octet-stream\r\n\r\n", "\r\n--");
    return words(200, "File Uploaded");
  }

  fault broken_;
  mutable std::mutex mutex_;
  std::map<std::string, std::string> files_, outputs_;
  std::vector<std::string> commands_;
  http_peer peer_; ///< destroyed first: it calls `answer`
};

} // namespace brewery::osworld
