/** A store that forwards every call, except those that `changes` implements. */
export function proxyKV(kv, changes) {
  return {
    range: (request, signal) => kv.range(request, signal),
    txn: (request, signal) => kv.txn(request, signal),
    watch: (request, sink, signal) => kv.watch(request, sink, signal),
    compact: (revision, signal) => kv.compact(revision, signal),
    currentRevision: (signal) => kv.currentRevision(signal),
    status: (signal) => kv.status(signal),
    checkHealth: (signal) => kv.checkHealth(signal),
    close: () => kv.close(),
    [Symbol.asyncDispose]: () => kv.close(),
    ...changes,
  };
}
