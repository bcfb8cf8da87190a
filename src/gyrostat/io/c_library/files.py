"""The texts of a C library's files: header, source, CMake file and example."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gyrostat.io.c_library.function import CFunction
from gyrostat.io.c_library.parts import MACRO


@dataclass(frozen=True)
class Library:
    """A library of functions of one system, with the names and first values of their arguments."""

    name: str
    title: str
    functions: tuple[CFunction, ...]
    names: Mapping[str, tuple[str, ...]]
    """The names of the entries of q, u, z, parameters and inputs."""
    start: Mapping[str, tuple[float, ...]]
    """Initial values of q, u and z, and the values of parameters."""
    notes: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    """The names of outputs beside the states."""

    @property
    def guard(self) -> str:
        """The prefix of macros."""
        return self.name.upper()

    def count(self, group: str) -> str:
        """Return the macro of the number of entries of an argument."""
        return f"{self.guard}_N_{group.upper()}"

    def header(self) -> str:
        """Return the header, which documents the interface."""
        groups = [f"{group}: {_numbered(names)}" for group, names in self.names.items()]
        about = [
            f"Equations of motion of {self.title}.",
            "All functions are re-entrant: they have no state, allocate nothing and write to their outputs only. "
            "Arrays of size zero may be NULL. Matrices are stored row by row. SI units and radians.",
            *groups,
            *self.notes,
        ]
        counts = [f"#define {self.count(group)} {len(names)}" for group, names in self.names.items()]
        declared = [f"/* Outputs: {function.sizes}. */\n{function.declaration};" for function in self.functions]
        return "\n".join(
            [
                *("/*", *(_wrapped(text) for text in about), "*/"),
                *(f"#ifndef {self.guard}_H", f"#define {self.guard}_H", "", *counts, ""),
                *("#ifdef __cplusplus", 'extern "C" {', "#endif", ""),
                "/* Set the initial state of the model and the values of its parameters. */",
                f"{self._initial};",
                *("", *declared, ""),
                *("#ifdef __cplusplus", "}", "#endif", "", "#endif", ""),
            ]
        )

    @property
    def _initial(self) -> str:
        return f"void {self.name}_initial({', '.join(f'double *{group}' for group in self.start)})"

    def source(self) -> str:
        """Return the source."""
        values = [
            f"    {group}[{i}] = {value!r};" for group, values in self.start.items() for i, value in enumerate(values)
        ]
        unused = " ".join(f"(void){group};" for group in self.start)
        initial = [self._initial, "{", *values, f"    {unused}", "}"]
        functions = (f"\n{chr(10).join(function.definition())}" for function in self.functions)
        macro = [MACRO] if any(function.is_long for function in self.functions) else []
        head = [f'#include "{self.name}.h"', "", "#include <math.h>", "", *macro]
        return "\n".join([*head, *initial, *functions, ""])

    def cmake(self) -> str:
        """Return the CMake file."""
        return textwrap.dedent(f"""\
            cmake_minimum_required(VERSION 3.10)
            project({self.name} C)
            set(CMAKE_C_STANDARD 99)
            add_library({self.name} {self.name}.c)
            target_include_directories({self.name} PUBLIC ${{CMAKE_CURRENT_SOURCE_DIR}})
            add_executable({self.name}_example example.c)
            target_link_libraries({self.name}_example {self.name})
            if(UNIX)
              target_link_libraries({self.name} m)
            endif()
            """)

    def example(self) -> str:
        """Return a program that integrates one second with the classical Runge–Kutta method and prints the state."""
        sizes = {group: f"{self.count(group)} + 1" for group in self.names}
        arrays = "\n".join(
            f"    double {group}[{size}] = {{0}};" for group, size in sizes.items() if group not in "quz"
        )
        outputs = [port.name for port in self.functions[0].graph.outputs]
        derivative = {"qdot": "d", "udot": "d + NQ", "zdot": "d + NQ + NU"}
        call = ", ".join(["t", "y", "y + NQ", "y + NQ + NU", "parameters", "inputs", *(derivative[o] for o in outputs)])
        return _EXAMPLE.format(
            name=self.name,
            q=self.count("q"),
            u=self.count("u"),
            z=self.count("z"),
            arrays=arrays,
            call=call,
        )


def _numbered(names: Sequence[str]) -> str:
    return ", ".join(f"[{i}] {name}" for i, name in enumerate(names)) or "none"


def _wrapped(text: str) -> str:
    plain = text.replace("*/", "* /")
    return textwrap.fill(plain, 100, initial_indent="   ", subsequent_indent="     ", break_long_words=False)


_EXAMPLE = """\
/* One second of motion by the classical Runge-Kutta method, from the initial state of the model. */
#include "{name}.h"

#include <stdio.h>

enum {{ NQ = {q}, NU = {u}, NZ = {z}, N = NQ + NU + NZ, STEPS = 1000 }};

static void derivative(double t, const double *y, const double *parameters, const double *inputs, double *d)
{{
    {name}_rates({call});
}}

int main(void)
{{
    double y[N + 1] = {{0}}, middle[N + 1] = {{0}}, k[4][N + 1] = {{{{0}}}};
{arrays}
    const double h = 1.0 / STEPS;
    const double part[4] = {{0.0, 0.5, 0.5, 1.0}}, weight[4] = {{1.0, 2.0, 2.0, 1.0}};
    {name}_initial(y, y + NQ, y + NQ + NU, parameters);
    for (int step = 0; step < STEPS; step++) {{
        for (int stage = 0; stage < 4; stage++) {{
            for (int i = 0; i < N; i++)
                middle[i] = y[i] + (stage ? part[stage] * h * k[stage - 1][i] : 0.0);
            derivative((step + part[stage]) * h, middle, parameters, inputs, k[stage]);
        }}
        for (int stage = 0; stage < 4; stage++)
            for (int i = 0; i < N; i++)
                y[i] += h / 6.0 * weight[stage] * k[stage][i];
    }}
    for (int i = 0; i < N; i++)
        printf("%.17g\\n", y[i]);
    return 0;
}}
"""
