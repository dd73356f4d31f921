"""Kubernetes API servers of Binnacle for tests: ``start()`` returns a :class:`Server`. The plugin has fixtures."""

from .command import BinnacleNotFound
from .process import BinnacleError
from .server import Fault, Server, Webhooks, start

__all__ = ["BinnacleError", "BinnacleNotFound", "Fault", "Server", "Webhooks", "start"]
