#include "envs/tau2/data/model_toml.hpp"
#include "envs/tau2/telecom/telecom_db.hpp"
#include "envs/tau2/telecom/telecom_phone.hpp"

namespace brewery::tau2 {

result<telecom_db> parse_telecom_db(const text_file& file) {
  return parse_model<telecom_db>(file);
}

result<telecom_user_db> parse_telecom_user_db(const text_file& file) {
  return parse_model<telecom_user_db>(file);
}

result<telecom_db> load_telecom_db(const std::filesystem::path& path) {
  const auto file = read_text_file(path);
  if (!file) return file.error();
  return parse_telecom_db(*file);
}

result<telecom_user_db>
load_telecom_user_db(const std::filesystem::path& path) {
  const auto file = read_text_file(path);
  if (!file) return file.error();
  return parse_telecom_user_db(*file);
}

} // namespace brewery::tau2
