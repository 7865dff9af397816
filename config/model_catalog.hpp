#pragma once
/// The catalog of model servers and models: a TOML file, read by whoever makes
/// the calls (a run, or the coordinator), never by workers. It names where keys
/// are, it does not hold them.
///
///   [server.openai]
///   base_url = "https://api.openai.com/v1"
///   key_env = "OPENAI_API_KEY"
///
///   [model.writer]          # the name that roles use
///   server = "openai"
///   name = "gpt-4.1"        # as the server calls it; default: "writer"
///
/// docs/models.md lists every key. Errors: one line each with file, line, key.

#include "llm/price.hpp"
#include "llm/provider.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

struct catalog_model {
  std::string server;
  std::string name; ///< as the server calls it
  /// Of the file, else of the list of known prices; none: not known.
  std::optional<token_price> price;
  std::uint32_t reply_tokens = 4'096; ///< reserved where no request says
};

struct model_catalog {
  std::map<std::string, provider> servers;
  std::map<std::string, catalog_model> models; ///< by the name roles use
};

struct loaded_catalog {
  model_catalog value;
  std::vector<error> problems; ///< empty: usable
};

/// Keys are read from the environment and from files; relative paths are
/// relative to the catalog's directory.
loaded_catalog load_model_catalog(const std::filesystem::path& file);

/// What is known of a model's price by the name its server calls it; lists
/// change, so a catalog may say otherwise.
std::optional<token_price> known_price(std::string_view name);

} // namespace brewery
