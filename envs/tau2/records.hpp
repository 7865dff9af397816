#pragma once
/// A domain's database as the JSON records of its file: tables of records by
/// id, in file order, which look-ups and texts depend on. The reference assigns
/// to its models without checking types, so a record is kept as JSON: whatever
/// a tool stored is there, int or float, text or number, and is hashed so.
///
/// Copies share every record until one is edited (cow.hpp); copying a database
/// is a snapshot. Owned by one environment; the base is shared.

#include "base/result.hpp"
#include "envs/tau2/cow.hpp"
#include "envs/tau2/python_text.hpp"
#include "envs/tau2/text_file.hpp"

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
  /// Null when there is none.
  [[nodiscard]] const json* find(std::string_view id) const;
  /// The same to change it: made this table's own. Null when there is none.
  json* edit(std::string_view id);
  /// A new record at the end; the id must not be there.
  void add(std::string id, json value);
  [[nodiscard]] const std::vector<row>& rows() const { return *rows_; }
  /// The same records by id, as same_dump compares them, in any order; cheap
  /// where both share them.
  [[nodiscard]] bool same(const record_table& other) const;
  /// The records by id, keys sorted, as the reference dumps them for its hash,
  /// appended.
  void append_dump(std::string& out) const;

private:
  /// What is known of the rows the file gave, shared by all copies.
  struct origin;

  [[nodiscard]] std::size_t position(std::string_view id) const;

  std::string name_;
  cow<std::vector<row>> rows_;
  std::shared_ptr<const origin> origin_;
};

struct record_db {
  std::vector<record_table> tables; ///< in the order of the model's members

  /// The table must be there.
  [[nodiscard]] const record_table& table(std::string_view name) const;
  record_table& table(std::string_view name);
};

/// What the reference's model of a record adds or drops, and checks, when it
/// loads the file: defaults of missing members, declared order of members.
/// Errors name the member.
using record_model = result<json> (*)(const json& record);

/// An object of tables, each an object of records; other members are dropped.
/// Errors, ec::malformed, name file, table, id and what the model said.
result<record_db>
parse_records(const text_file& file,
              const std::vector<std::pair<std::string, record_model>>& tables);

/// Equal once dumped with sorted keys: the order of members does not count, but
/// 2 and 2.0 differ, as do 1 and true.
bool same_dump(const json& a, const json& b);

/// SHA-256, in hex, of the database as the reference dumps it.
std::string database_hash(const record_db& db);

/// Equal as the reference compares databases: by hash. Costs as much as there
/// are records that the two do not share.
bool same_database(const record_db& a, const record_db& b);

} // namespace brewery::tau2
