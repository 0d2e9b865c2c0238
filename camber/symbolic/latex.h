#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "camber/symbolic/expr.h"
#include "camber/symbolic/print.h"

namespace camber::symbolic {

/// The expression for LaTeX's math mode (amsmath): \frac{1}{2}\,m\,\dot{\theta}_{1}^{2}. Named
/// quantities stand as their names. Throws std::length_error when the text would exceed `max_size`.
std::string to_latex(const Expr& e, std::size_t max_size = kMaxTextSize);

/// x_1 looks like x1 unless its '_' is shown, as to_latex() does where both occur.
enum class FirstSeparator { kLeftOut, kShown };

/// A name as LaTeX shows it: theta1 -> \theta_{1}, omega_x -> \omega_{x}, F_front_left ->
/// F_{\mathrm{front},\mathrm{left}}, mass -> \mathit{mass}. `order` dots stand over the letter, not
/// over its index.
std::string latex_name(std::string_view name, int order = 0,
                       FirstSeparator first_separator = FirstSeparator::kLeftOut);

}  // namespace camber::symbolic
