#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

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

/// "q", "1", "front" of "q_1.front"; without empty parts.
std::vector<std::string_view> split_name(std::string_view name) {
  std::vector<std::string_view> parts;
  while (!name.empty()) {
    const auto end = std::min(name.find_first_of("_."), name.size());
    if (end > 0) parts.push_back(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return parts;
}

/// One word: a letter as it is, Greek as its command, longer ones in one piece in the given font.
std::string word(std::string_view text, const char* font) {
  if (is_greek(text)) return concat("\\", text);
  if (text.size() == 1 || std::all_of(text.begin(), text.end(), is_digit)) return std::string(text);
  return concat("\\", font, "{", text, "}");
}

std::string with_dots(const std::string& letter, int order) {
  if (order == 0 || order > 3) return letter;
  return concat("\\", std::string(static_cast<std::size_t>(order), 'd'), "ot{", letter, "}");
}

}  // namespace

std::string latex_name(std::string_view name, int order) {
  std::vector<std::string_view> parts = split_name(name);
  if (parts.empty()) parts.push_back("\\_");  // a name of '_' alone
  // theta1 is \theta_1, x12 is x_12: trailing digits are an index, unless they are all there is.
  std::string_view head = parts[0];
  const std::size_t letters = head.find_last_not_of("0123456789") + 1;
  if (letters > 0 && letters < head.size()) {
    parts.insert(parts.begin() + 1, head.substr(letters));
    head = head.substr(0, letters);
  }
  std::string result = with_dots(word(head, "mathit"), order);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    result += i == 1 ? "_{" : ",";
    result += word(parts[i], "mathrm");
  }
  if (parts.size() > 1) result += "}";
  if (order > 3) result += concat("^{(", order, ")}");
  return result;
}

}  // namespace camber::symbolic
