#include "llm/accounts/model_catalog.hpp"

#include "base/file.hpp"
#include "base/text.hpp"
#include "base/toml_reader.hpp"
#include "llm/accounts/known_models.hpp"

#include <fmt/format.h>

#include <functional>
#include <set>

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

std::string message_of(const result<secret>& read) {
  return read ? std::string{} : read.error().message;
}

void describe_secret(entry_reader& keys, const std::string& name, secret& into,
                     const fs::path& base, catalog_use use) {
  keys.key<std::string>(name + "_env", "the name of an environment variable",
                        [&into, use](const std::string& variable) {
                          if (use == catalog_use::reading) return std::string{};
                          auto read = secret_from_environment(variable);
                          if (read) into = *read;
                          return message_of(read);
                        });
  keys.key<std::string>(name + "_file", "the path of a file",
                        [&into, base, use](const std::string& path) {
                          if (use == catalog_use::reading) return std::string{};
                          auto read = secret_from_file(base / path);
                          if (read) into = *read;
                          return message_of(read);
                        });
}

/// Each text has the form "Name: VARIABLE".
std::string add_headers(const std::vector<std::string>& texts,
                        std::vector<secret_header>& into, catalog_use use) {
  for (const auto& text : texts) {
    const auto colon = text.find(':');
    if (colon == std::string::npos)
      return fmt::format("{} is not \"Header: VARIABLE\"", quote_toml(text));
    if (use == catalog_use::reading) continue;
    auto value =
        secret_from_environment(std::string{trim(text.substr(colon + 1))});
    if (!value) return value.error().message;
    into.push_back({std::string{trim(text.substr(0, colon))}, *value});
  }
  return {};
}

entry_reader server_keys(provider& into, const fs::path& base,
                         catalog_use use) {
  entry_reader keys;
  keys.text("base_url", into.base_url);
  describe_secret(keys, "key", into.api_key, base, use);
  describe_secret(keys, "proxy", into.proxy, base, use);
  keys.text("key_header", into.api_key_header);
  keys.key<std::vector<std::string>>(
      "headers_env", "a list of \"Header: VARIABLE\"",
      [&into, use](const std::vector<std::string>& texts) {
        return add_headers(texts, into.headers, use);
      });
  keys.key<std::string>("ca_file", "the path of a file",
                        [&into, base](const std::string& path) {
                          into.ca_file = base / path;
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

/// The price of cached tokens until the catalog states it.
constexpr picodollars not_stated = -1;

void describe_price(entry_reader& keys, const std::string& name,
                    picodollars token_price::*part, catalog_model& into) {
  keys.key<double>(name, "a number of USD, 0 or more",
                   [&into, part](double usd) {
                     if (!(usd >= 0 && usd <= 1e6))
                       return fmt::format("{} is not a price", usd);
                     if (!into.price)
                       into.price = token_price{0, not_stated, 0};
                     (*into.price).*part = per_token(usd);
                     return std::string{};
                   });
}

entry_reader model_keys(catalog_model& into) {
  entry_reader keys;
  keys.text("server", into.server);
  keys.text("name", into.name);
  describe_price(keys, "usd_per_million_prompt", &token_price::prompt, into);
  describe_price(keys, "usd_per_million_cached", &token_price::cached, into);
  describe_price(keys, "usd_per_million_completion", &token_price::completion,
                 into);
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

  void wrong(std::uint32_t line, const std::string& what) {
    problem({ec::invalid_config,
             fmt::format("{}:{}: {}", file_.string(), line, what)});
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
    if (const auto why = keys.take(item); !why.empty())
      wrong(item.line, fmt::format("{}.{}: {}", item.section, item.key, why));
  }

  const entry_reader& keys_of(const std::string& kind,
                              const std::string& name) {
    const auto section = kind + '.' + name;
    if (const auto found = readers_.find(section); found != readers_.end())
      return found->second;
    if (kind == "server") {
      auto& server = out_.value.servers[name];
      server.name = name;
      return readers_[section] = server_keys(server, file_.parent_path(), use_);
    }
    return readers_[section] = model_keys(out_.value.models[name]);
  }

  void finish() {
    std::vector<std::string> servers;
    for (auto& [name, server] : out_.value.servers) {
      servers.push_back(name);
      const auto line = lines_["server." + name];
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
      if (!model.price) model.price = known_price(model.name);
      if (!model.temperature)
        model.temperature = !is_reasoning_model(model.name);
      // No discount is known, so a budget counts them in full.
      if (model.price && model.price->cached == not_stated)
        model.price->cached = model.price->prompt;
    }
  }

  fs::path file_;
  catalog_use use_;
  loaded_catalog out_;
  std::map<std::string, entry_reader> readers_;
  std::map<std::string, std::uint32_t> lines_;
};

} // namespace

loaded_catalog load_model_catalog(const fs::path& file, catalog_use use) {
  return reader{file, use}.read();
}

} // namespace brewery
