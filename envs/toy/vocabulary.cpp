#include "envs/toy/vocabulary.hpp"

namespace brewery {

toy_vocabulary plain_vocabulary() {
  return {
      .light = "light",
      .board = "board",
      .rack = "rack",
      .device = "machine",
      .switches = {"fan", "pump", "heater", "motor", "filter", "alarm"},
      .guard = "shelter",
      .dials = {"pressure", "tone", "torque", "gain"},
      .latches = {"valve", "hatch", "brake"},
      .check = "check",
      .toggle = "toggle",
      .set = "set",
      .release = "release",
      .restart = "restart",
      .level = "level",
      .levels = {"low", "medium", "high", "full"},
      .on = "on",
      .off = "off",
      .stuck = "stuck",
      .pending = "pending",
      .loose = "loose",
      .ready = "ready",
      .bright = "bright",
      .dim = "dim",
      .dark = "dark",
      .flickering = "flickering",
      .symptom = "symptom",
      .place = "place",
      .inside = "inside",
      .outside = "outside",
  };
}

std::vector<std::string> words(const toy_vocabulary& vocabulary) {
  std::vector<std::string> out;
  each_word(vocabulary,
            [&out](const std::string& word) { out.push_back(word); });
  return out;
}

} // namespace brewery
