// Expressions: operators in all orders, functions, derivatives, rewriting, text.

#include "python/src/expressions.h"

#include <pybind11/stl.h>

#include "camber/core/require.h"
#include "camber/symbolic/count.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/expand.h"
#include "camber/symbolic/latex.h"
#include "camber/symbolic/parse.h"
#include "camber/symbolic/print.h"
#include "camber/symbolic/simplify.h"

namespace camber::python {

using symbolic::Condition;
using symbolic::Expr;

std::optional<Expr> try_expr(const py::handle& given) {
  if (py::isinstance<Expr>(given)) return given.cast<Expr>();
  if (PyBool_Check(given.ptr())) return {};
  if (PyLong_Check(given.ptr())) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(given.ptr(), &overflow);
    // A whole number of any size is exact: as text.
    return overflow == 0 ? Expr(value) : symbolic::parse(py::str(given).cast<std::string>());
  }
  if (PyFloat_Check(given.ptr())) return Expr(PyFloat_AS_DOUBLE(given.ptr()));
  // NumPy's scalars; its arrays take the operation over themselves.
  if (!py::hasattr(given, "ndim") || given.attr("ndim").cast<int>() != 0) return {};
  return try_expr(given.attr("item")());
}

Expr to_expr(const py::handle& given) {
  if (const auto found = try_expr(given)) return *found;
  throw py::type_error("expected an expression or a number, got " +
                       py::repr(py::type::handle_of(given)).cast<std::string>());
}

std::vector<Expr> to_exprs(const py::iterable& given) {
  std::vector<Expr> list;
  for (const py::handle one : given) list.push_back(to_expr(one));
  return list;
}

symbolic::Substitution to_substitution(const py::dict& given) {
  symbolic::Substitution result;
  for (const auto& [key, value] : given) {
    const Expr leaf =
        py::isinstance<py::str>(key) ? symbolic::symbol(key.cast<std::string>()) : to_expr(key);
    require(leaf.is_leaf(), "only symbols and variables have values, not ", leaf.to_string());
    result.insert_or_assign(leaf, to_expr(value));
  }
  return result;
}

namespace {

/// The result, or NotImplemented so that the other operand may try.
template <class F>
py::object with(const py::handle& other, const F& f) {
  const auto b = try_expr(other);
  if (!b) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
  return py::cast(f(*b));
}

/// Keys by name are symbols, or variables where the expression has those.
symbolic::Bindings to_bindings(std::span<const Expr> es, const py::dict& given) {
  symbolic::Bindings bindings;
  for (const auto& [key, value] : given) {
    const double number = value.cast<double>();
    if (!py::isinstance<py::str>(key)) {
      bindings.insert_or_assign(to_expr(key), number);
      continue;
    }
    std::string name = key.cast<std::string>();
    for (const Expr& e : es)
      for (const Expr& leaf : e.leaves())
        if (leaf.to_string() == name) bindings.insert_or_assign(leaf, number);
  }
  return bindings;
}

void bind_operators(py::class_<Expr>* type) {
  const auto both = [&](const char* name, const char* reversed, auto f) {
    type->def(
        name,
        [f](const Expr& a, const py::object& b) {
          return with(b, [&](const Expr& x) { return f(a, x); });
        },
        py::is_operator());
    type->def(
        reversed,
        [f](const Expr& a, const py::object& b) {
          return with(b, [&](const Expr& x) { return f(x, a); });
        },
        py::is_operator());
  };
  both("__add__", "__radd__", [](const Expr& a, const Expr& b) { return a + b; });
  both("__sub__", "__rsub__", [](const Expr& a, const Expr& b) { return a - b; });
  both("__mul__", "__rmul__", [](const Expr& a, const Expr& b) { return a * b; });
  both("__truediv__", "__rtruediv__", [](const Expr& a, const Expr& b) { return a / b; });
  both("__pow__", "__rpow__", [](const Expr& a, const Expr& b) { return symbolic::pow(a, b); });
  type->def("__neg__", [](const Expr& a) { return -a; });
  type->def("__pos__", [](const Expr& a) { return a; });
  type->def("__abs__", [](const Expr& a) { return symbolic::abs(a); });
  const auto compare = [&](const char* name, auto f) {
    type->def(
        name,
        [f](const Expr& a, const py::object& b) {
          return with(b, [&](const Expr& x) { return f(a, x); });
        },
        py::is_operator());
  };
  compare("__lt__", [](const Expr& a, const Expr& b) { return a < b; });
  compare("__le__", [](const Expr& a, const Expr& b) { return a <= b; });
  compare("__gt__", [](const Expr& a, const Expr& b) { return a > b; });
  compare("__ge__", [](const Expr& a, const Expr& b) { return a >= b; });
  // The same expression: equal nodes are one node, whichever wrappers hold them.
  compare("__eq__", [](const Expr& a, const Expr& b) { return a == b; });
  compare("__ne__", [](const Expr& a, const Expr& b) { return !(a == b); });
  type->def("__hash__", [](const Expr& a) { return a.hash(); });
}

/// Text alone does not tell variables from symbols, nor what named quantities stand for.
py::tuple write_state(const Expr& e) {
  std::vector<std::string> variables;
  for (const Expr& leaf : e.leaves())
    if (leaf.kind() == symbolic::Kind::kVariable) variables.emplace_back(leaf.name());
  std::vector<std::pair<std::string, std::string>> definitions;
  for (const Expr& named : symbolic::definitions_of(e))
    definitions.emplace_back(named.name(), named.definition().to_string());
  return py::make_tuple(e.to_string(), variables, definitions);
}

Expr read_state(const py::tuple& state) {
  auto vocabulary = symbolic::Vocabulary::free();
  for (const auto& name : state[1].cast<std::vector<std::string>>()) vocabulary.add_variable(name);
  for (const auto& [name, text] : state[2].cast<std::vector<std::pair<std::string, std::string>>>())
    vocabulary.define(name, symbolic::parse(text, vocabulary));
  return symbolic::parse(state[0].cast<std::string>(), vocabulary);
}

Expr take_dot(const Expr& e, int order, const py::object& time) {
  require(order >= 0 && order <= 100, "order: must be 0 to 100, got ", order);
  Expr result = e;
  for (int i = 0; i < order; ++i)
    result = time.is_none() ? symbolic::time_derivative(result)
                            : symbolic::time_derivative(result, to_expr(time));
  return result;
}

void bind_functions_of_one(py::module_& module) {
  const auto one = [&](const char* name, Expr (*f)(const Expr&), const char* text) {
    module.def(
        name, [f](const py::object& x) { return f(to_expr(x)); }, py::arg("x"), text);
  };
  one("sqrt", &symbolic::sqrt, "Square root.");
  one("exp", &symbolic::exp, "Exponential.");
  one("log", &symbolic::log, "Natural logarithm.");
  one("sin", &symbolic::sin, "Sine of an angle [rad].");
  one("cos", &symbolic::cos, "Cosine of an angle [rad].");
  one("tan", &symbolic::tan, "Tangent of an angle [rad].");
  one("asin", &symbolic::asin, "Arc sine [rad].");
  one("acos", &symbolic::acos, "Arc cosine [rad].");
  one("atan", &symbolic::atan, "Arc tangent [rad].");
  one("sinh", &symbolic::sinh, "Hyperbolic sine.");
  one("cosh", &symbolic::cosh, "Hyperbolic cosine.");
  one("tanh", &symbolic::tanh, "Hyperbolic tangent.");
  one("sign", &symbolic::sign, "-1, 0 or 1.");
  const auto two = [&](const char* name, Expr (*f)(const Expr&, const Expr&), const char* text) {
    module.def(
        name, [f](const py::object& a, const py::object& b) { return f(to_expr(a), to_expr(b)); },
        py::arg("a"), py::arg("b"), text);
  };
  two("atan2", &symbolic::atan2, "Angle of the point (b, a) [rad].");
  two("minimum", &symbolic::min, "The smaller one.");
  two("maximum", &symbolic::max, "The larger one.");
}

}  // namespace

void bind_expressions(py::module_& module) {
  py::module_ m = module.def_submodule("symbolic", "Expressions.");
  py::class_<Condition>(m, "Condition", "A truth value that may depend on symbols.")
      .def("__and__", [](const Condition& a, const Condition& b) { return a && b; })
      .def("__or__", [](const Condition& a, const Condition& b) { return a || b; })
      .def("__invert__", [](const Condition& a) { return !a; })
      .def("__eq__", [](const Condition& a, const Condition& b) { return a == b; })
      .def("__hash__", [](const Condition& a) { return a.expr().hash(); })
      .def("__bool__", [](const Condition& a) { return static_cast<bool>(a); })
      .def("__repr__", [](const Condition& a) { return a.to_string(); });
  py::class_<Expr> type(m, "Expr",
                        "An expression. Equal expressions are one: == and hash go by structure.");
  type.def(py::init([](const py::object& value) { return to_expr(value); }), py::arg("value") = 0);
  bind_operators(&type);
  type.def("__repr__", [](const Expr& e) { return e.to_string(); })
      .def("__float__",
           [](const Expr& e) {
             if (!e.leaves().empty())
               throw py::type_error(e.to_string() + " is not a number: evaluate() takes values");
             return symbolic::evaluate(e, {});
           })
      .def_property_readonly(
          "latex", [](const Expr& e) { return symbolic::to_latex(e); },
          "The expression for LaTeX's math mode.")
      .def("_repr_latex_",
           [](const Expr& e) { return "$\\displaystyle " + symbolic::to_latex(e) + "$"; })
      .def_property_readonly(
          "leaves",
          [](const Expr& e) { return std::vector<Expr>(e.leaves().begin(), e.leaves().end()); },
          "The symbols and variables that occur in it.")
      .def_property_readonly(
          "operations", [](const Expr& e) { return symbolic::count_operations(e).total(); },
          "Operations as written.")
      .def_property_readonly(
          "shared_operations",
          [](const Expr& e) { return symbolic::count_shared_operations(e).total(); },
          "Operations with common parts counted once.")
      .def_property_readonly("is_number", &Expr::is_number, "Whether it is a number.")
      .def_property_readonly("is_leaf", &Expr::is_leaf, "Whether it is a symbol or a variable.")
      .def_property_readonly(
          "name",
          [](const Expr& e) {
            require(e.is_leaf() || e.kind() == symbolic::Kind::kNamed,
                    "only symbols, variables and "
                    "named quantities have a name, not ",
                    e.to_string());
            return std::string(e.name());
          },
          "The name of a symbol, a variable or a named quantity.")
      .def(py::pickle(&write_state, &read_state));

  m.def(
      "symbol", [](const std::string& name) { return symbolic::symbol(name); }, py::arg("name"),
      "A parameter, input or independent variable, known by its name.");
  m.def(
      "variable",
      [](const std::string& name, int order) { return symbolic::variable(name, order); },
      py::arg("name"), py::arg("order") = 0, "A function of time, or its derivative of an order.");
  m.def(
      "named",
      [](const std::string& name, const py::object& e) {
        return symbolic::named(name, to_expr(e));
      },
      py::arg("name"), py::arg("definition"),
      "A quantity that keeps its name and is not taken apart.");
  m.def(
      "parse", [](const std::string& text) { return symbolic::parse(text); }, py::arg("text"),
      "Reads an expression: \"m*l^2*q''/3 + k*q\".");
  m.def("dot", &take_dot, py::arg("e"), py::arg("order") = 1, py::arg("time") = py::none(),
        "Derivative by time: q gives q'.");
  m.def(
      "diff",
      [](const py::object& e, const Expr& x, int n) { return symbolic::diff(to_expr(e), x, n); },
      py::arg("e"), py::arg("x"), py::arg("n") = 1,
      "Derivative by a symbol or variable; q, q' and q'' are independent.");
  m.def(
      "gradient",
      [](const py::object& e, const py::iterable& xs) {
        return symbolic::gradient(to_expr(e), to_exprs(xs));
      },
      py::arg("e"), py::arg("xs"), "All derivatives by xs.");
  m.def(
      "jacobian",
      [](const py::iterable& es, const py::iterable& xs) {
        return symbolic::dense_jacobian(to_exprs(es), to_exprs(xs));
      },
      py::arg("es"), py::arg("xs"), "Rows of derivatives of es by xs.");
  m.def(
      "simplify", [](const py::object& e) { return symbolic::simplify(to_expr(e)); }, py::arg("e"),
      "The shortest form found, with the same value wherever e has one.");
  m.def(
      "expand", [](const py::object& e) { return symbolic::expand(to_expr(e)); }, py::arg("e"),
      "Products of sums multiplied out.");
  m.def(
      "collect",
      [](const py::object& e, const py::iterable& xs) {
        return symbolic::collect(to_expr(e), to_exprs(xs));
      },
      py::arg("e"), py::arg("xs"), "Multiplied out and collected by powers of xs.");
  m.def(
      "substitute",
      [](const py::object& e, const py::dict& values) {
        return symbolic::substitute(to_expr(e), to_substitution(values));
      },
      py::arg("e"), py::arg("values"), "Replaces symbols and variables by expressions.");
  m.def(
      "substitute_motion",
      [](const py::object& e, const py::dict& values) {
        const Expr one = to_expr(e);
        return symbolic::substitute_motion(std::span(&one, 1), to_substitution(values)).front();
      },
      py::arg("e"), py::arg("motion"), "The same; derivatives of variables follow.");
  m.def(
      "evaluate",
      [](const py::object& e, const py::dict& values) {
        const Expr one = to_expr(e);
        return symbolic::evaluate(one, to_bindings(std::span(&one, 1), values));
      },
      py::arg("e"), py::arg("values"), "The value for numbers by leaf or name.");
  m.def(
      "select",
      [](const Condition& c, const py::object& a, const py::object& b) {
        return symbolic::select(c, to_expr(a), to_expr(b));
      },
      py::arg("condition"), py::arg("if_true"), py::arg("if_false"), "One of two values.");
  m.def(
      "equal",
      [](const py::object& a, const py::object& b) {
        return symbolic::equal(to_expr(a), to_expr(b));
      },
      py::arg("a"), py::arg("b"), "The condition a = b in value.");
  bind_functions_of_one(m);
}

}  // namespace camber::python
