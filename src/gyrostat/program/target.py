"""A target: the processor that native code is made for."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.errors import ProgramError


@dataclass(frozen=True)
class Target:
    """A processor in LLVM's terms: triple (architecture-vendor-system), processor name, features like "+avx2,+fma".

    `lanes` is how many doubles one SIMD register holds; `fused` is true if a·b + c is one instruction.
    """

    triple: str
    cpu: str
    features: str
    lanes: int
    fused: bool

    def runs_on(self, host: Target) -> bool:
        """Whether code for this target can be loaded into a process on the host."""
        if self == host:
            return True
        (architecture, _, *system), (host_architecture, _, *host_system) = (
            one.triple.split("-") for one in (self, host)
        )
        kin = architecture == host_architecture and system == host_system
        baseline = not self.features and (self.cpu in _LEVELS or self.cpu == "generic")
        return kin and baseline and self.lanes <= host.lanes and self.fused <= host.fused


# Named levels of the x86-64 instruction set, and ARM64, whose baseline has two lanes and fused multiply-add.
_LEVELS = {"x86-64": (2, False), "x86-64-v2": (2, False), "x86-64-v3": (4, True), "x86-64-v4": (8, True)}


def make_target(triple: str, cpu: str) -> Target:
    """Return a target by triple and processor name: "x86-64", …, "x86-64-v4", or "generic" and others on ARM64.

    >>> make_target("x86_64-unknown-linux-gnu", "x86-64-v3").lanes
    4
    """
    architecture = triple.split("-")[0]
    if architecture in ("aarch64", "arm64"):
        return Target(triple, cpu, "", 2, True)
    if architecture == "x86_64" and cpu in _LEVELS:
        return Target(triple, cpu, "", *_LEVELS[cpu])
    raise ProgramError(
        f"No target is known for {triple!r} with processor {cpu!r}. "
        f"Known: aarch64 with any processor, x86_64 with {', '.join(_LEVELS)}."
    )
