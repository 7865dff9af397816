#pragma once
/// The files of an exported run that hold its answers.

#include "base/json.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace brewery::web {

/// What an answer is asked by: {"runs", "a b"}, {{"strategy", "mcts"}}, and the
/// offset of its page, 0 if it is no list.
struct answer_key {
  std::vector<std::string> parts;
  std::vector<std::pair<std::string, std::string>> query{}; ///< by name
  std::size_t offset = 0;

  /// "runs\na b?strategy=mcts#0"; no part has control characters.
  [[nodiscard]] std::string text() const;
};

class answer_files {
public:
  /// In an existing directory, in about `parts` files.
  answer_files(std::filesystem::path directory, std::size_t parts)
      : directory_(std::move(directory)), waiting_(parts) {}

  /// Once per key.
  result<void> add(const answer_key& key, const json& answer);
  /// Writes what is left.
  result<void> end();

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::size_t parts() const { return waiting_.size(); }

private:
  result<void> write(std::size_t part);

  std::filesystem::path directory_;
  std::vector<std::string> waiting_; ///< by part
  std::uint64_t bytes_ = 0;
};

/// 32-bit FNV-1a, which a script computes as easily.
std::uint32_t part_hash(std::string_view text);

} // namespace brewery::web
