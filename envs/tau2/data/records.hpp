#pragma once
/// A domain's database as JSON records: tables of records by id, in file order,
/// which look-ups and texts depend on. The reference assigns to its models
/// without checking types. So a record is kept as JSON: it holds whatever a
/// tool stored, int or float, text or number, and is hashed as such.
///
/// Copies share every record until one is edited (cow.hpp); copying a database
/// makes a snapshot. Owned by one environment; the original is shared.

#include "base/result.hpp"
#include "envs/tau2/data/cow.hpp"
#include "envs/tau2/data/text_file.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace brewery::tau2 {

class record_table {
public:
  using row = std::pair<std::string, cow<json>>;

  record_table();
  /// Ids must differ.
  record_table(std::string name, std::vector<row> rows);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Null if there is none.
  [[nodiscard]] const json* find(std::string_view id) const;
  /// The record for editing; copied first if it is shared. Null if there is
  /// none.
  json* edit(std::string_view id);
  /// Appends a new record. The id must be new.
  void add(std::string id, json value);
  [[nodiscard]] const std::vector<row>& rows() const { return *rows_; }
  /// Whether both have the same records by id, in any order, compared with
  /// same_dump. Fast for shared records.
  [[nodiscard]] bool same(const record_table& other) const;
  /// Appends the records by id with sorted keys, as the reference dumps them
  /// for its hash.
  void append_dump(std::string& out) const;

private:
  /// Facts about the rows of the file, shared by all copies.
  struct origin;

  [[nodiscard]] std::size_t position(std::string_view id) const;

  std::string name_;
  cow<std::vector<row>> rows_;
  std::shared_ptr<const origin> origin_;
};

struct record_db {
  std::vector<record_table> tables; ///< in the order of the model's members

  /// The table must exist.
  [[nodiscard]] const record_table& table(std::string_view name) const;
  record_table& table(std::string_view name);
};

/// Applies the reference's model to a record when the file is loaded: adds
/// defaults, orders members as declared, drops and checks. Errors name the
/// member.
using record_model = result<json> (*)(const json& record);

/// Reads an object of tables, each an object of records; drops other members.
/// Error ec::malformed names file, table, id and the model's complaint.
result<record_db>
parse_records(const text_file& file,
              const std::vector<std::pair<std::string, record_model>>& tables);

/// Whether the dumps with sorted keys are equal: the order of members does not
/// matter, but 2 and 2.0 differ, as do 1 and true.
bool same_dump(const json& a, const json& b);

/// SHA-256, in hex, of the database as the reference dumps it.
std::string database_hash(const record_db& db);

/// Equality as in the reference: by hash. The cost depends on the number of
/// records that the two do not share.
bool same_database(const record_db& a, const record_db& b);

} // namespace brewery::tau2
