#include "envs/osworld/guest/guest_client.hpp"

#include "base/encodings.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "envs/osworld/guest/png.hpp"
#include "messages/json_brackets.hpp"

#include <fmt/format.h>

#include <thread>

namespace brewery::osworld {

namespace {

constexpr int tries_most = 3;
/// A directory tree nests two brackets a level.
constexpr std::size_t reply_depth_most = 512;

/// The beginning of a reply, for messages.
std::string excerpt(std::string_view body) {
  return printable(utf8_prefix(trim(body), 200));
}

/// The server's own words about a failure: JSON's "message", or the text.
std::string failure_text(const http_answer& answer) {
  const auto body = json::parse(answer.body, nullptr, false);
  if (body.is_object()) {
    const auto message = body.find("message");
    if (message != body.end() && message->is_string())
      return excerpt(message->get_ref<const std::string&>());
  }
  return excerpt(answer.body);
}

/// Whether the server itself says what went wrong, and not a framework's page
/// about a crash of it.
bool is_json_error(const http_answer& answer) {
  if (json_depth(answer.body) > json_depth_most) return false;
  const auto body = json::parse(answer.body, nullptr, false);
  return body.is_object() && body.contains("message");
}

std::string text_member(const json& body, const char* name) {
  const auto found = body.find(name);
  return found != body.end() && found->is_string() ? found->get<std::string>()
                                                   : std::string{};
}

http_question post(std::string path, const json& body) {
  return {"POST", std::move(path), "application/json",
          body.dump(-1, ' ', false, json::error_handler_t::replace)};
}

http_question form_post(std::string path, const char* name,
                        const std::string& value) {
  return {"POST", std::move(path), "application/x-www-form-urlencoded",
          fmt::format("{}={}", name, percent_encoded(value))};
}

} // namespace

guest_client::guest_client(guest_address at, guest_limits limits)
    : at_(std::move(at)), limits_(limits) {}

error guest_client::broken(const std::string& doing,
                           const std::string& what) const {
  return {ec::environment, fmt::format("desktop {}:{}: {}: {}", at_.host,
                                       at_.server_port, doing, what)};
}

/// Sets `again` if a further try can do no harm.
result<http_answer> guest_client::ask_once(const plan& what, bool& again) {
  auto answer = http_call({at_.host, at_.server_port, at_.token}, what.question,
                          {.deadline = what.deadline});
  again = answer.end == call_end::not_sent
          || (!what.acts && !answer.late
              && (answer.end == call_end::ambiguous || answer.status >= 500));
  if (answer.end == call_end::replied) return answer;
  return broken(what.doing,
                answer.end == call_end::ambiguous && what.acts
                    ? answer.what
                          + "; nobody knows whether it ran, so it is "
                            "not repeated"
                    : answer.what);
}

result<http_answer> guest_client::ask(const plan& what) {
  const std::lock_guard turn{turn_};
  for (int attempt = 1;; ++attempt) {
    bool again = false;
    auto answer = ask_once(what, again);
    if (!again || attempt == tries_most) {
      if (answer && answer->status == 401)
        return broken(what.doing, "the desktop's server refuses the token");
      return answer;
    }
    std::this_thread::sleep_for(limits_.pause);
  }
}

result<json> guest_client::body_of(const plan& what,
                                   const http_answer& answer) const {
  if (answer.status != 200)
    return broken(what.doing, fmt::format("status {}: {}", answer.status,
                                          failure_text(answer)));
  if (json_depth(answer.body) > reply_depth_most)
    return broken(what.doing, "the reply nests too deep");
  auto body = json::parse(answer.body, nullptr, false);
  if (body.is_discarded())
    return broken(what.doing, "the reply is not JSON: " + excerpt(answer.body));
  return body;
}

// -- observations ------------------------------------------------------------

result<screen> guest_client::screenshot() {
  const plan what{"the screenshot", {"GET", "/screenshot"}, limits_.screenshot};
  std::string why;
  for (int attempt = 0; attempt < tries_most; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(limits_.pause);
    auto answer = ask(what);
    if (!answer) return answer.error();
    if (answer->status != 200) {
      why = fmt::format("status {}: {}", answer->status, failure_text(*answer));
      continue;
    }
    const auto size = check_png(answer->body);
    if (size)
      return screen{std::move(answer->body), "", "", size->width_px,
                    size->height_px};
    why = size.error().message;
  }
  return broken(what.doing, why);
}

result<std::string> guest_client::accessibility() {
  const plan what{"the accessibility tree",
                  {"GET", "/accessibility"},
                  limits_.accessibility};
  auto answer = ask(what);
  if (!answer) return answer.error();
  auto body = body_of(what, *answer);
  if (!body) return body.error();
  if (!body->is_object() || !body->contains("AT") || !(*body)["AT"].is_string())
    return broken(what.doing, "the reply has no text AT");
  return (*body)["AT"].get<std::string>();
}

result<std::optional<std::string>> guest_client::terminal() {
  const plan what{
      "the terminal's text", {"GET", "/terminal"}, limits_.terminal};
  auto answer = ask(what);
  if (!answer) return answer.error();
  auto body = body_of(what, *answer);
  if (!body) return body.error();
  const auto found = body->is_object() ? body->find("output") : body->end();
  if (found == body->end() || !found->is_string())
    return std::optional<std::string>{};
  return std::optional{found->get<std::string>()};
}

// -- commands ----------------------------------------------------------------

result<command_outcome> guest_client::run(std::string path, const json& command,
                                          bool shell) {
  const plan what{
      "a command",
      post(std::move(path), {{"command", command}, {"shell", shell}}),
      limits_.execute, true};
  auto answer = ask(what);
  if (!answer) return answer.error();
  command_outcome out;
  if (answer->status != 200) {
    // The server's own report: no such program, or stopped after 120 s.
    if (answer->status != 500 || !is_json_error(*answer))
      return broken(what.doing,
                    fmt::format("status {}: {}; nobody knows whether it ran, "
                                "so it is not repeated",
                                answer->status, failure_text(*answer)));
    out.refused = failure_text(*answer);
    out.returncode = -1;
    return out;
  }
  const auto body = body_of(what, *answer);
  if (!body) return body.error();
  if (!body->is_object())
    return broken(what.doing, "the reply is no JSON object");
  out.output = text_member(*body, "output");
  out.errors = text_member(*body, "error");
  const auto code = body->find("returncode");
  if (code != body->end() && code->is_number_integer())
    out.returncode = code->get<int>();
  return out;
}

result<command_outcome> guest_client::execute(const json& command, bool shell) {
  return run("/execute", command, shell);
}

result<command_outcome> guest_client::setup_execute(const json& command,
                                                    bool shell) {
  return run("/setup/execute", command, shell);
}

// -- setup -------------------------------------------------------------------

/// Endpoints below /setup answer with words and a status.
result<void> guest_client::setup(std::string path, const json& body,
                                 std::string doing,
                                 std::chrono::milliseconds deadline) {
  const plan what{std::move(doing), post(std::move(path), body), deadline,
                  true};
  const auto answer = ask(what);
  if (!answer) return answer.error();
  if (answer->status == 200) return {};
  auto failed = broken(what.doing, fmt::format("status {}: {}", answer->status,
                                               failure_text(*answer)));
  if (answer->status == 404 || is_json_error(*answer))
    failed.code = ec::not_found;
  return failed;
}

result<void> guest_client::execute_verified(const json& request,
                                            std::chrono::milliseconds longest) {
  return setup("/setup/execute_with_verification", request,
               "a command with verification", longest + limits_.other);
}

result<void> guest_client::launch(const json& command, bool shell) {
  return setup("/setup/launch", {{"command", command}, {"shell", shell}},
               "launch " + excerpt(command.dump()), limits_.other);
}

result<void> guest_client::open(const std::string& path) {
  return setup("/setup/open_file", {{"path", path}}, "open " + excerpt(path),
               limits_.open);
}

result<void> guest_client::window(std::string path, const window_name& which) {
  return setup(std::move(path),
               {{"window_name", which.name},
                {"strict", which.strict},
                {"by_class", which.by_class}},
               "the window " + excerpt(which.name), limits_.other);
}

result<void> guest_client::activate_window(const window_name& which) {
  return window("/setup/activate_window", which);
}

result<void> guest_client::close_window(const window_name& which) {
  return window("/setup/close_window", which);
}

result<void> guest_client::change_wallpaper(const std::string& path) {
  return setup("/setup/change_wallpaper", {{"path", path}}, "the wallpaper",
               limits_.other);
}

result<void> guest_client::upload(const std::string& path,
                                  const std::string& bytes) {
  // The content of a boundary may not occur in the file.
  std::string boundary = "brewery-file";
  while (bytes.find(boundary) != std::string::npos)
    boundary += "-0";
  const auto name = path.substr(path.find_last_of('/') + 1);
  std::string body = fmt::format(
      "--{0}\r\nContent-Disposition: form-data; name=\"file_path\"\r\n\r\n{1}"
      "\r\n--{0}\r\nContent-Disposition: form-data; name=\"file_data\"; "
      "filename=\"{2}\"\r\nContent-Type: application/octet-stream\r\n\r\n",
      boundary, path, replace_all(name, "\"", "%22"));
  body += bytes;
  body += fmt::format("\r\n--{}--\r\n", boundary);
  // Writing a file twice does no harm.
  const plan what{"upload " + excerpt(path),
                  {"POST", "/setup/upload",
                   "multipart/form-data; boundary=" + boundary,
                   std::move(body)},
                  limits_.upload};
  const auto answer = ask(what);
  if (!answer) return answer.error();
  if (answer->status == 200) return {};
  return broken(what.doing, fmt::format("status {}: {}", answer->status,
                                        failure_text(*answer)));
}

// -- what is there -----------------------------------------------------------

result<std::optional<std::string>> guest_client::file(const std::string& path) {
  const plan what{"the file " + excerpt(path),
                  form_post("/file", "file_path", path), limits_.file};
  auto answer = ask(what);
  if (!answer) return answer.error();
  if (answer->status == 404) return std::optional<std::string>{};
  if (answer->status != 200)
    return broken(what.doing, fmt::format("status {}: {}", answer->status,
                                          failure_text(*answer)));
  return std::optional{std::move(answer->body)};
}

result<std::optional<json>>
guest_client::list_directory(const std::string& path) {
  const plan what{"the directory " + excerpt(path),
                  post("/list_directory", {{"path", path}}), limits_.file};
  auto answer = ask(what);
  if (!answer) return answer.error();
  if (answer->status == 400) return std::optional<json>{};
  auto body = body_of(what, *answer);
  if (!body) return body.error();
  if (!body->is_object() || !body->contains("directory_tree"))
    return broken(what.doing, "the reply has no directory_tree");
  return std::optional{(*body)["directory_tree"]};
}

result<std::optional<std::string>> guest_client::desktop_path() {
  const plan what{"the desktop's directory",
                  post("/desktop_path", json::object()), limits_.other};
  auto answer = ask(what);
  if (!answer) return answer.error();
  if (answer->status == 404) return std::optional<std::string>{};
  const auto body = body_of(what, *answer);
  if (!body) return body.error();
  const auto path =
      body->is_object() ? body->find("desktop_path") : body->end();
  if (path == body->end() || !path->is_string())
    return broken(what.doing, "the reply has no desktop_path");
  return std::optional{path->get<std::string>()};
}

result<json> guest_client::screen_size() {
  const plan what{"the screen's size", post("/screen_size", json::object()),
                  limits_.other};
  auto answer = ask(what);
  if (!answer) return answer.error();
  return body_of(what, *answer);
}

result<std::optional<json>>
guest_client::window_size(const std::string& app_class) {
  const plan what{"the size of a window",
                  form_post("/window_size", "app_class_name", app_class),
                  limits_.other};
  auto answer = ask(what);
  if (!answer) return answer.error();
  if (answer->status == 500 || answer->status == 404)
    return std::optional<json>{};
  auto body = body_of(what, *answer);
  if (!body) return body.error();
  return std::optional{std::move(*body)};
}

result<std::string> guest_client::platform() {
  const plan what{"the platform", {"GET", "/platform"}, limits_.other};
  auto answer = ask(what);
  if (!answer) return answer.error();
  if (answer->status != 200)
    return broken(what.doing, fmt::format("status {}", answer->status));
  return std::string{trim(answer->body)};
}

} // namespace brewery::osworld
