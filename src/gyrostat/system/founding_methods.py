"""The founding methods of a system, open to inspection: walkthroughs in symbols, or in numbers at one state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Literal

from gyrostat import written
from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.arguments import Inputs, Parameters, Values
from gyrostat.errors import SizeError
from gyrostat.system.arguments import At

if TYPE_CHECKING:
    from gyrostat.system.system import System
    from gyrostat.written import Equations, Walkthrough
    from gyrostat.written.walkthrough.evaluation import Evaluation
    from gyrostat.written.walkthrough.graph_method import GraphMethodWalk
    from gyrostat.written.walkthrough.roberson_schwertassek import RobersonSchwertassekWalk


class FoundingMethods(ABC):
    """Mixin: each founding method as a walkthrough, quantity by quantity.

    Without a state the quantities are exact, in the user's symbols; with q they are numbers at that state, where names
    that are left out have initial values, as in all numeric methods: `q={}` is the initial state.
    """

    coordinates: Coordinates

    @abstractmethod
    def _numbers_at(self, at: At) -> Evaluation:
        """Return the formulas of walkthroughs on numbers at one state."""

    @abstractmethod
    def _with_euler_parameters(self) -> System:
        """Return the mechanism in absolute coordinates, with Euler parameters even where it is planar."""

    @abstractmethod
    def _in(self, coordinates: Coordinates) -> System:
        """Return the mechanism in other coordinates."""

    @abstractmethod
    def _mapped(self, at: At, target: System) -> At:
        """Return a state in the coordinates of another system of the same model."""

    def _evaluation(
        self, q: Values | None, u: Values | None, t: float, inputs: Inputs, parameters: Parameters
    ) -> Evaluation:
        if q is None:
            return written.ExactEvaluation(self._readable_equations())
        return self._numbers_at(At(q, u, None, t, inputs, parameters))

    def _readable_equations(self) -> Equations:
        try:
            return written.Equations.of(self.coordinates, "textbook", written.SIZE_LIMIT)
        except SizeError as error:
            remedy = "Give a state for the quantities in numbers there: q={} is the initial one."
            raise SizeError(f"{str(error).split(' Use ')[0]} {remedy}") from None

    def roberson_schwertassek(
        self,
        q: Values | None = None,
        u: Values | None = None,
        *,
        t: float = 0.0,
        inputs: Inputs = None,
        parameters: Parameters = None,
    ) -> RobersonSchwertassekWalk:
        """Return every quantity of the Roberson–Schwertassek method, as Forehand, Cartmell and Khanin present it."""
        return written.RobersonSchwertassekWalk.of(self.coordinates, self._evaluation(q, u, t, inputs, parameters))

    def velocity_transformation(
        self,
        q: Values | None = None,
        u: Values | None = None,
        *,
        about: Literal["mass centre", "attachment point"] = "mass centre",
        t: float = 0.0,
        inputs: Inputs = None,
        parameters: Parameters = None,
    ) -> Walkthrough:
        """Return every quantity of the velocity transformation (T. S. No; Trom 1990; Crous 2000, §3.4.4).

        `about` chooses the reference points of the bodies' equations: mass centres, or where inboard joints hold them.
        """
        return written.VelocityTransformationWalk.of(
            self.coordinates, self._evaluation(q, u, t, inputs, parameters), about
        )

    def absolute_method(
        self,
        q: Values | None = None,
        u: Values | None = None,
        *,
        t: float = 0.0,
        inputs: Inputs = None,
        parameters: Parameters = None,
    ) -> Walkthrough:
        """Return every quantity of the absolute coordinate method (Crous 2000, §3.4.3 and §3.7.1).

        States are given in the system's own coordinates; the method has positions and Euler parameters of all bodies.
        """
        absolute = self._with_euler_parameters()
        if q is None:
            return written.AbsoluteMethodWalk.of(absolute.coordinates, absolute._evaluation(None, None, t, None, None))
        at = self._mapped(At(q, u, None, t, inputs, parameters), absolute)
        return written.AbsoluteMethodWalk.of(absolute.coordinates, absolute._numbers_at(at))

    def graph_method(
        self,
        q: Values | None = None,
        u: Values | None = None,
        *,
        t: float = 0.0,
        inputs: Inputs = None,
        parameters: Parameters = None,
    ) -> GraphMethodWalk:
        """Return every step of the graph-theoretic method (McPhee 2002), in the system's own trees.

        Joint coordinates have one tree of joints; formulate with "branch", "absolute" or `gs.Trees` for others.
        """
        coordinates = written.graph_coordinates(self.coordinates)
        other = self._in(coordinates)
        if q is None:
            return written.GraphMethodWalk(written.ExactEvaluation(other._readable_equations()), coordinates)
        at = At(q, u, None, t, inputs, parameters)
        at = at if coordinates is self.coordinates else self._mapped(at, other)
        return written.GraphMethodWalk(other._numbers_at(at), coordinates)
