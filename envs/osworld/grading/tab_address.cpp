#include "envs/osworld/grading/tab_address.hpp"

#include "base/text.hpp"
#include "envs/osworld/grading/graded_value.hpp"
#include "envs/osworld/grading/metrics/metric.hpp"
#include "envs/osworld/grading/python/py_text.hpp"
#include "envs/osworld/grading/python/py_url.hpp"
#include "envs/osworld/grading/select/xml_selector.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace brewery::osworld {

namespace {

constexpr std::array bars{
    "application[name=Google\\ Chrome] entry[name=Address\\ and\\ search\\ "
    "bar]",
    "application[name=Chromium] entry[name=Address\\ and\\ search\\ bar]"};

result<std::optional<std::string>> active_address(const json& config,
                                                  std::string_view tree) {
  const auto nodes = read_xml(tree);
  if (!nodes) return raises(nodes.error().message);
  for (const auto* bar : bars) {
    const auto selector = xml_selector::from_css(bar, {});
    if (!selector) return selector.error();
    const auto found = selector->select(*nodes);
    if (found.empty()) continue;
    // The last has to have a text, and the first gives its.
    if ((*nodes)[found.back()].text.empty())
      return std::optional<std::string>{};
    const auto& text = (*nodes)[found.front()].text;
    return std::optional{
        tau2::py_str(config.value("goto_prefix", json("https://")))
        + (text.empty() ? "None" : text)};
  }
  return std::optional<std::string>{};
}

/// The first value of each name in the query; "" if there is none.
result<json> query_values(const json& config, const std::string& whole) {
  const auto parsed = py_urlparse(whole);
  if (!parsed) return parsed.error();
  const auto keys = config.find("parse_keys");
  if (keys == config.end() || !keys->is_array())
    return raises("the getter needs parse_keys");
  const auto pairs = py_query_pairs(parsed->query);
  json out = json::object();
  for (const auto& key : *keys) {
    if (!key.is_string()) return raises("parse_keys must be texts");
    const auto found =
        std::find_if(pairs.begin(), pairs.end(), [&](const auto& pair) {
          return pair.first == key.get_ref<const std::string&>();
        });
    out[key.get<std::string>()] = found == pairs.end() ? "" : found->second;
  }
  const auto renamed = config.value("replace", json::object());
  for (const auto& [from, to] : renamed.items()) {
    if (!out.contains(from) || !to.is_string())
      return raises("replace names no key");
    const auto value = out[from];
    out.erase(from);
    out[to.get<std::string>()] = value;
  }
  if (is_on(config, "split_list", false))
    for (auto& value : out) {
      json parts = json::array();
      const auto text = value.get<std::string>();
      for (const auto part : split(text, ','))
        parts.push_back(std::string{part});
      value = std::move(parts);
    }
  return out;
}

/// int(value): of a number or its text.
std::optional<long> as_index(const json& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_number()) {
    const auto number = value.get<double>();
    if (std::abs(number) > 1e9) return {}; // of no address
    return static_cast<long>(number);
  }
  if (!value.is_string()) return {};
  const auto text = std::string{py_strip(value.get_ref<const std::string&>())};
  const auto digits = text.find_first_not_of("+-");
  if (digits == std::string::npos || digits > 1 || text.size() > 9
      || text.find_first_not_of("0123456789", digits) != std::string::npos)
    return {};
  return std::stol(text);
}

result<json> part_between_slashes(const json& config,
                                  const std::string& whole) {
  const auto index = as_index(config.value("partIndex", json{}));
  if (!config.contains("partIndex")) return raises("it needs partIndex");
  if (!index) return json{};
  const auto parts = split(whole, '/');
  const auto count = static_cast<long>(parts.size());
  if (*index >= count) return json{};
  if (*index < -count) return raises("partIndex is out of range");
  const auto at = *index < 0 ? *index + count : *index;
  std::string part{parts[static_cast<std::size_t>(at)]};
  if (is_on(config, "needDeleteId", false))
    part = part.substr(0, part.find('?'));
  const auto type = config.value("returnType", json{});
  if (!config.contains("returnType")) return raises("it needs returnType");
  if (type == "string") return json(part);
  if (type != "json") return json{};
  const auto key = config.find("key");
  if (key == config.end() || !key->is_string()) return raises("it needs key");
  return json{{key->get<std::string>(), part}};
}

/// What a shop's path says of the goods: two parts with commas, the names and
/// their values.
struct shop_path {
  json values = json::object();
  bool shirts = false;
  bool short_sleeves = false;
};

std::vector<std::string> stripped_parts(std::string_view text, char mark) {
  std::vector<std::string> out;
  for (const auto part : split(text, mark))
    out.emplace_back(py_strip(part));
  return out;
}

void read_pairs(std::string_view names, std::string_view values,
                shop_path& out) {
  const auto keys = stripped_parts(names, ',');
  const auto of = stripped_parts(values, ',');
  for (std::size_t i = 0; i < std::min(keys.size(), of.size()); ++i) {
    const auto& key = keys[i];
    const auto& value = of[i];
    if (value.empty())
      out.values[key] = nullptr;
    else if (key == "Price_discount_range")
      out.values[key] = stripped_parts(value, '|');
    else
      out.values[key] = value;
    out.shirts =
        out.shirts
        || (key == "Product_department"
            && (value == "shirts" || value == "Shirts" || value == "Shirt"));
    out.short_sleeves =
        out.short_sleeves
        || (key == "Sleeve_length"
            && (value == "short-sleeve" || value == "Short Sleeve"));
  }
}

shop_path read_shop_path(const std::string& path) {
  shop_path out;
  out.shirts = path.find("shirts") != std::string::npos;
  out.short_sleeves = path.find("short-sleeve") != std::string::npos;
  std::string_view inner = path;
  while (inner.starts_with('/'))
    inner.remove_prefix(1);
  while (inner.ends_with('/'))
    inner.remove_suffix(1);
  const auto parts = split(inner, '/');
  const auto has_comma = [](std::string_view part) {
    return part.find(',') != std::string_view::npos;
  };
  for (std::size_t i = 0; i + 1 < parts.size(); ++i)
    if (has_comma(parts[i]) && has_comma(parts[i + 1])) {
      read_pairs(parts[i], parts[i + 1], out);
      break;
    }
  for (const auto* name : {"Men_regular_size_t", "Price_discount_range"})
    if (!out.values.contains(name)) out.values[name] = nullptr;
  return out;
}

json discount_of(const json& ranges) {
  const auto has = [&](const char* range) {
    return std::find(ranges.begin(), ranges.end(), json(range)) != ranges.end();
  };
  const bool half = ranges.is_array() && has("50_PERCENT_ off & more")
                    && !has("30_PERCENT_ off & more")
                    && !has("20_PERCENT_ off & more");
  return half ? "50_PERCENT_ off & more" : "not_50_PERCENT_ off & more";
}

result<json> shop_values(const json& config, const std::string& whole) {
  const auto parsed = py_urlparse(whole);
  if (!parsed) return parsed.error();
  const auto path = py_unquote(parsed->path);
  const auto shop = read_shop_path(path);
  const auto if_true = [](bool is) { return is ? json(true) : json{}; };
  json out{{"mens_clothing",
            if_true(path.find("mens-clothing") != std::string::npos)},
           {"shirts", if_true(shop.shirts)},
           {"short_sleeve", if_true(shop.short_sleeves)}};
  const auto keys = config.find("parse_keys");
  if (keys == config.end() || !keys->is_array())
    return raises("the getter needs parse_keys");
  for (const auto& key : *keys)
    if (key.is_string() && shop.values.contains(key.get<std::string>())) {
      const auto name = key.get<std::string>();
      out[name] = name == "Price_discount_range"
                      ? discount_of(shop.values[name])
                      : shop.values[name];
    }
  return out;
}

} // namespace

bool is_address_getter(std::string_view type) {
  return type == "active_url_from_accessTree" || type == "active_tab_url_parse"
         || type == "url_dashPart" || type == "url_path_parse"
         || type == "macys_product_url_parse";
}

result<json> address_value(const json& config, std::string_view tree) {
  const auto type = config.value("type", std::string{});
  const auto whole = active_address(config, tree);
  if (!whole) return whole.error();
  if (!*whole) return json{};
  if (type == "active_tab_url_parse") return query_values(config, **whole);
  if (type == "url_dashPart") return part_between_slashes(config, **whole);
  if (type != "active_url_from_accessTree") return shop_values(config, **whole);
  return json(**whole);
}

} // namespace brewery::osworld
