#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "camber/tire/magic_formula.h"

namespace camber::tire {

/// A tire property file (.tir) of the Magic Formula, version 5.2 or 6.1.
struct TirFile {
  MagicFormulaTire tire;  // in SI units and rad
  enum class Side { kLeft, kRight, kSymmetric };
  Side side = Side::kLeft;           // that the data are for; mirror() gives the other one
  std::vector<std::string> ignored;  // keys that camber has no use for, as "SECTION.KEY", in order
  std::vector<std::string> missing;  // sizes and coefficients that have their defaults
};

/// Line ends may be LF, CRLF or CR; `$` and `!` begin comments; quotes are single or double; keys
/// are known in any section, units in [UNITS], in upper or lower case; sizes come in these units.
/// Throws ModelFileError with every mistake: text that is not a number, an unknown unit, a version that is
/// neither, a value that no tire has.
TirFile load_tir(const std::string& path);
/// The same for text in memory; `file` is the name that messages show.
TirFile parse_tir(std::string_view text, const std::string& file);

}  // namespace camber::tire
