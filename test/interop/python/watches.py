"""Watch loops as operators in Python have them: from a list on, resumed at the last version, listed again when that is too old."""

import queue
import threading

from kubernetes import client, watch

from support import config_map, namespace


class Keeper:
    """Keeps the config maps of a namespace and tells of what changes; each watch lasts three seconds."""

    def __init__(self, core, where):
        self.core, self.where = core, where
        self.kept, self.told, self.watches, self.bookmarks = {}, queue.Queue(), 0, 0
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        version = None
        while not self.stopped.is_set():
            if version is None:
                version = self.list()
            try:
                version = self.watch(version)
            except client.ApiException as error:
                if error.status != 410:
                    self.told.put(("failed", str(error)))
                    return
                version = None

    def list(self):
        answer = self.core.list_namespaced_config_map(self.where)
        now = {each.metadata.name: each.metadata.resource_version for each in answer.items}
        for name in self.kept.keys() - now.keys():
            self.tell("DELETED", name)
        for name, version in now.items():
            self.tell("MODIFIED" if name in self.kept else "ADDED", name, version)
        return answer.metadata.resource_version

    def watch(self, version):
        self.watches += 1
        options = {"resource_version": version, "timeout_seconds": 3, "allow_watch_bookmarks": True}
        for event in watch.Watch().stream(self.core.list_namespaced_config_map, self.where, **options):
            metadata = event["raw_object"]["metadata"]
            version = metadata["resourceVersion"]
            if event["type"] == "BOOKMARK":
                self.bookmarks += 1
            else:
                self.tell(event["type"], metadata["name"], version)
        return version

    def tell(self, kind, name, version=None):
        if kind == "DELETED":
            del self.kept[name]
        elif self.kept.get(name) == version:
            return
        else:
            self.kept[name] = version
        self.told.put((kind, name))

    def hears(self, *change):
        heard = self.told.get(timeout=30)
        assert heard == change, f"{heard}, not {change}"


def walk(where):
    with namespace(where) as core:
        core.create_namespaced_config_map(where, config_map("before"))
        keeper = Keeper(core, where)
        keeper.thread.start()
        first = {keeper.told.get(timeout=30) for _ in core.list_namespaced_config_map(where).items}
        assert ("ADDED", "before") in first, first

        # More than one watch goes by, and nothing is missed or repeated.
        n = 0
        while keeper.watches < 3:
            name = f"map-{n}"
            created = core.create_namespaced_config_map(where, config_map(name, {"n": "1"}))
            keeper.hears("ADDED", name)
            created.data["n"] = "2"
            core.replace_namespaced_config_map(name, where, created)
            keeper.hears("MODIFIED", name)
            core.delete_namespaced_config_map(name, where)
            keeper.hears("DELETED", name)
            n += 1
            keeper.stopped.wait(0.2)
        core.create_namespaced_config_map(where, config_map("last"))
        keeper.hears("ADDED", "last")
        keeper.stopped.set()
        keeper.thread.join(timeout=30)
        assert not keeper.thread.is_alive() and keeper.told.empty()
        now = core.list_namespaced_config_map(where).items
        assert keeper.kept == {each.metadata.name: each.metadata.resource_version for each in now}
        assert keeper.bookmarks > 0, "no bookmark before the end of a watch"
