#pragma once

#include <span>
#include <string>
#include <string_view>

#include "camber/codegen/source_writer.h"

namespace camber::codegen::internal {

/// What C and C++ spell alike: elements, assignments, checks, bodies and the functions that a
/// program calls.
class CFamilyWriter : public SourceWriter {
 protected:
  /// `zero`: a number to compare with. `holds`: the function call around a condition that may have
  /// many lanes.
  struct Spelling {
    symbolic::Language language;
    std::string_view scalar, condition, zero, holds;
    std::string_view indent, continued;  // of a statement, and of its continuation lines
    std::span<const std::string_view> reserved;
  };

  CFamilyWriter(const Program& program, const WriteOptions& options, symbolic::CodeSyntax syntax,
                const Spelling& spelling);

  std::string body(const ChunkText& chunk) const;
  /// The functions that the program calls: declarations of code, definitions of tables.
  std::string user_functions();

 private:
  std::string element(const std::string& array, int index) const final;
  std::string output_element(int output, int index) const final;
  std::string define(const std::string& name, bool is_condition,
                     const std::string& value) const final;
  std::string assign(const std::string& target, const std::string& value) const final;
  std::string check(const GuardedValue& guard, int number, const std::string& value,
                    bool in_order) const final;
  std::string comment_mark() const final { return "//"; }

  Spelling spelling_;
};

}  // namespace camber::codegen::internal
