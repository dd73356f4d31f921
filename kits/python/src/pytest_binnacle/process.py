"""The process that runs the servers: ``binnacle test-servers``."""

import itertools
import json
import subprocess
import tempfile
import threading
from concurrent.futures import Future


class BinnacleError(Exception):
    """What Binnacle has refused, in its words."""


class Process:
    """A running process. It ends when its standard input closes, so also when this process is killed."""

    def __init__(self, command):
        # A file, unlike a pipe, never makes the process wait for a reader.
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [*command, "test-servers"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
        )
        self._ids = itertools.count(1)
        self._mutex = threading.Lock()
        self._waiting = {}
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def has_ended(self):
        return not self._reader.is_alive()

    def call(self, name, **fields):
        """The result of a call. Raises :class:`BinnacleError` when it fails, or the process has ended."""
        answer = Future()
        given = {key: value for key, value in fields.items() if value is not None}
        try:
            with self._mutex:
                number = next(self._ids)
                self._waiting[number] = answer
                self._process.stdin.write(json.dumps({"id": number, "call": name, **given}).encode() + b"\n")
                self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise self._ended() from error
        if self.has_ended:
            self._fail_all()
        return answer.result()

    def stop(self):
        """Ends all servers. Returns when the process has ended."""
        self._process.stdin.close()
        self._process.wait()
        self._reader.join()
        self._process.stdout.close()
        self._errors.close()

    def _read(self):
        for line in self._process.stdout:
            got = json.loads(line)
            with self._mutex:
                answer = self._waiting.pop(got["id"], None)
            if answer is None:
                continue
            if "error" in got:
                answer.set_exception(BinnacleError(got["error"]))
            else:
                answer.set_result(got["result"])
        self._fail_all()

    def _fail_all(self):
        with self._mutex:
            waiting, self._waiting = self._waiting, {}
        for answer in waiting.values():
            answer.set_exception(self._ended())

    def _ended(self):
        if self._errors.closed:
            return BinnacleError("binnacle has been stopped")
        self._errors.seek(0)
        return BinnacleError(f"binnacle has ended: {self._errors.read().decode(errors='replace').strip()}")
