#include "cli/compare/place_names.hpp"

#include "cli/locate.hpp"

namespace brewery {

run_places places_below(const std::filesystem::path& runs_dir) {
  return {[runs_dir](const std::string& word) {
            return locate_run(word, runs_dir);
          },
          [](const std::string& word) {
            return is_sweep(word) ? std::optional<std::filesystem::path>{word}
                                  : std::nullopt;
          }};
}

} // namespace brewery
