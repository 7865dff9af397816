#pragma once
/// The catalog of model servers and models: a TOML file. It is read by the
/// process that makes the calls (a run, or the coordinator), never by workers.
/// It contains the location of keys, not the keys.
///
///   [server.openai]
///   base_url = "https://api.openai.com/v1"
///   key_env = "OPENAI_API_KEY"
///
///   [model.writer]          # the name that roles use
///   server = "openai"
///   name = "gpt-4.1"        # its name on the server; default: "writer"
///
/// docs/models.md lists every key. Errors: one line each with file, line, key.

#include "llm/accounts/price.hpp"
#include "llm/client/provider.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

struct catalog_model {
  std::string server;
  std::string name; ///< its name on the server
  /// Each part from the file, else from the list of known prices; empty: that
  /// of prompts is unknown.
  std::optional<token_price> price{};
  std::uint32_t reply_tokens = 4'096; ///< reserved if the request has no limit
  /// False: no temperature is sent. Empty in the file: by the model's name.
  std::optional<bool> temperature{};
  /// False: nobody knows what a reply costs, and `price` has 0 for it. Only an
  /// embedder's calls, which have no reply of tokens, can be counted then.
  bool prices_replies = true;
};

/// Empty: a part of it is unknown that the model's calls need, those of an
/// embedder only or, with `chats`, of others too.
std::optional<token_price> known_price(const catalog_model& model, bool chats);

struct model_catalog {
  std::map<std::string, provider> servers;
  std::map<std::string, catalog_model> models; ///< by the name that roles use
  /// Servers that cannot be asked, for want of a key or file, with the reason.
  /// No problem for who does not ask them.
  std::map<std::string, error> unready{};
};

struct loaded_catalog {
  model_catalog value;
  std::vector<error> problems; ///< empty: usable
};

/// `reading`: no server is asked, so no key is read.
enum class catalog_use : std::uint8_t { asking, reading };

/// Keys are read from the environment and from files. Relative paths are
/// relative to the catalog's directory.
loaded_catalog load_model_catalog(const std::filesystem::path& file,
                                  catalog_use use = catalog_use::asking);

/// The list price of a model, by its name on the server. Prices change, so the
/// catalog can override it.
std::optional<token_price> known_price(std::string_view name);

} // namespace brewery
