#pragma once
/// `[environment.osworld]`: the options of OSWorld. Plain values;
/// config/schema_osworld.cpp describes and bounds each field.

#include <cstdint>
#include <string>
#include <vector>

namespace brewery {

struct osworld_settings {
  // What a rollout is: part of its identity.
  std::string actions = "pyautogui";
  std::string observation = "screenshot_a11y_tree";
  bool terminal = false;    ///< also the focused terminal's text
  std::uint32_t steps = 15; ///< the official runner's default
  std::uint32_t tree_bytes = 30'000;
  std::uint32_t action_pause_ms = 500;
  std::uint32_t wait_ms = 2'000;
  std::uint32_t start_pause_ms = 2'000; ///< after setup
  std::uint32_t grade_pause_ms = 1'000; ///< before postconfig
  std::uint32_t width_px = 1920;
  std::uint32_t height_px = 1080;

  // The machine that has the desktops.
  std::string provider = "local";
  std::uint32_t desktops = 1;
  std::uint32_t spares = 1;
  std::uint32_t ready_pause_ms = 0; ///< the official runner waits 60 s
  std::uint32_t take_timeout_s = 1'800;
  std::uint32_t accessibility_timeout_s = 60;
  std::string password_env; ///< variable with the guest's password
  std::vector<std::string> static_desktops;
  std::vector<std::string> static_reset;
  std::string token_env; ///< variable with the static desktops' token
  std::string docker_image = "happysixd/osworld-docker";
  std::string docker_disk;
  std::string docker_socket = "/var/run/docker.sock";
  std::string cache;  ///< directory of fetched files; empty: the user's cache
  std::string mirror; ///< of the official files
  std::string screenshots; ///< directory that keeps them; empty: none is kept
  std::string evaluators;  ///< an OSWorld checkout with desktop_env
  std::string evaluators_python = "python3";
  std::uint32_t grade_timeout_s = 300;

  /// Takes the options that the machine decides on which rollouts run.
  void take_machine(const osworld_settings& here) {
    auto play = *this;
    *this = here;
    actions = std::move(play.actions);
    observation = std::move(play.observation);
    terminal = play.terminal;
    steps = play.steps;
    tree_bytes = play.tree_bytes;
    action_pause_ms = play.action_pause_ms;
    wait_ms = play.wait_ms;
    start_pause_ms = play.start_pause_ms;
    grade_pause_ms = play.grade_pause_ms;
    width_px = play.width_px;
    height_px = play.height_px;
  }
  bool operator==(const osworld_settings&) const = default;
};

} // namespace brewery
