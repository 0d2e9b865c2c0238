// Tables in generated code. A cell's polynomial (symbolic/table_function.h) is differentiated here,
// so that the written function only finds the cell and runs Horner's scheme. The C++ form also
// takes scalars that hold many numbers: those choose among all cells by select().

#include "camber/codegen/write_tables.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "camber/core/require.h"
#include "camber/symbolic/table_function.h"

namespace camber::codegen::internal {
namespace {

using symbolic::CodeSyntax;
using symbolic::Language;
using symbolic::TableFunction;

constexpr std::array kAxis = {"x", "y"};

/// The polynomials of one partial derivative of a table.
struct CellPolynomials {
  explicit CellPolynomials(const CallSite& site)
      : table(dynamic_cast<const TableFunction&>(*site.function)), orders(site.orders) {
    const int degree = table.interpolation() == symbolic::Interpolation::kLinear ? 1 : 3;
    for (const int order : orders) {
      powers.push_back(degree + 1 - order);
    }
    constexpr std::size_t kPowers = TableFunction::kPowers;
    const bool is_surface = orders.size() == 2;
    const auto all = table.coefficients();
    const std::size_t stride = is_surface ? kPowers * kPowers : kPowers;
    for (std::size_t cell = 0; cell * stride < all.size(); ++cell) {
      std::vector<double> c;
      for (int a = 0; a < powers[0]; ++a) {
        for (int b = 0; b < (is_surface ? powers[1] : 1); ++b) {
          const int from_a = a + orders[0];
          const int from_b = is_surface ? b + orders[1] : 0;
          const std::size_t along = static_cast<std::size_t>(from_a);
          const std::size_t at =
              cell * stride +
              (is_surface ? kPowers * along + static_cast<std::size_t>(from_b) : along);
          c.push_back(all[at] * falling_factorial(from_a, orders[0]) *
                      (is_surface ? falling_factorial(from_b, orders[1]) : 1.0));
        }
      }
      cells.push_back(std::move(c));
    }
  }

  static double falling_factorial(int n, int k) {
    double product = 1;
    for (int i = 0; i < k; ++i) {
      product *= n - i;
    }
    return product;
  }

  int axes() const { return static_cast<int>(orders.size()); }
  int coefficients() const { return static_cast<int>(cells[0].size()); }

  const TableFunction& table;
  std::vector<int> orders;
  std::vector<int> powers;                 // along each axis
  std::vector<std::vector<double>> cells;  // coefficients
};

/// c(0) + u*(c(1) + u*(c(2) + ...)).
template <class Coefficient>
std::string horner(int powers, const std::string& u, const Coefficient& c) {
  std::string text = c(powers - 1);
  for (int a = powers - 2; a >= 0; --a) {
    const bool is_one_term = a == powers - 2;
    text = concat(c(a), " + ", u, is_one_term ? "*" : "*(", text, is_one_term ? "" : ")");
  }
  return text;
}

template <class Coefficient>
std::string polynomial(const CellPolynomials& p, const Coefficient& c) {
  if (p.axes() == 1) {
    return horner(p.powers[0], "u_x", c);
  }
  return horner(p.powers[0], "u_x", [&](int a) {
    return concat("(", horner(p.powers[1], "u_y", [&](int b) { return c(p.powers[1] * a + b); }),
                  ")");
  });
}

std::string list(std::span<const double> values, const CodeSyntax& syntax) {
  std::string text;
  for (const double value : values) {
    text += (text.empty() ? "" : ", ") + syntax.literal(value);
  }
  return text;
}

std::string line(const std::string& statement, Language language, const std::string& indent) {
  return symbolic::wrap_statement(indent + statement, language, indent + "    ") + "\n";
}

/// The grids and the coefficients as constant arrays of a C or C++ function.
std::string c_arrays(const CellPolynomials& p, Language language) {
  const CodeSyntax syntax(language);
  const std::string indent = language == Language::kC99 ? "    " : "  ";
  const std::string type =
      language == Language::kC99 ? "static const double " : "static constexpr double ";
  std::string text;
  for (int axis = 0; axis < p.axes(); ++axis) {
    const auto grid = p.table.grid(axis);
    text += line(
        concat(type, "grid_", kAxis[axis], "[", grid.size(), "] = {", list(grid, syntax), "};"),
        language, indent);
  }
  text += concat(indent, type, "c[", p.cells.size(), "][", p.coefficients(), "] = {\n");
  for (const auto& cell : p.cells) {
    text += line(concat("{", list(cell, syntax), "},"), language, indent + "    ");
  }
  return text + indent + "};\n";
}

std::string c_scalar_body(const CellPolynomials& p, const std::string& search,
                          const std::string& indent, const std::string& nan_test) {
  std::string text;
  for (int axis = 0; axis < p.axes(); ++axis) {
    text += concat(indent, "if (", nan_test, "(", kAxis[axis], ")) return ", kAxis[axis], ";\n");
  }
  for (int axis = 0; axis < p.axes(); ++axis) {
    const std::string x = kAxis[axis];
    const std::size_t last = p.table.grid(axis).size() - 1;
    const std::string low = concat("grid_", x, "[0]");
    const std::string high = concat("grid_", x, "[", last, "]");
    if (p.orders[axis] > 0) {
      text += concat(indent, "if (", x, " < ", low, " || ", x, " > ", high, ") return 0.0;\n");
    }
    text += concat(indent, "const double in_", x, " = ", x, " < ", low, " ? ", low, " : (", x,
                   " > ", high, " ? ", high, " : ", x, ");\n");
    text += concat(indent, "const int cell_", x, " = ", search, "(grid_", x, ", ", last + 1,
                   ", in_", x, ");\n");
    if (p.powers[axis] > 1) {
      text += concat(indent, "const double u_", x, " = in_", x, " - grid_", x, "[cell_", x, "];\n");
    }
  }
  const std::string cell =
      p.axes() == 1 ? "cell_x" : concat("cell_x*", p.table.grid(1).size() - 1, " + cell_y");
  text += concat(indent, "const double *k = c[", cell, "];\n");
  return text +
         symbolic::wrap_statement(
             concat(indent, "return ", polynomial(p, [](int i) { return concat("k[", i, "]"); }),
                    ";"),
             Language::kC99, indent + "    ") +
         "\n";
}

std::string cpp_lanes_body(const CellPolynomials& p) {
  const std::string indent = "    ";
  std::string text;
  for (int axis = 0; axis < p.axes(); ++axis) {
    const std::string x = kAxis[axis];
    const std::string low = concat("T(grid_", x, "[0])");
    const std::string high = concat("T(grid_", x, "[", p.table.grid(axis).size() - 1, "])");
    text += concat(indent, "const T in_", x, " = select(", x, " < ", low, ", ", low, ", select(", x,
                   " > ", high, ", ", high, ", ", x, "));\n");
    text += concat(indent, "T low_", x, " = ", low, ";\n");
  }
  text += concat(indent, "T k[", p.coefficients(), "];\n", indent, "for (int i = 0; i < ",
                 p.coefficients(), "; ++i) k[i] = T(c[0][i]);\n");
  const std::size_t rows = p.table.grid(0).size() - 1;
  const std::size_t cols = p.axes() == 2 ? p.table.grid(1).size() - 1 : 1;
  // Row by row, column by column: the last cell whose lower corner is not above the point wins.
  text += concat(indent, "for (int i = 0; i < ", rows, "; ++i) {\n", indent,
                 "  for (int j = 0; j < ", cols, "; ++j) {\n");
  const std::string inner = indent + "    ";
  text += concat(inner, "const auto below_x = in_x < T(grid_x[i]);\n");
  if (p.axes() == 2) {
    text += concat(inner, "const auto below_y = in_y < T(grid_y[j]);\n");
  }
  const auto choose = [&](const std::string& target, const std::string& value) {
    const std::string chosen =
        p.axes() == 2 ? concat("select(below_y, ", target, ", ", value, ")") : value;
    return concat(target, " = select(below_x, ", target, ", ", chosen, ");\n");
  };
  text += concat(inner, choose("low_x", "T(grid_x[i])"));
  if (p.axes() == 2) {
    text += concat(inner, choose("low_y", "T(grid_y[j])"));
  }
  text += concat(inner, "for (int a = 0; a < ", p.coefficients(), "; ++a) ",
                 choose("k[a]", concat("T(c[i*", cols, " + j][a])")));
  text += concat(indent, "  }\n", indent, "}\n");
  for (int axis = 0; axis < p.axes(); ++axis) {
    const std::string x = kAxis[axis];
    if (p.powers[axis] > 1) {
      text += concat(indent, "const T u_", x, " = in_", x, " - low_", x, ";\n");
    }
  }
  text += symbolic::wrap_statement(
              concat(indent,
                     "T value = ", polynomial(p, [](int i) { return concat("k[", i, "]"); }), ";"),
              Language::kCpp, indent + "    ") +
          "\n";
  for (int axis = 0; axis < p.axes(); ++axis) {
    const std::string x = kAxis[axis];
    if (p.orders[axis] > 0) {
      text += concat(indent, "value = select(in_", x, " == ", x, ", value, T(0.0));\n");
    }
  }
  for (int axis = 0; axis < p.axes(); ++axis) {
    const std::string x = kAxis[axis];
    text += concat(indent, "value = select(", x, " == ", x, ", value, ", x, ");  // NaN\n");
  }
  return text + indent + "return value;\n";
}

std::string write_c_table(const CellPolynomials& p, const std::string& name,
                          const std::string& search) {
  return concat("static double ", name, p.axes() == 1 ? "(double x)" : "(double x, double y)",
                "\n{\n", c_arrays(p, Language::kC99), c_scalar_body(p, search, "    ", "isnan"),
                "}\n");
}

std::string write_cpp_table(const CellPolynomials& p, const std::string& name,
                            const std::string& search) {
  return concat("template <class T>\nT ", name,
                p.axes() == 1 ? "(const T& x)" : "(const T& x, const T& y)", " {\n",
                c_arrays(p, Language::kCpp), "  if constexpr (std::is_floating_point_v<T>) {\n",
                c_scalar_body(p, search, "    ", "std::isnan"), "  } else {\n", cpp_lanes_body(p),
                "  }\n}\n");
}

std::string write_fortran_table(const CellPolynomials& p, const std::string& name,
                                const std::string& search) {
  const std::string arguments = p.axes() == 1 ? "x" : "x, y";
  std::string text = concat("  function ", name, "(", arguments, ") result(value)\n",
                            "    real(c_double), intent(in) :: ", arguments, "\n",
                            "    real(c_double) :: value\n");
  for (int axis = 0; axis < p.axes(); ++axis) {
    const std::string x = kAxis[axis];
    text += concat("    real(c_double) :: in_", x, p.powers[axis] > 1 ? concat(", u_", x) : "",
                   "\n    integer :: cell_", x, "\n");
  }
  if (p.axes() == 2) {
    text += "    integer :: cell\n";
  }
  for (int axis = 0; axis < p.axes(); ++axis) {
    const std::string x = kAxis[axis];
    text += concat("    if (ieee_is_nan(", x, ")) then\n      value = ", x,
                   "\n      return\n    end if\n");
  }
  for (int axis = 0; axis < p.axes(); ++axis) {
    const std::string x = kAxis[axis];
    const std::string grid = concat(name, "_grid_", x);
    const std::size_t size = p.table.grid(axis).size();
    text += concat("    in_", x, " = min(max(", x, ", ", grid, "(1)), ", grid, "(", size, "))\n");
    if (p.orders[axis] > 0) {
      text += concat("    if (", x, " < ", grid, "(1) .or. ", x, " > ", grid, "(", size,
                     ")) then\n      value = 0.0d0\n      return\n    end if\n");
    }
    text += concat("    cell_", x, " = ", search, "(", grid, ", in_", x, ")\n");
    if (p.powers[axis] > 1) {
      text += concat("    u_", x, " = in_", x, " - ", grid, "(cell_", x, ")\n");
    }
  }
  std::string cell = "cell_x";
  if (p.axes() == 2) {
    cell = "cell";
    text += concat("    cell = (cell_x - 1)*", p.table.grid(1).size() - 1, " + cell_y\n");
  }
  text += line(
      concat("value = ",
             polynomial(p, [&](int i) { return concat(name, "_c(", i + 1, ", ", cell, ")"); })),
      Language::kFortran, "    ");
  return text + "  end function " + name + "\n";
}

}  // namespace

bool is_table(const CallSite& site) {
  return dynamic_cast<const TableFunction*>(site.function) != nullptr;
}

std::string write_cell_search(const std::string& search, Language language) {
  if (language == Language::kFortran) {
    return concat("  function ", search, "(grid, x) result(low)\n",
                  "    real(c_double), intent(in) :: grid(:), x\n",
                  "    integer :: low, high, middle\n    low = 1\n    high = size(grid)\n",
                  "    do while (high - low > 1)\n      middle = (low + high)/2\n",
                  "      if (x < grid(middle)) then\n        high = middle\n      else\n",
                  "        low = middle\n      end if\n    end do\n  end function ", search, "\n");
  }
  return concat(language == Language::kC99 ? "static int " : "inline int ", search,
                "(const double *grid, int size, double x)\n{\n    int low = 0, high = size - 1;\n",
                "    while (high - low > 1) {\n        const int middle = (low + high) / 2;\n",
                "        if (x < grid[middle]) high = middle; else low = middle;\n    }\n",
                "    return low;\n}\n");
}

std::string write_table(const CallSite& site, const std::string& name, const std::string& search,
                        Language language) {
  const CellPolynomials p(site);
  switch (language) {
    case Language::kC99:
      return write_c_table(p, name, search);
    case Language::kCpp:
      return write_cpp_table(p, name, search);
    case Language::kFortran:
      return write_fortran_table(p, name, search);
  }
  return "";
}

std::string write_fortran_table_data(const CallSite& site, const std::string& name) {
  const CellPolynomials p(site);
  const CodeSyntax syntax(Language::kFortran);
  std::string text;
  // By data statements: one array constructor would exceed Fortran's 255 continuation lines.
  const auto data = [&](const std::string& target, std::span<const double> values) {
    text +=
        line(concat("data ", target, " / ", list(values, syntax), " /"), Language::kFortran, "  ");
  };
  constexpr std::size_t kPerStatement = 64;
  for (int axis = 0; axis < p.axes(); ++axis) {
    const auto grid = p.table.grid(axis);
    const std::string array = concat(name, "_grid_", kAxis[axis]);
    text += concat("  real(c_double), save :: ", array, "(", grid.size(), ")\n");
    for (std::size_t i = 0; i < grid.size(); i += kPerStatement) {
      const std::size_t count = std::min(kPerStatement, grid.size() - i);
      data(concat(array, "(", i + 1, ":", i + count, ")"), grid.subspan(i, count));
    }
  }
  text += concat("  real(c_double), save :: ", name, "_c(", p.coefficients(), ", ", p.cells.size(),
                 ")\n");
  for (std::size_t cell = 0; cell < p.cells.size(); ++cell) {
    data(concat(name, "_c(:, ", cell + 1, ")"), p.cells[cell]);
  }
  return text;
}

std::string declare_code(const CallSite& site, const std::string& name, Language language) {
  std::string list;
  if (language == Language::kFortran) {
    for (std::size_t i = 0; i < site.arguments.size(); ++i) {
      list += concat(i == 0 ? "" : ", ", "x", i + 1);
    }
    return concat("  interface\n    function ", name, "(", list, ") result(value) bind(c, name=\"",
                  name, "\")\n      import :: c_double\n      real(c_double), value :: ", list,
                  "\n      real(c_double) :: value\n    end function ", name,
                  "\n  end interface\n");
  }
  for (std::size_t i = 0; i < site.arguments.size(); ++i) {
    list += i == 0 ? "double" : ", double";
  }
  return concat(language == Language::kCpp ? "extern \"C\" double " : "extern double ", name, "(",
                list, ");\n");
}

}  // namespace camber::codegen::internal
