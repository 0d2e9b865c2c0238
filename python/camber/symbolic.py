"""Expressions: operators, derivatives, simplification, LaTeX, functions over arrays.

    from camber.symbolic import symbol, variable, dot, diff, cos, simplify

    m, l, g, q = symbol("m"), symbol("l"), symbol("g"), variable("q")
    L = m * (l * dot(q)) ** 2 / 2 + m * g * l * cos(q)
    simplify(dot(diff(L, dot(q))) - diff(L, q))

Equal expressions are one node: ``==`` asks whether two are the same expression, and they may be keys of dictionaries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence

from camber._core.symbolic import (Condition, Expr, acos, asin, atan, atan2, collect, cos, cosh, diff, dot, equal,
                                   evaluate, exp, expand, gradient, jacobian, log, maximum, minimum, named, parse,
                                   select, sign, simplify, sin, sinh, sqrt, substitute, substitute_motion, symbol, tan,
                                   tanh, variable)
from camber._core.symbolic import Program as _Program
from camber._errors import Error, unknown_name

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Number = float | int | Expr

__all__ = ["Condition", "Expr", "Function", "acos", "asin", "atan", "atan2", "collect", "cos", "cosh", "diff", "dot",
           "equal", "evaluate", "exp", "expand", "function", "gradient", "jacobian", "log", "maximum", "minimum", "named",
           "parse", "select", "sign", "simplify", "sin", "sinh", "sqrt", "substitute", "substitute_motion", "symbol",
           "symbols", "tan", "tanh", "variable", "variables"]


def symbols(names: str) -> list[Expr]:
    """Several symbols at once: ``m, l, g = symbols("m l g")``."""
    return [symbol(name) for name in names.replace(",", " ").split()]


def variables(names: str) -> list[Expr]:
    """Several functions of time at once: ``q1, q2 = variables("q1 q2")``."""
    return [variable(name) for name in names.replace(",", " ").split()]


class Function:
    """Expressions as a function of arrays; ``compile()`` makes it machine code.

    Called with one argument for each input and the parameters by name; arguments broadcast as in NumPy. One output
    gives an array, several give a tuple of arrays.
    """

    def __init__(self, name: str, inputs: Sequence[Expr], outputs: Sequence[Number] | Mapping[str, Number],
                 parameters: Sequence[Expr] = (), optimize: bool = True) -> None:
        named_outputs = dict(outputs) if isinstance(outputs, Mapping) else {f"out{i}": e for i, e in enumerate(outputs)}
        self.name = name
        self.inputs: list[Expr] = list(inputs)
        self.parameters: list[Expr] = list(parameters)
        self.output_names: list[str] = list(named_outputs)
        self._has_names = isinstance(outputs, Mapping)
        self._names = [str(p) for p in self.parameters]
        if not named_outputs:
            raise Error(f"function {name}: there is no output")
        self._made_of = (name, list(inputs), dict(named_outputs) if self._has_names else list(named_outputs.values()),
                         list(parameters), optimize)
        self._program = _Program(name, [*self.inputs, *self.parameters], list(named_outputs.values()), optimize)

    @property
    def operations(self) -> int:
        """Operations of one evaluation, with common parts computed once."""
        return self._program.operations

    @property
    def compiled(self) -> bool:
        """Whether compile() was called."""
        return self._program.compiled

    def compile(self, compiler: str = "cc") -> Function:
        """Compiles it with the system's C compiler; the results are those of the C code."""
        self._program.compile(compiler)
        return self

    def c99(self) -> str:
        """The function in C99."""
        return self._program.c99()

    def cpp(self) -> str:
        """The function as a C++ template over its scalar."""
        return self._program.cpp()

    def fortran(self) -> str:
        """The function in Fortran 2008."""
        return self._program.fortran()

    def __call__(self, *arguments: npt.ArrayLike, **parameters: npt.ArrayLike) -> Any:
        import numpy as np

        from camber._arrays import broadcast

        if len(arguments) != len(self.inputs):
            raise Error(f"{self.name}: takes {len(self.inputs)} arguments "
                        f"({', '.join(str(i) for i in self.inputs)}), got {len(arguments)}")
        missing = [n for n in self._names if n not in parameters]
        if missing:
            raise Error(f"{self.name}: parameters without a value: {', '.join(missing)}")
        for given in parameters:
            if given not in self._names:
                raise unknown_name(f"parameter of {self.name}", given, self._names)
        columns = broadcast(self.name, [*map(str, self.inputs), *self._names],
                            [*arguments, *(parameters[n] for n in self._names)])
        shape = columns[0].shape if columns else ()
        rows = np.empty((int(np.prod(shape)), len(columns)))
        for i, column in enumerate(columns):
            rows[:, i] = column.reshape(-1)
        found = self._program(rows)
        results = [found[:, i].reshape(shape) if shape else float(found[0, i]) for i in range(len(self.output_names))]
        if self._has_names:
            return dict(zip(self.output_names, results))
        return results[0] if len(results) == 1 else tuple(results)

    def __reduce__(self) -> Any:
        return _make_function, (self._made_of, self.compiled)

    def __repr__(self) -> str:
        return (f"Function({self.name!r}, inputs={self.inputs}, parameters={self.parameters}, "
                f"{self.operations} operations{', compiled' if self.compiled else ''})")


def _make_function(made_of: tuple[Any, ...], is_compiled: bool) -> Function:
    made = Function(*made_of)
    return made.compile() if is_compiled else made


def function(name: str, inputs: Sequence[Expr], outputs: Sequence[Number] | Mapping[str, Number],
             parameters: Iterable[Expr] = ()) -> Function:
    """A function of arrays from expressions: ``function("f", [q, dot(q)], [-g / l * sin(q)], parameters=[g, l])``."""
    return Function(name, inputs, outputs, list(parameters))
