#include "roles/sentence/model_files.hpp"

#include "base/file.hpp"
#include "base/hash.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

#include <array>

namespace brewery::sentence {

namespace fs = std::filesystem;

namespace {

/// As SETTINGS in python/sentence_server.py.
constexpr std::array settings_names{"tokenizer.json",
                                    "config.json",
                                    "sentence_bert_config.json",
                                    "modules.json",
                                    "1_Pooling/config.json",
                                    "config_sentence_transformers.json"};

constexpr const char* wanted =
    "name the model.safetensors or model.onnx of a sentence model that has its "
    "tokenizer.json beside it (docs/models.md#a-sentence-model-of-your-own)";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// Some keep the model in a folder of its own: onnx/model.onnx.
fs::path root_of(const fs::path& model) {
  const auto folder = model.parent_path();
  const auto above = folder.parent_path();
  return !is_file(folder / "tokenizer.json")
                 && is_file(above / "tokenizer.json")
             ? above
             : folder;
}

error wrong(const fs::path& model, ec code, std::string_view what) {
  return about_option(code, "embedder.model_file", model.string(), what);
}

} // namespace

error about_option(ec code, std::string_view option, std::string_view value,
                   std::string_view what) {
  return {code, fmt::format("{} = {}: {}", option, json_quoted(value), what)};
}

result<std::string> files_identity(const fs::path& model) {
  if (!is_file(model))
    return wrong(model, ec::not_found,
                 fmt::format("there is no such file; {}", wanted));
  const auto kind = model.extension();
  if (kind != ".onnx" && kind != ".safetensors")
    return wrong(model, ec::invalid_config,
                 fmt::format("it is of another kind; {}", wanted));
  const auto root = root_of(model);
  if (!is_file(root / "tokenizer.json"))
    return wrong(model, ec::not_found,
                 fmt::format("there is no {}; {}",
                             (root / "tokenizer.json").string(), wanted));
  auto bytes = read_file(model);
  if (!bytes) return wrong(model, bytes.error().code, bytes.error().message);
  auto text = fmt::format("model{} {}\n", kind.string(), sha256_hex(*bytes));
  for (const auto* name : settings_names) {
    std::string hash = "-";
    if (is_file(root / name)) {
      bytes = read_file(root / name);
      if (!bytes)
        return wrong(model, bytes.error().code, bytes.error().message);
      hash = sha256_hex(*bytes);
    }
    text += fmt::format("{} {}\n", name, hash);
  }
  return content_hash(text);
}

} // namespace brewery::sentence
