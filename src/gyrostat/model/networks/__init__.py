"""Networks of elements in hybrid form on a normal tree, over abstract scalars."""

from gyrostat.model.networks.forming import form_network
from gyrostat.model.networks.network_states import NetworkStates

__all__ = ["NetworkStates", "form_network"]
