#include "llm/accounts/model_catalog.hpp"

#include "base/file.hpp"
#include "base/text.hpp"
#include "base/toml_reader.hpp"
#include "llm/accounts/known_models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace brewery {

namespace fs = std::filesystem;

namespace {

/// Reads the keys of one entry.
class entry_reader {
public:
  using setter = std::function<std::string(const toml_value&)>;

  /// Declares a key with values of type T. `set` returns the problem, if any.
  template <class T>
  void key(const std::string& name, const std::string& expected,
           std::function<std::string(const T&)> set) {
    setters_[name] = [expected, set](const toml_value& found) -> std::string {
      if (found.shape) {
        if (const auto* value = std::get_if<T>(&*found.shape))
          return set(*value);
        if constexpr (std::is_same_v<T, double>)
          if (const auto* whole = std::get_if<std::int64_t>(&*found.shape))
            return set(static_cast<double>(*whole));
      }
      return fmt::format("expected {}, found {}", expected, found.type);
    };
  }

  void text(const std::string& name, std::string& into) {
    key<std::string>(name, "a string", [&into](const std::string& value) {
      into = value;
      return std::string{};
    });
  }

  void flag(const std::string& name, bool& into) {
    key<bool>(name, "true or false", [&into](bool value) {
      into = value;
      return std::string{};
    });
  }

  void schemas(const std::string& name, schema_form& into) {
    setters_[name] = [&into](const toml_value& found) -> std::string {
      const auto* yes =
          found.shape ? std::get_if<bool>(&*found.shape) : nullptr;
      const auto* word =
          found.shape ? std::get_if<std::string>(&*found.shape) : nullptr;
      if (yes == nullptr && (word == nullptr || *word != "plain"))
        return fmt::format("expected true, false or \"plain\", found {}",
                           word != nullptr ? quote_toml(*word)
                                           : std::string{found.type});
      into = yes == nullptr ? schema_form::plain
             : *yes         ? schema_form::full
                            : schema_form::none;
      return {};
    };
  }

  template <class T>
  void whole(const std::string& name, std::int64_t least, std::int64_t most,
             std::function<void(T)> set) {
    const auto range = fmt::format("an integer from {} to {}", least, most);
    key<std::int64_t>(name, range,
                      [least, most, range, set](std::int64_t value) {
                        if (value < least || value > most)
                          return fmt::format("{} is not {}", value, range);
                        set(static_cast<T>(value));
                        return std::string{};
                      });
  }

  void milliseconds(const std::string& name, std::chrono::milliseconds& into) {
    whole<std::int64_t>(name, 1, 86'400'000, [&into](std::int64_t value) {
      into = std::chrono::milliseconds{value};
    });
  }

  /// Empty, or the problem with this key.
  [[nodiscard]] std::string take(const toml_item& item) const {
    const auto found = setters_.find(item.key);
    if (found != setters_.end()) return found->second(item.value);
    std::vector<std::string> known;
    for (const auto& [name, set] : setters_)
      known.push_back(name);
    return "no such key" + suggest_choice(item.key, known);
  }

private:
  std::map<std::string, setter> setters_;
};

/// How the keys of a server are read.
struct server_context {
  fs::path base; ///< relative paths begin here
  catalog_use use;
  /// What the server lacks to be asked, of the key that was read last.
  std::string& lacking;
};

/// An error is no problem of the file: a server may lack its key if nobody asks
/// it.
void take_secret(const result<secret>& read, secret& into,
                 std::string& lacking) {
  if (read)
    into = *read;
  else
    lacking = read.error().message;
}

void describe_secret(entry_reader& keys, const std::string& name, secret& into,
                     const server_context& in) {
  keys.key<std::string>(name + "_env", "the name of an environment variable",
                        [&into, in](const std::string& variable) {
                          if (in.use == catalog_use::asking)
                            take_secret(secret_from_environment(variable), into,
                                        in.lacking);
                          return std::string{};
                        });
  keys.key<std::string>(name + "_file", "the path of a file",
                        [&into, in](const std::string& path) {
                          if (in.use == catalog_use::asking)
                            take_secret(secret_from_file(in.base / path), into,
                                        in.lacking);
                          return std::string{};
                        });
}

/// Each text has the form "Name: VARIABLE".
std::string add_headers(const std::vector<std::string>& texts,
                        std::vector<secret_header>& into,
                        const server_context& in) {
  for (const auto& text : texts) {
    const auto colon = text.find(':');
    if (colon == std::string::npos)
      return fmt::format("{} is not \"Header: VARIABLE\"", quote_toml(text));
    if (in.use == catalog_use::reading) continue;
    secret value;
    take_secret(
        secret_from_environment(std::string{trim(text.substr(colon + 1))}),
        value, in.lacking);
    if (!value.empty())
      into.push_back({std::string{trim(text.substr(0, colon))}, value});
  }
  return {};
}

entry_reader server_keys(provider& into, const server_context& in) {
  entry_reader keys;
  keys.text("base_url", into.base_url);
  describe_secret(keys, "key", into.api_key, in);
  describe_secret(keys, "proxy", into.proxy, in);
  keys.text("key_header", into.api_key_header);
  keys.key<std::vector<std::string>>(
      "headers_env", "a list of \"Header: VARIABLE\"",
      [&into, in](const std::vector<std::string>& texts) {
        return add_headers(texts, into.headers, in);
      });
  keys.key<std::string>(
      "ca_file", "the path of a file", [&into, in](const std::string& path) {
        into.ca_file = in.base / path;
        std::error_code failed;
        if (in.use == catalog_use::asking && !fs::exists(into.ca_file, failed))
          in.lacking = fmt::format("{} does not exist", into.ca_file.string());
        return std::string{};
      });
  keys.milliseconds("connect_timeout_ms", into.timeouts.connect);
  keys.milliseconds("first_byte_timeout_ms", into.timeouts.first_byte);
  keys.milliseconds("idle_timeout_ms", into.timeouts.idle);
  keys.milliseconds("total_timeout_ms", into.timeouts.total);
  keys.whole<std::uint32_t>("max_retries", 0, 1000, [&into](auto value) {
    into.retry.most_retries = value;
  });
  keys.flag("retry_paid", into.retry.retry_ambiguous);
  keys.whole<std::uint32_t>(
      "initial_concurrency", 1, 100'000,
      [&into](auto value) { into.initial_concurrency = value; });
  keys.whole<std::uint32_t>("max_concurrency", 1, 100'000, [&into](auto value) {
    into.most_concurrency = value;
  });
  keys.schemas("json_schema", into.schemas);
  keys.flag("seed", into.supports_seed);
  keys.flag("stream", into.supports_stream);
  keys.text("max_tokens_field", into.max_tokens_field);
  return keys;
}

/// What the catalog states of a model's price, for a token.
struct stated_price {
  std::optional<picodollars> prompt, cached, completion;
};

void describe_price(entry_reader& keys, const std::string& name,
                    std::optional<picodollars>& part) {
  keys.key<double>(name, "a number of USD, 0 or more", [&part](double usd) {
    if (!(usd >= 0 && usd <= 1e6)) return fmt::format("{} is not a price", usd);
    part = per_token(usd);
    return std::string{};
  });
}

/// A part that neither knows is unknown, not free.
void set_price(catalog_model& model, const stated_price& stated) {
  const auto known = known_price(model.name);
  const auto either = [&](std::optional<picodollars> part,
                          picodollars token_price::*of_known) {
    if (!part && known) part = (*known).*of_known;
    return part;
  };
  const auto prompt = either(stated.prompt, &token_price::prompt);
  const auto completion = either(stated.completion, &token_price::completion);
  // No discount is known of a stated price, so a budget counts them in full.
  const auto cached = stated.prompt && !stated.cached
                          ? stated.prompt
                          : either(stated.cached, &token_price::cached);
  model.prices_replies = completion.has_value();
  if (prompt)
    model.price =
        token_price{*prompt, cached.value_or(*prompt), completion.value_or(0)};
}

entry_reader model_keys(catalog_model& into, stated_price& price) {
  entry_reader keys;
  keys.text("server", into.server);
  keys.text("name", into.name);
  describe_price(keys, "usd_per_million_prompt", price.prompt);
  describe_price(keys, "usd_per_million_cached", price.cached);
  describe_price(keys, "usd_per_million_completion", price.completion);
  keys.whole<std::uint32_t>("reply_tokens", 1, 10'000'000,
                            [&into](auto value) { into.reply_tokens = value; });
  keys.key<bool>("temperature", "true or false", [&into](bool value) {
    into.temperature = value;
    return std::string{};
  });
  return keys;
}

class reader {
public:
  reader(fs::path file, catalog_use use) : file_(std::move(file)), use_(use) {}

  loaded_catalog read() {
    const auto text = read_file(file_);
    if (!text) return problem(text.error()), std::move(out_);
    const auto items = read_toml(*text, file_.string(),
                                 [](const auto&, const auto&) { return true; });
    if (!items) return problem(items.error()), std::move(out_);
    for (const auto& item : *items)
      take(item);
    finish();
    return std::move(out_);
  }

private:
  void problem(error what) { out_.problems.push_back(std::move(what)); }

  [[nodiscard]] error at(std::uint32_t line, const std::string& what) const {
    return {ec::invalid_config,
            fmt::format("{}:{}: {}", file_.string(), line, what)};
  }

  void wrong(std::uint32_t line, const std::string& what) {
    problem(at(line, what));
  }

  void take(const toml_item& item) {
    const auto dot = item.section.find('.');
    const auto kind = item.section.substr(0, dot);
    if (dot == std::string::npos || (kind != "server" && kind != "model")) {
      // Ignores the header of a parent, [x], of an entry [x.y]. Reports each
      // section once.
      if (item.key.empty() == (dot == std::string::npos)
          && !item.section.empty())
        return;
      return wrong(item.line,
                   fmt::format("{}: expected [server.NAME] or [model.NAME]",
                               item.section.empty() ? item.key : item.section));
    }
    const auto name = item.section.substr(dot + 1);
    lines_.try_emplace(item.section, item.line);
    const auto& keys = keys_of(kind, name);
    if (item.key.empty()) return;
    const auto key = fmt::format("{}.{}", item.section, item.key);
    stated_.insert(key);
    if (const auto why = keys.take(item); !why.empty())
      wrong(item.line, fmt::format("{}: {}", key, why));
    if (const auto lacking = std::exchange(lacking_, {}); !lacking.empty())
      out_.value.unready.try_emplace(
          name, at(item.line, fmt::format("{}: {}", key, lacking)));
  }

  const entry_reader& keys_of(const std::string& kind,
                              const std::string& name) {
    const auto section = kind + '.' + name;
    if (const auto found = readers_.find(section); found != readers_.end())
      return found->second;
    if (kind == "server") {
      auto& server = out_.value.servers[name];
      server.name = name;
      return readers_[section] =
                 server_keys(server, {file_.parent_path(), use_, lacking_});
    }
    return readers_[section] =
               model_keys(out_.value.models[name], prices_[name]);
  }

  void finish() {
    std::vector<std::string> servers;
    for (auto& [name, server] : out_.value.servers) {
      servers.push_back(name);
      const auto line = lines_["server." + name];
      if (!stated_.contains(fmt::format("server.{}.initial_concurrency", name)))
        server.initial_concurrency =
            std::min(server.initial_concurrency, server.most_concurrency);
      if (server.base_url.empty())
        wrong(line, fmt::format("server.{} has no base_url", name));
      else if (const auto good = check(server); !good)
        wrong(line, good.error().message);
    }
    for (auto& [name, model] : out_.value.models) {
      const auto line = lines_["model." + name];
      if (model.server.empty())
        wrong(line, fmt::format("model.{} names no server", name));
      else if (!out_.value.servers.contains(model.server))
        wrong(line,
              fmt::format("model.{}: no [server.{}]{}", name, model.server,
                          suggest_choice(model.server, servers)));
      if (model.name.empty()) model.name = name;
      set_price(model, prices_[name]);
      if (!model.temperature)
        model.temperature = !is_reasoning_model(model.name);
    }
  }

  fs::path file_;
  catalog_use use_;
  loaded_catalog out_;
  std::map<std::string, entry_reader> readers_;
  std::map<std::string, std::uint32_t> lines_;
  std::map<std::string, stated_price> prices_; ///< by model
  std::set<std::string> stated_;               ///< "server.here.key_env"
  std::string lacking_;                        ///< see server_context
};

} // namespace

std::optional<token_price> known_price(const catalog_model& model, bool chats) {
  return chats && !model.prices_replies ? std::nullopt : model.price;
}

loaded_catalog load_model_catalog(const fs::path& file, catalog_use use) {
  return reader{file, use}.read();
}

} // namespace brewery
