#include "camber/codegen/source_writer.h"

#include <algorithm>

#include "camber/codegen/draft.h"
#include "camber/codegen/write_functions.h"
#include "camber/core/require.h"
#include "camber/symbolic/user_function.h"

namespace camber::codegen::internal {

using symbolic::Kind;

namespace {

// Longer expressions are hard to read; they get a name of their own.
constexpr std::size_t kMaxInlineSize = 60;
constexpr std::size_t kColumns = 100;

Kind kind_of(Op op) {
  switch (op) {
    case Op::kExp:
      return Kind::kExp;
    case Op::kLog:
      return Kind::kLog;
    case Op::kSin:
      return Kind::kSin;
    case Op::kCos:
      return Kind::kCos;
    case Op::kTan:
      return Kind::kTan;
    case Op::kAsin:
      return Kind::kAsin;
    case Op::kAcos:
      return Kind::kAcos;
    case Op::kAtan:
      return Kind::kAtan;
    case Op::kSinh:
      return Kind::kSinh;
    case Op::kCosh:
      return Kind::kCosh;
    case Op::kTanh:
      return Kind::kTanh;
    case Op::kAbs:
      return Kind::kAbs;
    case Op::kSign:
      return Kind::kSign;
    case Op::kAtan2:
      return Kind::kAtan2;
    case Op::kMin:
      return Kind::kMin;
    case Op::kMax:
      return Kind::kMax;
    case Op::kSelect:
      return Kind::kSelect;
    case Op::kTrue:
      return Kind::kTrue;
    case Op::kFalse:
      return Kind::kFalse;
    case Op::kLess:
      return Kind::kLess;
    case Op::kLessEqual:
      return Kind::kLessEqual;
    case Op::kEqual:
      return Kind::kEqual;
    case Op::kNot:
      return Kind::kNot;
    case Op::kAnd:
      return Kind::kAnd;
    case Op::kOr:
      return Kind::kOr;
    default:
      return Kind::kNumber;  // arithmetic, which has no pattern
  }
}

/// One line per line of `text`, nothing in it that could end the comment.
std::string as_comment(std::string_view text, const std::string& mark) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    std::replace_if(
        line.begin(), line.end(),
        [](char c) { return c == '\\' || static_cast<unsigned char>(c) < ' '; }, '/');
    // In C99 ??/ is a backslash, which at the end of a line would join it with the next.
    for (std::size_t at = 0; (at = line.find("?\?/", at)) != std::string::npos;) {
      line.insert(at + 1, " ");
    }
    result += concat(mark, line.empty() ? "" : " ", line, "\n");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace

SourceWriter::SourceWriter(const Program& program, const WriteOptions& options,
                           symbolic::CodeSyntax syntax, std::span<const std::string_view> reserved)
    : statements_(order_statements(program)),
      program_(statements_.program),
      plan_(program_, options.chunk_size),
      syntax_(std::move(syntax)),
      names_(syntax_.language()) {
  for (const std::string_view word : reserved) {
    names_.reserve(word);
  }
  for (const std::string_view word : kFunctionNames) {
    names_.reserve(word);
  }
  find_uses();
  name_arguments();
}

void SourceWriter::find_uses() {
  const auto code = program_.code();
  uses_.assign(code.size(), 0);
  user_.assign(code.size(), -1);
  stores_.resize(code.size());
  checks_.resize(code.size());
  texts_.resize(code.size());
  texts_chunk_.assign(code.size(), -1);
  for (int i = 0; i < static_cast<int>(code.size()); ++i) {
    for_each_operand(code[i], program_.calls(), [&](int operand) {
      ++uses_[operand];
      user_[operand] = i;
    });
  }
  for (int o = 0; o < static_cast<int>(program_.outputs().size()); ++o) {
    const auto& values = program_.outputs()[o].values;
    for (int i = 0; i < static_cast<int>(values.size()); ++i) {
      stores_[values[i]].push_back({o, i});
    }
  }
  for (int g = 0; g < static_cast<int>(program_.guards().size()); ++g) {
    checks_[program_.guards()[g].value].push_back(g);
  }
}

void SourceWriter::name_arguments() {
  for (const CallSite* site : distinct_calls()) {
    const std::string identifier = function_name(*site);
    require(names_.reserve(identifier), "write_source: program ", program_.name(), " calls \"",
            site->function->name(), "\", but \"", identifier, "\" means something else in ",
            symbolic::language_name(syntax_.language()));
  }
  name_ = names_.make(program_.name());
  for (int i = 0; i < static_cast<int>(program_.inputs().size()); ++i) {
    const Input& input = program_.inputs()[i];
    input_names_.push_back(input.is_array ? names_.make(input.name) : names_.of(input.leaves[0]));
    for (int k = 0; k < static_cast<int>(input.leaves.size()); ++k) {
      place_of_input_.emplace_back(i, k);
    }
  }
  for (const Output& output : program_.outputs()) {
    output_names_.push_back(names_.make(output.name));
  }
  status_name_ = names_.make("status");
  work_name_ = names_.make("work");
  for (int c = 0; is_split() && c < plan_.chunk_count(); ++c) {
    part_names_.push_back(names_.make(concat(program_.name(), "_part", c + 1)));
  }
}

std::string SourceWriter::function_name(const CallSite& site) {
  return symbolic::function_identifier(site.function->name(), site.orders);
}

std::string SourceWriter::write() {
  std::vector<ChunkText> chunks;
  chunks.reserve(plan_.chunk_count());
  for (int c = 0; c < plan_.chunk_count(); ++c) {
    chunks.push_back(write_chunk(c));
  }
  return assemble(chunks);
}

ChunkText SourceWriter::write_chunk(int chunk) {
  chunk_ = chunk;
  ChunkText out;
  out.uses_input.assign(program_.inputs().size(), false);
  out.uses_output.assign(program_.outputs().size(), false);
  const int end = plan_.first[chunk + 1];
  for (int i = plan_.first[chunk]; i < end;) {
    const int behind_row = write_row(i, end, &out);
    if (behind_row == i) {
      if (!is_free(program_.code()[i].op)) {
        write_value(i, &out);
      }
      ++i;
    } else {
      i = behind_row;
    }
  }
  if (chunk + 1 == plan_.chunk_count()) {
    write_free_values(&out);
  }
  return out;
}

void SourceWriter::write_value(int value, ChunkText* out) {
  const Text text = expression(value, out);
  texts_chunk_[value] = chunk_;
  if (may_inline(value, text)) {
    texts_[value] = text;
    return;
  }
  const bool is_condition = codegen::is_condition(program_.code()[value].op);
  const bool goes_to_one_output = uses_[value] == 0 && stores_[value].size() == 1 &&
                                  checks_[value].empty() && program_.value_name(value).empty();
  if (goes_to_one_output) {
    const auto [output, index] = stores_[value][0];
    out->uses_output[output] = true;
    out->lines.push_back(assign(output_element(output, index), text.text));
    return;
  }
  const std::string name = local_name(value);
  out->locals.push_back({name, is_condition});
  out->lines.push_back(define(name, is_condition, text.text));
  finish_value(value, name, out);
}

int SourceWriter::write_row(int first, int end, ChunkText* out) {
  const auto code = program_.code();
  int last = first;  // past the end of the row
  int angles = 0;
  for (; last < end && is_sine_or_cosine(code[last].op); ++last) {
    if (code[last].op == Op::kCosOfPair) {
      continue;
    }
    if (code[last].a >= first) {
      break;  // it waits for another of the row: the start of the next
    }
    ++angles;
  }
  if (angles == 0 || (angles == 1 && code[first].op != Op::kSinCos)) {
    return first;
  }
  Row row;
  std::vector<std::string> names;
  for (int i = first; i < last; ++i) {
    const Op op = code[i].op;
    names.push_back(local_name(i));
    out->locals.push_back({names.back(), false});
    if (op == Op::kCosOfPair) {
      row.cosines.back() = names.back();
    } else {
      row.angles.push_back(operand(code[i].a, Precedence::kLowest, out));
      row.sines.push_back(op == Op::kCos ? "" : names.back());
      row.cosines.push_back(op == Op::kCos ? names.back() : "");
    }
  }
  has_own_functions_ = true;
  for (const std::string& line : define_row(row)) {
    out->lines.push_back(line);
  }
  for (int i = first; i < last; ++i) {
    texts_chunk_[i] = chunk_;
    finish_value(i, names[i - first], out);
  }
  return last;
}

std::vector<std::string> SourceWriter::define_row_in_arrays(const Row& row, const std::string& type,
                                                            const std::string& arguments) {
  const std::string size = std::to_string(row.angles.size());
  const std::string angles = names_.make("angles");
  const std::string sines = names_.make("sines");
  const std::string cosines = names_.make("cosines");
  std::string list;
  for (const std::string& angle : row.angles) {
    list += (list.empty() ? "" : ", ") + angle;
  }
  std::vector<std::string> lines{
      concat("const ", type, " ", angles, "[", size, "] = {", list, "};"),
      concat(type, " ", sines, "[", size, "], ", cosines, "[", size, "];"),
      concat("sines_and_cosines", arguments, "(", size, ", ", angles, ", ", sines, ", ", cosines,
             ");")};
  for (const auto& [names, from] : {std::pair(&row.sines, &sines), {&row.cosines, &cosines}}) {
    for (int i = 0; i < static_cast<int>(names->size()); ++i) {
      if (!(*names)[i].empty()) {
        lines.push_back(define((*names)[i], false, element(*from, i)));
      }
    }
  }
  return lines;
}

/// Stores a value that now has a name where it is needed: outputs, guards, the workspace.
void SourceWriter::finish_value(int value, const std::string& name, ChunkText* out) {
  texts_[value] = {name, Precedence::kAtom};
  for (const auto& [output, index] : stores_[value]) {
    out->uses_output[output] = true;
    out->lines.push_back(assign(output_element(output, index), name));
  }
  for (const int guard : checks_[value]) {
    write_check(guard, name, out);
  }
  if (plan_.work_of_value[value] >= 0) {
    out->uses_work = true;
    std::string stored = name;
    if (codegen::is_condition(program_.code()[value].op)) {
      const std::string operands[] = {name, syntax_.literal(1.0), syntax_.literal(0.0)};
      stored = symbolic::CodeSyntax::fill(syntax_.pattern(Kind::kSelect), operands);
    }
    out->lines.push_back(assign(element(work_name_, plan_.work_of_value[value]), stored));
  }
}

/// Outputs and guards that are an input or a constant.
void SourceWriter::write_free_values(ChunkText* out) {
  for (int i = 0; i < static_cast<int>(program_.code().size()); ++i) {
    if (!is_free(program_.code()[i].op)) {
      continue;
    }
    for (const auto& [output, index] : stores_[i]) {
      out->uses_output[output] = true;
      out->lines.push_back(
          assign(output_element(output, index), operand(i, Precedence::kLowest, out)));
    }
    for (const int guard : checks_[i]) {
      write_check(guard, operand(i, Precedence::kSum, out), out);
    }
  }
}

void SourceWriter::write_check(int guard, const std::string& value, ChunkText* out) {
  out->uses_status = true;
  out->lines.push_back(
      check(program_.guards()[guard], guard + 1, value, guard + 1 > last_checked_));
  last_checked_ = std::max(last_checked_, guard + 1);
}

bool SourceWriter::may_inline(int value, const Text& text) const {
  return statements_.inlined[value] && plan_.chunk_of_value[user_[value]] == chunk_ &&
         text.text.size() <= kMaxInlineSize &&
         // A place of the workspace may be overwritten before the value is used.
         (!is_split() || text.text.find(work_name_) == std::string::npos);
}

std::string SourceWriter::local_name(int value) {
  const Instruction& in = program_.code()[value];
  const std::string& own = program_.value_name(value);
  if (!own.empty()) {
    return names_.make(own);
  }
  if (in.op == Op::kSin || in.op == Op::kSinCos || in.op == Op::kCos || in.op == Op::kCosOfPair) {
    const int angle = in.op == Op::kCosOfPair ? program_.code()[in.a].a : in.a;
    const std::string& angle_name = program_.value_name(angle);
    if (!angle_name.empty()) {
      const bool is_sine = in.op == Op::kSin || in.op == Op::kSinCos;
      return names_.make((is_sine ? "sin_" : "cos_") + angle_name);
    }
  }
  return names_.make(concat("t", next_temporary_++));
}

void SourceWriter::name_constants(const Instruction& in, ChunkText* out) {
  const auto code = program_.code();
  bool all = true;
  for_each_operand(in, program_.calls(),
                   [&](int value) { all = all && code[value].op == Op::kConstant; });
  if (!all) {
    return;
  }
  for_each_operand(in, program_.calls(), [&](int value) {
    if (texts_chunk_[value] != chunk_) {
      const std::string name = local_name(value);
      out->locals.push_back({name, false});
      out->lines.push_back(define(name, false, operand(value, Precedence::kLowest, out)));
      texts_[value] = {name};
      texts_chunk_[value] = chunk_;
    }
  });
}

SourceWriter::Text SourceWriter::operand(int value, ChunkText* out) {
  const Instruction& in = program_.code()[value];
  if (in.op == Op::kConstant) {
    if (texts_chunk_[value] == chunk_) {
      return texts_[value];
    }
    const Number& number = program_.constants()[in.index];
    return {syntax_.literal(number), syntax_.literal_precedence(number)};
  }
  if (in.op == Op::kInput) {
    const auto [input, entry] = place_of_input_[in.index];
    out->uses_input[input] = true;
    if (!program_.inputs()[input].is_array) {
      return {input_names_[input]};
    }
    if (texts_chunk_[value] != chunk_) {
      // One load per chunk, under the leaf's name; the same name in every chunk.
      const std::string& name = names_.of(program_.inputs()[input].leaves[entry]);
      out->locals.push_back({name, false});
      out->lines.push_back(define(name, false, element(input_names_[input], entry)));
      texts_[value] = {name};
      texts_chunk_[value] = chunk_;
    }
    return texts_[value];
  }
  if (is_free(in.op)) {
    return {syntax_.pattern(kind_of(in.op)).text};
  }
  if (texts_chunk_[value] == chunk_) {
    return texts_[value];
  }
  out->uses_work = true;
  const std::string stored = element(work_name_, plan_.work_of_value[value]);
  if (!codegen::is_condition(in.op)) {
    return {stored};
  }
  const std::string operands[] = {stored, syntax_.literal(0.0)};
  const auto unequal = syntax_.unequal_pattern();
  return {symbolic::CodeSyntax::fill(unequal, operands), unequal.result};
}

std::string SourceWriter::operand(int value, Precedence needed, ChunkText* out) {
  return parenthesized(operand(value, out), needed);
}

std::string SourceWriter::parenthesized(const Text& text, Precedence needed) {
  return text.precedence < needed ? concat("(", text.text, ")") : text.text;
}

SourceWriter::Text SourceWriter::filled(const symbolic::CodeSyntax::Pattern& pattern,
                                        const Instruction& in, ChunkText* out) {
  std::vector<std::string> operands;
  for (const int value : {in.a, in.b, in.c}) {
    if (value >= 0) {
      operands.push_back(operand(value, pattern.operand, out));
    }
  }
  return {symbolic::CodeSyntax::fill(pattern, operands), pattern.result};
}

/// a op b. A commutative one starts with the operand that would need parentheses on the right.
SourceWriter::Text SourceWriter::binary(const Instruction& in, const char* sign, Precedence left,
                                        Precedence right, ChunkText* out) {
  Text a = operand(in.a, out);
  Text b = operand(in.b, out);
  const bool is_commutative = in.op == Op::kAdd || in.op == Op::kMul;
  if (is_commutative && b.precedence == left && a.precedence >= right) {
    std::swap(a, b);
  }
  return {parenthesized(a, left) + sign + parenthesized(b, right), left};
}

SourceWriter::Text SourceWriter::expression(int value, ChunkText* out) {
  const Instruction& in = program_.code()[value];
  if (refuses_functions_of_literals()) {
    name_constants(in, out);
  }
  // Parentheses keep the order of evaluation: a + (b + c) is not a + b + c.
  switch (in.op) {
    case Op::kAdd:
    case Op::kSub:
      return binary(in, in.op == Op::kAdd ? " + " : " - ", Precedence::kSum, Precedence::kProduct,
                    out);
    case Op::kMul:
    case Op::kDiv:
      return binary(in, in.op == Op::kMul ? "*" : "/", Precedence::kProduct, Precedence::kPower,
                    out);
    case Op::kNeg:
      return {concat("-", operand(in.a, Precedence::kProduct, out)), Precedence::kSum};
    case Op::kSqrt:
      return filled(syntax_.sqrt_pattern(), in, out);
    case Op::kPow:
      return filled(syntax_.power_pattern(), in, out);
    case Op::kCall: {
      const CallSite& site = program_.calls()[in.index];
      std::string text = function_name(site) + "(";
      for (std::size_t i = 0; i < site.arguments.size(); ++i) {
        text += (i == 0 ? "" : ", ") + operand(site.arguments[i], Precedence::kLowest, out);
      }
      return {text + ")"};
    }
    case Op::kAtan:
      if (!own_arctangent().empty()) {
        has_own_functions_ = true;
        return {concat(own_arctangent(), "(", operand(in.a, Precedence::kLowest, out), ")")};
      }
      [[fallthrough]];
    default:
      return filled(syntax_.pattern(kind_of(in.op)), in, out);
  }
}

std::vector<std::string> SourceWriter::part_arguments(const ChunkText& chunk,
                                                      const PartTypes* types) const {
  std::vector<std::string> arguments;
  const auto add = [&](std::string_view PartTypes::*type, const std::string& argument) {
    arguments.push_back(concat(types != nullptr ? types->*type : "", argument));
  };
  for (int i = 0; i < static_cast<int>(program().inputs().size()); ++i) {
    const bool is_array = program().inputs()[i].is_array;
    if (chunk.uses_input[i]) {
      add(is_array ? &PartTypes::array_input : &PartTypes::scalar_input, input_name(i));
    }
  }
  for (int o = 0; o < static_cast<int>(program().outputs().size()); ++o) {
    if (chunk.uses_output[o]) {
      add(&PartTypes::output, output_name(o));
    }
  }
  if (chunk.uses_work) {
    add(&PartTypes::output, work_name());
  }
  if (chunk.uses_status) {
    add(&PartTypes::status, concat(types != nullptr ? "" : "&", status_name()));
  }
  return arguments;
}

std::string SourceWriter::with_list(std::string_view start, const std::vector<std::string>& items,
                                    std::string_view end, std::string_view indent) const {
  const std::string_view mark = syntax_.language() == Language::kFortran ? " &" : "";
  std::string text(start);
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool is_last = i + 1 == items.size();
    const std::string item = concat(items[i], is_last ? end : ",");
    if (i > 0 && text.size() - line_start + item.size() + 1 + mark.size() > kColumns) {
      text += concat(mark, "\n");
      line_start = text.size();
      text += indent;
    } else if (i > 0) {
      text += ' ';
    }
    text += item;
  }
  return items.empty() ? concat(start, end) : text;
}

std::vector<const CallSite*> SourceWriter::distinct_calls() const {
  std::vector<const CallSite*> distinct;
  for (const CallSite& site : program_.calls()) {
    const bool is_known = std::any_of(distinct.begin(), distinct.end(), [&](const CallSite* d) {
      return d->function == site.function && d->orders == site.orders;
    });
    if (!is_known) {
      distinct.push_back(&site);
    }
  }
  return distinct;
}

std::string SourceWriter::head() const {
  std::string text = concat(name_, ": written by camber's codegen, not by hand.\n");
  if (!program_.recipe().empty()) {
    text += concat("From ", program_.recipe(), "\n");
  }
  text += concat(program_.count().total(), " operations: ", program_.count().to_string(), ".\n");
  if (is_split()) {
    text += concat("In ", plan_.chunk_count(), " parts that share ", plan_.work_size, " values.\n");
  }
  text += "\nInputs\n";
  for (int i = 0; i < static_cast<int>(program_.inputs().size()); ++i) {
    const Input& input = program_.inputs()[i];
    text += concat("  ", input_names_[i]);
    if (input.is_array) {
      text += concat("(", input.leaves.size(), "):");
      for (const Expr& leaf : input.leaves) {
        text += concat(" ", leaf.to_string());
      }
    } else if (input.leaves[0].to_string() != input_names_[i]) {
      text += concat(": ", input.leaves[0].to_string());
    }
    text += "\n";
  }
  text += "Outputs\n";
  for (int o = 0; o < static_cast<int>(program_.outputs().size()); ++o) {
    const Output& output = program_.outputs()[o];
    text += concat("  ", output_names_[o]);
    if (output.shape == Output::Shape::kVector) {
      text += concat("(", output.rows, ")");
    } else if (output.shape == Output::Shape::kMatrix) {
      text += concat("(", output.rows, ", ", output.cols, "), column by column");
    }
    text += "\n";
  }
  text += "Status: 0 ok";
  for (int g = 0; g < static_cast<int>(program_.guards().size()); ++g) {
    const GuardedValue& guard = program_.guards()[g];
    text += concat("; ", g + 1, ": ", guard.name,
                   guard.kind == Guard::kPositive ? " is not > 0" : " is 0");
  }
  return as_comment(text + ". Outputs must not overlap inputs.", comment_mark());
}

}  // namespace camber::codegen::internal
