"""From functions in a small part of Python to LLVM IR: loops over numbers and arrays that call each other."""

from gyrostat.program.translation.kernel import KernelError, call, flat, kernel, rare_kernel
from gyrostat.program.translation.module import module_of

__all__ = ["KernelError", "call", "flat", "kernel", "module_of", "rare_kernel"]
