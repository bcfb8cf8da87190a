"""The kernels that Python calls."""

from __future__ import annotations

from gyrostat.analysis.kernels.native_kernel import NativeKernel

explicit_loop = NativeKernel("runge_kutta", "explicit_loop", int)
batched_loop = NativeKernel("batched_loop", "batched_loop", bool)
gauss_loop = NativeKernel("collocation", "gauss_loop", int)
rosenbrock_loop = NativeKernel("rosenbrock", "rosenbrock_loop", int)

begin_watch = NativeKernel("step_record", "begin_watch", int)
go_on_watching = NativeKernel("step_record", "go_on_watching", int)
record_step = NativeKernel("step_record", "record_step", float)

homogeneous_rates = NativeKernel("multistep", "homogeneous_rates", bool)
polynomial_through = NativeKernel("multistep", "polynomial_through", int)
set_normalised = NativeKernel("multistep", "set_normalised", int)

project = NativeKernel("projection", "project", bool)
