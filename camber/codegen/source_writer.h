#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "camber/codegen/chunk_plan.h"
#include "camber/codegen/program.h"
#include "camber/codegen/statements.h"
#include "camber/codegen/write.h"
#include "camber/symbolic/code_syntax.h"
#include "camber/symbolic/identifier_table.h"

namespace camber::codegen::internal {

/// How a language spells the arguments of a part, up to the name.
struct PartTypes {
  std::string_view array_input, scalar_input, output, status;
};

/// The text of one chunk, ready to be put between the head and the end of a function.
struct ChunkText {
  struct Local {
    std::string name;
    bool is_condition = false;
  };
  std::vector<std::string> lines;
  std::vector<Local> locals;
  std::vector<bool> uses_input, uses_output;  // by argument
  bool uses_work = false;
  bool uses_status = false;
};

/// Turns instructions into statements. The common part of all languages is here; derived classes
/// define how statements and functions look.
class SourceWriter {
 public:
  /// `reserved`: names that the language's frame around the code uses.
  SourceWriter(const Program& program, const WriteOptions& options, symbolic::CodeSyntax syntax,
               std::span<const std::string_view> reserved);
  virtual ~SourceWriter() = default;
  SourceWriter(const SourceWriter&) = delete;
  SourceWriter& operator=(const SourceWriter&) = delete;

  std::string write();

 protected:
  using Precedence = symbolic::Precedence;
  struct Text {
    std::string text;
    Precedence precedence = Precedence::kAtom;
  };

  // To be defined by each language.
  virtual std::string assemble(const std::vector<ChunkText>& chunks) = 0;
  virtual std::string element(const std::string& array, int index) const = 0;
  virtual std::string output_element(int output, int index) const = 0;
  virtual std::string define(const std::string& name, bool is_condition,
                             const std::string& value) const = 0;
  virtual std::string assign(const std::string& target, const std::string& value) const = 0;
  /// Sines and cosines that are computed side by side. An empty name is an unused result.
  struct Row {
    std::vector<std::string> angles, sines, cosines;
  };
  virtual std::vector<std::string> define_row(const Row& row) = 0;
  /// The function of write_functions() that stands for atan; empty where the language has none.
  virtual std::string_view own_arctangent() const { return ""; }
  /// Whether the compiler evaluates functions of literals and rejects those without a value, such
  /// as log(-2), which may occur in a branch that is not taken.
  virtual bool refuses_functions_of_literals() const { return false; }
  /// `in_order`: all guards that were checked before have smaller numbers.
  virtual std::string check(const GuardedValue& guard, int number, const std::string& value,
                            bool in_order) const = 0;
  virtual std::string comment_mark() const = 0;
  static std::string function_name(const CallSite& site);

  const Program& program() const { return program_; }
  const ChunkPlan& plan() const { return plan_; }
  const symbolic::CodeSyntax& syntax() const { return syntax_; }
  symbolic::IdentifierTable& names() { return names_; }
  const std::string& name() const { return name_; }
  const std::string& input_name(int input) const { return input_names_[input]; }
  const std::string& output_name(int output) const { return output_names_[output]; }
  const std::string& work_name() const { return work_name_; }
  const std::string& status_name() const { return status_name_; }
  bool is_split() const { return plan_.chunk_count() > 1; }
  const std::string& part_name(int chunk) const { return part_names_[chunk]; }
  /// define_row() of C and C++: through arrays of `type`, by a function with template arguments.
  std::vector<std::string> define_row_in_arrays(const Row& row, const std::string& type,
                                                const std::string& arguments);
  /// Whether the text needs write_functions().
  bool has_own_functions() const { return has_own_functions_; }
  /// Recipe, count, arguments and guards as a comment.
  std::string head() const;
  /// start item, item, item end: broken between items into lines of at most 100 columns.
  std::string with_list(std::string_view start, const std::vector<std::string>& items,
                        std::string_view end, std::string_view indent) const;
  /// The parameters of a part of a split program in C and C++: with types in its definition,
  /// without in the call.
  std::vector<std::string> part_arguments(const ChunkText& chunk, const PartTypes* types) const;
  /// The user functions that are called: each function and order once, in the order of first use.
  std::vector<const CallSite*> distinct_calls() const;

 private:
  struct Store {
    int output, index;
  };

  void find_uses();
  void name_arguments();
  ChunkText write_chunk(int chunk);
  void write_value(int value, ChunkText* out);
  /// Writes the row of sines and cosines that starts at `first`; returns its end, which is `first`
  /// when there is none.
  int write_row(int first, int end, ChunkText* out);
  void finish_value(int value, const std::string& name, ChunkText* out);
  void write_free_values(ChunkText* out);
  void write_check(int guard, const std::string& value, ChunkText* out);
  bool may_inline(int value, const Text& text) const;
  /// Gives a name to the constants of an operation that has no other operands.
  void name_constants(const Instruction& in, ChunkText* out);
  std::string local_name(int value);
  Text binary(const Instruction& in, const char* sign, Precedence left, Precedence right,
              ChunkText* out);
  static std::string parenthesized(const Text& text, Precedence needed);
  Text expression(int value, ChunkText* out);
  Text operand(int value, ChunkText* out);
  std::string operand(int value, Precedence needed, ChunkText* out);
  Text filled(const symbolic::CodeSyntax::Pattern& pattern, const Instruction& in, ChunkText* out);

  Statements statements_;
  const Program& program_;  // of statements_
  ChunkPlan plan_;
  symbolic::CodeSyntax syntax_;
  symbolic::IdentifierTable names_;
  std::string name_, work_name_, status_name_;
  std::vector<std::string> input_names_, output_names_, part_names_;
  std::vector<std::pair<int, int>> place_of_input_;  // of a flat input: argument and entry
  std::vector<int> uses_;                            // as an operand
  std::vector<int> user_;                            // the last instruction that has it as operand
  std::vector<std::vector<Store>> stores_;
  std::vector<std::vector<int>> checks_;  // guards of each value
  std::vector<Text> texts_;               // of values: a name or an expression
  std::vector<int> texts_chunk_;          // the chunk in which texts_ is valid
  int chunk_ = 0;
  int next_temporary_ = 1;
  int last_checked_ = 0;
  bool has_own_functions_ = false;
};

}  // namespace camber::codegen::internal
