#include "camber/core/diagnostics.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "camber/core/require.h"

namespace camber {
namespace {

std::string join_lines(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += to_text(diagnostic);
  }
  return text;
}

auto sort_key(const Diagnostic& d) {
  return std::tie(d.where.file, d.where.line, d.where.column, d.where.key, d.severity, d.text);
}

}  // namespace

std::string to_text(const Position& where) {
  std::string text = where.file;
  if (where.line > 0) text += concat(':', where.line);
  if (where.line > 0 && where.column > 0) text += concat(':', where.column);
  if (!where.key.empty()) text += concat(text.empty() ? "" : ": ", where.key);
  return text;
}

std::string to_text(const Diagnostic& diagnostic) {
  const std::string where = to_text(diagnostic.where);
  return concat(where, where.empty() ? "" : ": ",
                diagnostic.severity == Severity::kWarning ? "warning: " : "", diagnostic.text);
}

ModelFileError::ModelFileError(Position where, std::string text)
    : ModelFileError(
          std::vector<Diagnostic>{{Severity::kError, std::move(where), std::move(text)}}) {}

ModelFileError::ModelFileError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(join_lines(diagnostics)), diagnostics_(std::move(diagnostics)) {}

void Diagnostics::error(Position where, std::string_view text) {
  ++error_count_;
  add(Severity::kError, std::move(where), text);
}

void Diagnostics::warning(Position where, std::string_view text) {
  ++warning_count_;
  add(Severity::kWarning, std::move(where), text);
}

void Diagnostics::add(Severity severity, Position where, std::string_view text) {
  if (kept_.size() < kMaxKept) kept_.push_back({severity, std::move(where), std::string(text)});
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = kept_;
  std::sort(result.begin(), result.end(),
            [](const auto& a, const auto& b) { return sort_key(a) < sort_key(b); });
  const auto end = std::unique(result.begin(), result.end(), [](const auto& a, const auto& b) {
    return sort_key(a) == sort_key(b);
  });
  result.erase(end, result.end());

  const std::size_t beyond = error_count_ + warning_count_ - kept_.size();
  if (beyond > 0) {
    const Severity severity = error_count_ > 0 ? Severity::kError : Severity::kWarning;
    result.push_back({severity, {kept_.front().where.file}, concat("and ", beyond, " more")});
  }
  return result;
}

void Diagnostics::throw_if_any() const {
  if (error_count_ > 0) throw ModelFileError(sorted());
}

}  // namespace camber
