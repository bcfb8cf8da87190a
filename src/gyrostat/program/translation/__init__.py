"""Translation of kernels, functions in a subset of Python, to LLVM IR."""

from gyrostat.program.translation.kernel import KernelError, call, call_kernel, flat, kernel, rare_kernel
from gyrostat.program.translation.module import module_of

__all__ = ["KernelError", "call", "call_kernel", "flat", "kernel", "module_of", "rare_kernel"]
