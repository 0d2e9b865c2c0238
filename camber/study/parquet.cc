// Apache Parquet, https://parquet.apache.org/docs/file-format: pages of values, one column after the
// other, then a footer in Thrift's compact protocol
// (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md). Numbers of
// fields and enums are those of parquet.thrift. Written by hand: the Arrow library is a hundred times
// the size of camber's tables (docs/decisions/0021-studies.md).

#include "camber/study/parquet.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace camber::study {
namespace {

static_assert(std::endian::native == std::endian::little, "plain pages are copied as they are");

enum class Wire { kI32 = 5, kI64 = 6, kBinary = 8, kList = 9, kStruct = 12 };

/// A struct in Thrift's compact protocol. Fields are added in ascending order.
class ThriftStruct {
 public:
  ThriftStruct& i32(int id, std::int64_t value) { return integer(id, value, Wire::kI32); }
  ThriftStruct& i64(int id, std::int64_t value) { return integer(id, value, Wire::kI64); }
  ThriftStruct& text(int id, const std::string& value) {
    field(id, Wire::kBinary);
    append_text(value, &bytes_);
    return *this;
  }
  ThriftStruct& child(int id, const ThriftStruct& value) {
    field(id, Wire::kStruct);
    bytes_ += value.bytes();
    return *this;
  }
  ThriftStruct& list(int id, const std::vector<ThriftStruct>& values) {
    begin_list(id, values.size(), Wire::kStruct);
    for (const ThriftStruct& value : values) bytes_ += value.bytes();
    return *this;
  }
  ThriftStruct& texts(int id, const std::vector<std::string>& values) {
    begin_list(id, values.size(), Wire::kBinary);
    for (const std::string& value : values) append_text(value, &bytes_);
    return *this;
  }
  ThriftStruct& i32s(int id, const std::vector<int>& values) {
    begin_list(id, values.size(), Wire::kI32);
    for (const int value : values) append_integer(value, &bytes_);
    return *this;
  }
  std::string bytes() const { return bytes_ + '\0'; }

 private:
  static void append_varint(std::uint64_t value, std::string* bytes) {
    for (; value >= 0x80; value >>= 7) *bytes += static_cast<char>((value & 0x7f) | 0x80);
    *bytes += static_cast<char>(value);
  }
  static void append_integer(std::int64_t value, std::string* bytes) {  // zigzag
    append_varint(
        (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63), bytes);
  }
  static void append_text(const std::string& text, std::string* bytes) {
    append_varint(text.size(), bytes);
    *bytes += text;
  }
  void field(int id, Wire type) {
    bytes_ += static_cast<char>(((id - last_) << 4) | static_cast<int>(type));  // steps are < 16
    last_ = id;
  }
  ThriftStruct& integer(int id, std::int64_t value, Wire type) {
    field(id, type);
    append_integer(value, &bytes_);
    return *this;
  }
  void begin_list(int id, std::size_t size, Wire type) {
    field(id, Wire::kList);
    if (size < 15) {
      bytes_ += static_cast<char>((size << 4) | static_cast<std::size_t>(type));
    } else {
      bytes_ += static_cast<char>(0xf0 | static_cast<int>(type));
      append_varint(size, &bytes_);
    }
  }

  std::string bytes_;
  int last_ = 0;
};

constexpr int kBoolean = 0, kInt64 = 2, kDouble = 5, kByteArray = 6;  // Type
constexpr int kPlain = 0, kRle = 3;                                   // Encoding
constexpr int kRequired = 0, kUtf8 = 0, kUncompressed = 0, kDataPage = 0;
constexpr std::size_t kGroupRows = 1 << 20;  // pages of at most 2 GB

int type_of(const TableColumn& column) {
  switch (column.kind) {
    case TableColumn::Kind::kNumber:
      return kDouble;
    case TableColumn::Kind::kInteger:
      return kInt64;
    case TableColumn::Kind::kBoolean:
      return kBoolean;
    case TableColumn::Kind::kText:
      break;
  }
  return kByteArray;
}

template <class Value>
std::string copy_values(const std::vector<Value>& values, std::size_t first, std::size_t count) {
  std::string bytes(count * sizeof(Value), '\0');
  if (count > 0) std::memcpy(bytes.data(), values.data() + first, bytes.size());
  return bytes;
}

std::string plain_values(const TableColumn& column, std::size_t first, std::size_t count) {
  std::string bytes;
  switch (column.kind) {
    case TableColumn::Kind::kNumber:
      return copy_values(column.numbers, first, count);
    case TableColumn::Kind::kInteger:
      return copy_values(column.integers, first, count);
    case TableColumn::Kind::kBoolean:  // eight in a byte, the first in its lowest bit
      bytes.assign((count + 7) / 8, '\0');
      for (std::size_t i = 0; i < count; ++i)
        if (column.integers[first + i] != 0)
          bytes[i / 8] = static_cast<char>(bytes[i / 8] | (1 << (i % 8)));
      return bytes;
    case TableColumn::Kind::kText:
      break;
  }
  for (std::size_t i = first; i < first + count; ++i) {
    const auto size = static_cast<std::uint32_t>(column.texts[i].size());
    char length[4];
    std::memcpy(length, &size, sizeof length);
    bytes.append(length, sizeof length);
    bytes += column.texts[i];
  }
  return bytes;
}

std::vector<ThriftStruct> make_schema(const SamplesTable& table) {
  std::vector<ThriftStruct> schema(1);
  schema[0].text(4, "samples").i32(5, static_cast<std::int64_t>(table.columns.size()));
  for (const TableColumn& column : table.columns) {
    ThriftStruct element;
    element.i32(1, type_of(column)).i32(3, kRequired).text(4, column.name);
    if (column.kind == TableColumn::Kind::kText) element.i32(6, kUtf8);
    schema.push_back(element);
  }
  return schema;
}

}  // namespace

std::string to_parquet(const SamplesTable& table) {
  std::string file = "PAR1";
  std::vector<ThriftStruct> groups;
  for (std::size_t first = 0; first < table.rows || (first == 0 && groups.empty());
       first += kGroupRows) {
    const std::size_t rows = std::min(kGroupRows, table.rows - first);
    const std::size_t group_begin = file.size();
    std::vector<ThriftStruct> chunks;
    for (const TableColumn& column : table.columns) {
      const std::string values = plain_values(column, first, rows);
      const auto size = static_cast<std::int64_t>(values.size());
      const auto begin = static_cast<std::int64_t>(file.size());
      ThriftStruct data_page, page;
      data_page.i32(1, static_cast<std::int64_t>(rows)).i32(2, kPlain).i32(3, kRle).i32(4, kRle);
      page.i32(1, kDataPage).i32(2, size).i32(3, size).child(5, data_page);
      file += page.bytes() + values;
      const std::int64_t whole = static_cast<std::int64_t>(file.size()) - begin;
      ThriftStruct data, chunk;
      data.i32(1, type_of(column))
          .i32s(2, {kPlain})
          .texts(3, {column.name})
          .i32(4, kUncompressed)
          .i64(5, static_cast<std::int64_t>(rows))
          .i64(6, whole)
          .i64(7, whole)
          .i64(9, begin);
      chunk.i64(2, begin).child(3, data);
      chunks.push_back(chunk);
    }
    ThriftStruct group;
    group.list(1, chunks)
        .i64(2, static_cast<std::int64_t>(file.size() - group_begin))
        .i64(3, static_cast<std::int64_t>(rows));
    groups.push_back(group);
  }
  ThriftStruct footer;
  footer.i32(1, 1)
      .list(2, make_schema(table))
      .i64(3, static_cast<std::int64_t>(table.rows))
      .list(4, groups)
      .text(6, "camber");
  const std::string bytes = footer.bytes();
  const auto size = static_cast<std::uint32_t>(bytes.size());
  char length[4];
  std::memcpy(length, &size, sizeof length);
  file += bytes;
  file.append(length, sizeof length);
  return file + "PAR1";
}

}  // namespace camber::study
