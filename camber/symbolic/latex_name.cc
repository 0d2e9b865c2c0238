#include <algorithm>
#include <array>
#include <cctype>

#include "camber/core/require.h"
#include "camber/symbolic/latex.h"

namespace camber::symbolic {
namespace {

// The letters for which LaTeX has a command; the other capitals look like Latin ones.
constexpr std::array<std::string_view, 39> kGreek = {
    "alpha",  "beta",     "gamma", "delta",  "epsilon", "varepsilon", "zeta",  "eta",
    "theta",  "vartheta", "iota",  "kappa",  "lambda",  "mu",         "nu",    "xi",
    "pi",     "varpi",    "rho",   "varrho", "sigma",   "varsigma",   "tau",   "upsilon",
    "phi",    "varphi",   "chi",   "psi",    "omega",   "Gamma",      "Delta", "Theta",
    "Lambda", "Xi",       "Pi",    "Sigma",  "Phi",     "Psi",        "Omega"};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_greek(std::string_view word) {
  return std::find(kGreek.begin(), kGreek.end(), word) != kGreek.end();
}

/// One word: a letter as it is, Greek as its command, longer ones in one piece in the given font.
std::string word(std::string_view text, const char* font) {
  if (is_greek(text)) return concat("\\", text);
  if (text.size() == 1 || std::all_of(text.begin(), text.end(), is_digit)) return std::string(text);
  return concat("\\", font, "{", text, "}");
}

/// The head of a name. A leading '_' is kept: alone, it would start an index.
std::string head_text(std::string_view head) {
  if (!head.starts_with('_')) return word(head, "mathit");
  std::string text;
  for (const char c : head) text += c == '_' ? "\\_" : std::string(1, c);
  return concat("\\mathit{", text, "}");
}

std::string with_dots(const std::string& letter, int order) {
  if (order == 0 || order > 3) return letter;
  return concat("\\", std::string(static_cast<std::size_t>(order), 'd'), "ot{", letter, "}");
}

}  // namespace

// A name is a head with digits, then words, each after '_' or '.': x12_front.left. All but the
// head's letters are its index: digits, then the words, after a comma for '_' and a point for '.'.
// A separator that begins the index is left out, unless nothing follows or it is asked for.
std::string latex_name(std::string_view name, int order, FirstSeparator first_separator) {
  const std::size_t start = std::min(name.find_first_not_of("_."), name.size());
  const std::string_view first = name.substr(0, name.find_first_of("_.", start));
  const std::size_t letters = first.find_last_not_of("0123456789") + 1;
  std::string index(first.substr(letters));
  for (std::string_view rest = name.substr(first.size()); !rest.empty();) {
    const char separator = rest[0];
    const std::string_view text = rest.substr(1, rest.find_first_of("_.", 1) - 1);
    rest.remove_prefix(1 + text.size());
    const bool begins = index.empty();
    const bool shows = text.empty() || (begins && first_separator == FirstSeparator::kShown);
    if (separator == '.') {
      if (!begins || shows) index += '.';
    } else {
      if (!begins) index += ',';
      if (shows) index += "\\_";
    }
    if (!text.empty()) index += word(text, "mathrm");
  }
  std::string result = with_dots(head_text(first.substr(0, letters)), order);
  if (!index.empty()) result += concat("_{", index, "}");
  if (order > 3) result += concat("^{(", order, ")}");
  return result;
}

}  // namespace camber::symbolic
