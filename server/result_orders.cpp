/// The orders that hand a run's files to an operator.

#include "server/coordinator_service.hpp"
#include "server/order_words.hpp"
#include "store/run_files.hpp"

namespace brewery {

/// A run that this coordinator does not hold, because it was finished before
/// the start, has files too.
result<nlohmann::ordered_json>
coordinator_service::files(const arguments& words) const {
  const auto run = run_directory::open(options_.runs_dir, word(words, "id"));
  if (!run) return run.error();
  const auto listed = list_run_files(*run);
  if (!listed) return listed.error();
  auto files = nlohmann::ordered_json::array();
  for (const auto& file : listed->files)
    files.push_back(
        {{"name", file.name},
         {"part", run_part_names.at(static_cast<std::size_t>(file.part))},
         {"size", file.size},
         {"hash", file.hash}});
  return nlohmann::ordered_json{{"id", run->id()},
                                {"log_in_use", listed->log_in_use},
                                {"files", std::move(files)}};
}

result<std::string>
coordinator_service::read_piece(const arguments& words) const {
  // The answer must fit into a frame, and many of them into the memory.
  constexpr double piece_bytes_max = 4 << 20;
  std::uint64_t offset = 0, count = 0;
  if (auto ok = read_number(words, "offset", 0, 1e15, offset); !ok)
    return ok.error();
  if (auto ok = read_number(words, "count", 1, piece_bytes_max, count); !ok)
    return ok.error();
  const auto run = run_directory::open(options_.runs_dir, word(words, "id"));
  if (!run) return run.error();
  return read_run_file(*run, word(words, "name"), offset, count);
}

} // namespace brewery
