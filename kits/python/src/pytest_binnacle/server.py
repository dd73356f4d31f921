"""A server, and what a test does with it."""

import os
import threading
from dataclasses import dataclass
from pathlib import Path

from .command import find_command
from .process import Process

_mutex = threading.Lock()
_processes = {}


def start(*, binary=None, crds=(), controllers=None, nodes=None, flags=()):
    """Starts a server in memory on a free port, and returns when it is ready.

    ``crds``: files and folders of CustomResourceDefinitions. ``controllers``: control loops to run, ``"*"`` or names; none by default.
    ``nodes``: how many simulated nodes, with a scheduler. ``flags``: other flags of ``binnacle serve``.
    All servers share one process, which ends with this one.
    """
    given = list(flags)
    if controllers is not None:
        given.append(f"--controllers={controllers}")
    if nodes is not None:
        given += [f"--nodes={nodes}", "--scheduler"]
    process = _shared_process(tuple(find_command(binary)))
    return Server(process, process.call("start", flags=given, definitions=_absolute(crds)))


def stop_all():
    """Ends all processes."""
    with _mutex:
        running = list(_processes.values())
        _processes.clear()
    for process in running:
        process.stop()


class Server:
    """A server in memory. As a context manager it stops at the end of the block."""

    def __init__(self, process, started):
        self._process = process
        self._id = started["server"]
        #: ``https://host:port``.
        self.url = started["url"]
        #: The kubeconfig of the administrator, text for any client.
        self.kubeconfig = started["kubeconfig"]
        #: Parts of it, in PEM.
        self.certificate_authority = started["certificateAuthority"]
        self.client_certificate = started["clientCertificate"]
        self.client_key = started["clientKey"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def fork(self):
        """A server with all objects of this one. It copies nothing, and neither sees later writes to the other."""
        return Server(self._process, self._call("fork"))

    def kubeconfig_file(self):
        """The path of a file with the kubeconfig, which is removed with the server."""
        return self._call("kubeconfigFile")["path"]

    def install_crds(self, *paths):
        """Installs definitions, and returns when they are established."""
        self._call("installDefinitions", paths=_absolute(paths))

    def install_webhooks(self, *paths, host=None, port=None):
        """Applies webhook configurations, and points them at a server that the test starts at once."""
        return Webhooks(**self._call("installWebhooks", paths=_absolute(paths), host=host, port=port))

    def snapshot(self):
        """The current state, for :meth:`reset`."""
        return self._call("snapshot")["snapshot"]

    def reset(self, snapshot):
        """Gives all objects the content that they had at the snapshot, by ordinary events."""
        self._call("reset", snapshot=snapshot)

    def inject_fault(self, action, *, times=None, **match):
        """Makes requests fail: ``inject_fault({"type": "answer", "code": 409}, verb="update", times=2)``.

        As a context manager the fault ends with the block.
        """
        rule = {"match": match, "action": action}
        if times is not None:
            rule["times"] = times
        return Fault(self, self._call("addFault", rule=rule)["fault"])

    def log(self):
        """The last lines of the server's log, one for each request."""
        return self._call("log")["lines"]

    def stop(self):
        """Ends the server and its watches."""
        self._call("stop")

    def _call(self, name, **fields):
        return self._process.call(name, server=self._id, **fields)


class Fault:
    """A fault of a server."""

    def __init__(self, server, number):
        self._server = server
        self._number = number

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()

    @property
    def hits(self):
        """How often the fault has acted."""
        return self._server._call("faultHits", fault=self._number)["hits"]

    def remove(self):
        """Ends the fault. It may be called again."""
        self._server._call("removeFault", fault=self._number)


@dataclass(frozen=True)
class Webhooks:
    """Where a webhook server listens. ``directory`` holds ``tls.crt``, ``tls.key`` and ``ca.crt``."""

    host: str
    port: int
    directory: str


def _shared_process(command):
    # A forked child must not write to the pipe of its parent.
    key = (os.getpid(), command)
    with _mutex:
        process = _processes.get(key)
        if process is None or process.has_ended:
            process = _processes[key] = Process(command)
        return process


def _absolute(paths):
    return [str(Path(path).absolute()) for path in paths]
