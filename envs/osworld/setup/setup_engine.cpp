#include "envs/osworld/setup/setup_engine.hpp"

#include "base/text.hpp"
#include "envs/osworld/setup/browse_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery::osworld {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds until_pause{300};
/// A step that waits for a result of a command, all tries together.
constexpr int timed_out_most = 3;
constexpr int until_tries_most = 400;

error bad_step(const std::string& what) {
  return {ec::invalid_argument, what};
}

std::string text_of(const json& from, const char* name) {
  const auto found = from.find(name);
  return found != from.end() && found->is_string() ? found->get<std::string>()
                                                   : std::string{};
}

/// Of Python's truth: some tasks have the text "true".
bool flag_of(const json& from, const char* name) {
  const auto found = from.find(name);
  if (found == from.end()) return false;
  if (found->is_string()) return !found->get_ref<const std::string&>().empty();
  return found->is_boolean() && found->get<bool>();
}

std::vector<std::string> texts_of(const json& from, const char* name) {
  std::vector<std::string> out;
  const auto found = from.find(name);
  if (found == from.end() || !found->is_array()) return out;
  for (const auto& text : *found)
    if (text.is_string()) out.push_back(text.get<std::string>());
  return out;
}

window_name window_of(const json& from) {
  return {text_of(from, "window_name"), flag_of(from, "strict"),
          flag_of(from, "by_class")};
}

// -- the steps ---------------------------------------------------------------

result<void> download_step(const json& with, const setup_scene& scene) {
  const auto files = with.find("files");
  if (files == with.end() || !files->is_array())
    return bad_step("download needs files");
  for (const auto& file : *files) {
    const auto url = file.is_object() ? text_of(file, "url") : "";
    const auto path = file.is_object() ? text_of(file, "path") : "";
    if (url.empty() || path.empty())
      return bad_step("a file of download needs url and path");
    const auto bytes = scene.files.bytes(url);
    if (!bytes) return bytes.error();
    if (auto ok = scene.guest.upload(path, *bytes); !ok) return ok;
  }
  return {};
}

/// `local_path` is a path below the data directory.
result<void> upload_step(const json& with, const setup_scene& scene) {
  auto files = with.value("files", json::array());
  for (auto& file : files)
    if (file.is_object()) file["url"] = text_of(file, "local_path");
  return download_step({{"files", std::move(files)}}, scene);
}

result<void> launch_step(const json& with, const setup_scene& scene) {
  auto command = with.value("command", json{});
  if (!is_command(command)) return bad_step("launch needs a command");
  const bool shell = flag_of(with, "shell");
  if (!shell && command.is_string()) {
    const auto text = command.get<std::string>();
    auto words = json::array();
    for (const auto word : split(text, ' '))
      if (!word.empty()) words.push_back(std::string{word});
    if (words.size() > 1) command = std::move(words);
  }
  return scene.guest.launch(command, shell);
}

bool is_reached(const json& until, const command_outcome& got) {
  const auto code = until.find("returncode");
  if (code != until.end() && *code == got.returncode) return true;
  const auto has = [&](const char* name, const std::string& text) {
    return until.contains(name)
           && text.find(text_of(until, name)) != std::string::npos;
  };
  return has("stdout", got.output) || has("stderr", got.errors);
}

result<void> execute_step(const json& with, const setup_scene& scene) {
  const auto given = with.value("command", json{});
  if (!is_command(given)) return bad_step("execute needs a command");
  const auto command = with_placeholders(given, scene.facts);
  const auto until = with.value("until", json::object());
  int timed_out = 0;
  for (int tries = 1;; ++tries) {
    const auto got = scene.guest.setup_execute(command, flag_of(with, "shell"));
    if (!got) return got.error();
    if (const auto name = text_of(with, "stdout"); !name.empty())
      scene.saved[name] = got->output;
    if (const auto name = text_of(with, "stderr"); !name.empty())
      scene.saved[name] = got->errors;
    if (!until.is_object() || until.empty()) {
      if (got->refused.empty()) return {};
      return error{ec::not_found, "the command did not run: " + got->refused};
    }
    if (is_reached(until, *got)) return {};
    // Each took the guest's two minutes: one that hangs is not tried for hours.
    if (got->refused.find("timed out") != std::string::npos
        && ++timed_out == timed_out_most)
      return error{ec::not_found, "the command did not run: " + got->refused};
    if (tries == until_tries_most)
      return error{ec::not_found,
                   fmt::format("after {} tries the command has not given {}",
                               tries, until.dump())};
    scene.pause(until_pause);
  }
}

result<void> verified_step(const json& with, const setup_scene& scene) {
  auto request = with;
  request["command"] =
      with_placeholders(with.value("command", json{}), scene.facts);
  if (!is_command(request["command"]))
    return bad_step("execute_with_verification needs a command");
  const auto wait = with.value("max_wait_time", json(10));
  const auto seconds = wait.is_number() ? wait.get<double>() : 10.0;
  return scene.guest.execute_verified(
      request, milliseconds{static_cast<std::int64_t>(
                   std::clamp(seconds, 0.0, sleep_s_most) * 1000)});
}

result<void> open_step(const json& with, const setup_scene& scene) {
  const auto path = text_of(with, "path");
  if (path.empty()) return bad_step("open needs a path");
  return scene.guest.open(path);
}

result<void> window_step(const json& with, const setup_scene& scene,
                         bool closes) {
  const auto window = window_of(with);
  if (window.name.empty()) return bad_step("window_name is missing");
  return closes ? scene.guest.close_window(window)
                : scene.guest.activate_window(window);
}

result<void> sleep_step(const json& with, const setup_scene& scene) {
  const auto seconds = with.value("seconds", json{});
  if (!seconds.is_number() || !(seconds.get<double>() >= 0)
      || seconds.get<double>() > sleep_s_most)
    return bad_step(fmt::format("sleep needs seconds, 0 to {}", sleep_s_most));
  scene.pause(milliseconds{std::lround(seconds.get<double>() * 1000)});
  return {};
}

result<void> run_step(const setup_step& step, const setup_scene& scene) {
  const auto& with = step.parameters;
  if (step.type == "download") return download_step(with, scene);
  if (step.type == "upload_file") return upload_step(with, scene);
  if (step.type == "launch") return launch_step(with, scene);
  if (step.type == "execute" || step.type == "command")
    return execute_step(with, scene);
  if (step.type == "execute_with_verification")
    return verified_step(with, scene);
  if (step.type == "open") return open_step(with, scene);
  if (step.type == "activate_window") return window_step(with, scene, false);
  if (step.type == "close_window") return window_step(with, scene, true);
  if (step.type == "sleep") return sleep_step(with, scene);
  if (step.type == "change_wallpaper")
    return scene.guest.change_wallpaper(text_of(with, "path"));
  if (step.type == "chrome_open_tabs")
    return chromium_tabs{scene.guest.address()}.open(
        texts_of(with, "urls_to_open"));
  if (step.type == "chrome_close_tabs")
    return chromium_tabs{scene.guest.address()}.close(
        texts_of(with, "urls_to_close"));
  if (step.type == "update_browse_history")
    return write_browse_history(with.value("history", json::array()),
                                scene.guest, scene.files);
  return bad_step("there is no such step");
}

} // namespace

result<setup_notes> run_setup(const std::vector<setup_step>& steps,
                              const setup_scene& scene, setup_mode mode) {
  setup_notes notes;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto done = run_step(steps[i], scene);
    if (done) continue;
    auto failed = done.error();
    failed.message = fmt::format("step {} of {} ({}): {}", i + 1, steps.size(),
                                 steps[i].type, failed.message);
    // The guest says that it could not: no such window, file or program.
    if (mode == setup_mode::lenient && failed.code == ec::not_found) {
      notes.push_back(std::move(failed.message));
      continue;
    }
    if (failed.code != ec::invalid_argument) failed.code = ec::environment;
    return failed;
  }
  return notes;
}

} // namespace brewery::osworld
