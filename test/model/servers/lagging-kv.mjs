import { proxyKV } from './proxy-kv.mjs';

/** Keeps the contract, but delivers the events of each watch up to `maximumMs` late, in order. */
export function laggingKV(kv, maximumMs) {
  return proxyKV(kv, {
    watch: (request, sink, signal) => kv.watch(request, laterSink(sink, maximumMs, signal), signal),
  });
}

function laterSink(sink, maximumMs, signal) {
  let waiting = [];
  let timer;
  const deliver = () => {
    timer = undefined;
    const calls = waiting;
    waiting = [];
    if (signal.aborted) return;
    for (const call of calls) call();
  };
  const later = (call) => {
    waiting.push(call);
    timer ??= setTimeout(deliver, Math.random() * maximumMs);
  };
  return {
    batch: (batch) => later(() => sink.batch(batch)),
    progress: (revision) => later(() => sink.progress(revision)),
    ended: (error) => later(() => sink.ended(error)),
  };
}
