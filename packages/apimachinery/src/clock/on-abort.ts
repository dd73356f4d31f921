interface Listeners {
  readonly calls: Set<{ readonly call: () => void }>;
  readonly run: () => void;
}

const listenersOf = new WeakMap<AbortSignal, Listeners>();

/**
 * Calls back once when the signal fires, unless it is disposed before. All callbacks share one listener, since a signal
 * compares a new listener with each that it has. The signal must not have fired yet.
 */
export function onAbort(signal: AbortSignal, call: () => void): Disposable {
  const { calls } = listenersOf.get(signal) ?? listen(signal);
  const entry = { call };
  calls.add(entry);
  return {
    [Symbol.dispose]: () => {
      if (!calls.delete(entry) || calls.size > 0) return;
      const listeners = listenersOf.get(signal);
      // A listener keeps a composite signal alive.
      if (listeners?.calls === calls) forget(signal, listeners);
    },
  };
}

function listen(signal: AbortSignal): Listeners {
  const calls: Listeners['calls'] = new Set();
  const run = (): void => {
    listenersOf.delete(signal);
    for (const { call } of calls) call();
    calls.clear();
  };
  const listeners = { calls, run };
  listenersOf.set(signal, listeners);
  signal.addEventListener('abort', run, { once: true });
  return listeners;
}

function forget(signal: AbortSignal, { run }: Listeners): void {
  listenersOf.delete(signal);
  signal.removeEventListener('abort', run);
}
