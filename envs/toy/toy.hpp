#pragma once
/// A benchmark with a known optimum, for tests and scenarios: a small device
/// with faults, tools that report and tools that act, and a light that shows
/// success. No files, no clock; everything is a function of the options.
///
/// Look-ups report lines `Key: value`, one key per part. A ticket has two such
/// facts: what the light shows, and whether the device is inside or outside.
/// Splits: train, eval, test. No two tasks have the same initial state, apart
/// from the level of a wrong dial.

#include "envs/environment.hpp"
#include "envs/toy/vocabulary.hpp"

#include <cstdint>
#include <memory>

namespace brewery {

struct toy_options {
  toy_vocabulary vocabulary = plain_vocabulary();
  std::uint64_t seed = 1;
  // The number of parts; limited by the words of the vocabulary.
  std::size_t switches = 3;
  std::size_t dials = 2;
  std::size_t latches = 1;
  std::size_t faults_max = 3; ///< per task, from 1
  // Tasks per split; fewer if there are not enough different ones.
  std::size_t train = 24;
  std::size_t eval = 16;
  std::size_t test = 24;
};

std::shared_ptr<const benchmark> make_toy_benchmark(const toy_options& options);

} // namespace brewery
