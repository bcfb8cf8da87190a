"""The kernels that Python calls."""

from __future__ import annotations

from gyrostat.analysis.kernels.native_kernel import NativeKernel

drive = NativeKernel("driver", "drive", int)
batched_loop = NativeKernel("batched_loop", "batched_loop", bool)

begin_watch = NativeKernel("step_record", "begin_watch", int)
returns_across = NativeKernel("step_record", "returns_across", bool)
record_step = NativeKernel("step_record", "record_step", float)
end_step = NativeKernel("step_record", "end_step", bool)

prepare_switches = NativeKernel("switch_steps", "prepare_switches", int)
end_at_switch = NativeKernel("switch_steps", "end_at_switch", int)
hold_zero = NativeKernel("switch_steps", "hold_zero", int)
log_modes = NativeKernel("switch_steps", "log_modes", int)
switch_delay = NativeKernel("switch_delay", "switch_delay", float)
first_switch = NativeKernel("switch_search", "first_switch", float)
truncate = NativeKernel("switch_search", "truncate", int)
resolved_part = NativeKernel("resolution", "resolved_part", float)

homogeneous_rates = NativeKernel("multistep", "homogeneous_rates", bool)
polynomial_through = NativeKernel("multistep", "polynomial_through", int)
set_normalised = NativeKernel("multistep", "set_normalised", int)

project = NativeKernel("projection", "project", bool)

deepest_pair = NativeKernel("touch_search", "deepest_pair", float)
list_overlaps = NativeKernel("pair_overlaps", "list_overlaps", int)
hold_pairs = NativeKernel("touch_search", "hold_pairs", int)
end_at_touch = NativeKernel("touch_search", "end_at_touch", float)
vary_pairs = NativeKernel("pair_jacobian", "vary_pairs", int)
features_of_pair = NativeKernel("pair_features", "features_of_pair", int)
load_pairs = NativeKernel("pair_forces", "load_pairs", int)
rigid_loads = NativeKernel("moreau", "rigid_loads", int)

add_work = NativeKernel("supplied_work", "add_work", int)

rope_rates = NativeKernel("rope_rates", "rope_rates", int)
differentiate_ropes = NativeKernel("rope_jacobian", "differentiate_ropes", bool)
factorise_ropes = NativeKernel("rope_factors", "factorise_ropes", bool)
solve_ropes = NativeKernel("rope_stage", "solve_ropes", int)

advance_grains = NativeKernel("grain_steps", "advance_grains", int, unrolled=True)
load_grains = NativeKernel("grain_steps", "load_grains", int)
nearest_wall = NativeKernel("grain_walls", "nearest", float)
