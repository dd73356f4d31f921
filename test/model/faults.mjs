/** The faults of a round. Each takes the server and the round's clients, and resolves when it is over. */
const faults = {
  /** SIGKILL at any moment, and a restart over the same data. */
  kill: async ({ server, history }) => {
    await server.kill();
    history.add({ type: 'fault', kind: 'kill', at: history.tick() });
    await server.start();
  },
  /** An orderly shutdown, and a restart over the same data. */
  restart: async ({ server, history }) => {
    const code = await server.end();
    history.add({ type: 'fault', kind: 'restart', code, at: history.tick() });
    await server.start();
  },
  /** The process is suspended, as under a debugger or on a starved machine. */
  stop: async ({ server, history, random, sleep }) => {
    server.pause();
    history.add({ type: 'fault', kind: 'stop', at: history.tick() });
    await sleep(random.integer(100, 1500));
    server.resume();
  },
  /** One worker of the server ends; its clients lose their connections, and the server starts another one. */
  killWorker: async ({ server, history, random, sleep }) => {
    server.killWorker((pids) => random.pick(pids));
    history.add({ type: 'fault', kind: 'killWorker', at: history.tick() });
    await sleep(random.integer(100, 1500));
  },
  /** Some clients lose their connections, with all requests in progress. */
  drop: async ({ connections, history, random }) => {
    history.add({ type: 'fault', kind: 'drop', at: history.tick() });
    for (const connection of connections) if (random.chance(0.4)) connection.drop();
  },
  /** Compacts all but the newest history. */
  compact: async ({ server, history, random }) => {
    const entry = history.add({ type: 'compaction', invoked: history.tick(), revision: undefined });
    entry.revision = await server.compact(random.pick([60, 120, 240]));
  },
  /** SIGKILL for the remote store, and a restart over the same data after a pause. */
  killStore: async ({ server, history, random, sleep }) => {
    await server.store.kill();
    history.add({ type: 'fault', kind: 'killStore', at: history.tick() });
    await sleep(random.integer(0, 800));
    await server.store.start();
  },
  /** The remote store is suspended for a while. */
  stopStore: async ({ server, history, random, sleep }) => {
    await server.store.pause();
    history.add({ type: 'fault', kind: 'stopStore', at: history.tick() });
    await sleep(random.integer(100, 2500));
    server.store.resume();
  },
  /** Every server loses its connections to the store. */
  cutStore: async ({ server, history }) => {
    history.add({ type: 'fault', kind: 'cutStore', at: history.tick() });
    server.store.cut();
  },
  /** The disk has an older state than the server acknowledged. A planted bug, not a fault to survive. */
  rollback: async ({ server, history, sleep }) => {
    server.pause();
    server.saveDisk();
    server.resume();
    await sleep(300);
    await server.kill();
    server.restoreDisk();
    history.add({ type: 'fault', kind: 'rollback', at: history.tick() });
    await server.start();
  },
};

/** The names of the faults that this server must recover from. */
export function faultsFor(server) {
  return [
    'drop',
    ...(server.compacts ? ['compact'] : []),
    ...(server.restarts ? ['restart'] : []),
    ...(server.pause === undefined ? [] : ['stop']),
    ...(server.durable ? ['kill', 'kill'] : []),
    ...(server.hasWorkers ? ['killWorker', 'killWorker'] : []),
    ...(server.store === undefined ? [] : ['killStore', 'killStore', 'stopStore', 'cutStore']),
  ];
}

/** Injects one fault after another until the round is over. */
export async function injectFaults(context, names, running) {
  const { random, sleep } = context;
  if (names.length === 0) return;
  while (running()) {
    const [pause, name] = [random.integer(300, 2200), random.pick(names)];
    await sleep(pause);
    if (running()) await faults[name](context);
  }
}
