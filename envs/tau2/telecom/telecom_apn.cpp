#include "base/text.hpp"
#include "envs/tau2/telecom/telecom_user_tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery::tau2 {

namespace {

error refused(std::string_view key, std::string_view wanted,
              const json& given) {
  return {ec::invalid_argument,
          fmt::format("1 validation error for APNSettings\n{}\n  Input should "
                      "be {} [input_value={}, input_type={}]",
                      key, wanted, py_repr(given), py_type_name(given))};
}

/// Words and numbers that the reference's models accept as truth values.
std::optional<bool> truth(const json& given) {
  if (given.is_boolean()) return given.get<bool>();
  if (given.is_number()) {
    const double number = given.get<double>();
    if (number == 0 || number == 1) return number == 1;
    return std::nullopt;
  }
  if (!given.is_string()) return std::nullopt;
  const std::string word = lower(given.get_ref<const std::string&>());
  for (const char* yes : {"1", "true", "t", "yes", "y", "on"})
    if (word == yes) return true;
  for (const char* no : {"0", "false", "f", "no", "n", "off"})
    if (word == no) return false;
  return std::nullopt;
}

/// Whole numbers in all forms that the reference's models accept.
std::optional<std::int64_t> whole(const json& given) {
  if (given.is_boolean()) return given.get<bool>() ? 1 : 0;
  if (given.is_number_integer()) return given.get<std::int64_t>();
  if (given.is_number_float()) {
    const double number = given.get<double>();
    if (std::floor(number) != number || std::abs(number) > 9e15)
      return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  if (!given.is_string()) return std::nullopt;
  std::string_view text = trim(given.get_ref<const std::string&>());
  if (const auto point = text.find('.'); point != std::string_view::npos) {
    const auto zeros = text.substr(point + 1);
    if (zeros.empty() || zeros.find_first_not_of('0') != zeros.npos)
      return std::nullopt;
    text = text.substr(0, point);
  }
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  return whole_number<std::int64_t>(text);
}

result<void> set_text(std::optional<std::string>& value, std::string_view key,
                      const json& given) {
  if (given.is_null())
    value.reset();
  else if (given.is_string())
    value = given.get<std::string>();
  else
    return refused(key, "a valid string", given);
  return {};
}

result<void> set_member(apn_settings& settings, const std::string& key,
                        const json& given) {
  if (key == "mms_apn") return set_text(settings.mms_apn, key, given);
  if (key == "mmsc_url") return set_text(settings.mmsc_url, key, given);
  if (key == "mms_proxy") return set_text(settings.mms_proxy, key, given);
  if (key == "apn_name") {
    const auto name =
        given.is_string()
            ? parse_enum<apn_name>(given.get_ref<const std::string&>())
            : std::nullopt;
    if (!name) return refused(key, "'internet' or 'broken'", given);
    settings.apn_name = *name;
  } else if (key == "reset_at_reboot") {
    const auto flag = truth(given);
    if (!flag) return refused(key, "a valid boolean", given);
    settings.reset_at_reboot = *flag;
  } else if (key == "mms_port") {
    const auto port = whole(given);
    if (!port && !given.is_null())
      return refused(key, "a valid integer", given);
    settings.mms_port = port;
  } else {
    return refused(key, "absent: extra inputs are not permitted", given);
  }
  return {};
}

} // namespace

result<apn_settings> parse_apn_settings(const json& given) {
  apn_settings settings;
  for (const auto& [key, value] : given.items())
    if (const auto ok = set_member(settings, key, value); !ok)
      return ok.error();
  return settings;
}

} // namespace brewery::tau2
