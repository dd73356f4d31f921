import type { Duplex } from 'node:stream';
import type { RunningServer, ServerOptions } from '@binnacle/apiserver';
import type { KV } from '@binnacle/kv';
import { createKVServer, type KVServer } from '@binnacle/kv/socket';
import {
  assemble,
  defaultParts,
  makeCredentials,
  type Parts,
  type RunningBinnacle,
  type ServerCredentials,
  type StartOptions,
} from '../embed/index.js';
import type { PrimaryCalls } from './calls.js';
import type { Handlers } from './channel.js';
import { mergeMetrics, sharedTexts } from './merge-metrics.js';
import { SharedListener } from './shared-listener.js';
import { spawnWorker } from './spawn-worker.js';
import { writeTokenKeys } from './token-keys.js';
import { WorkerPool, type WorkerProcess } from './worker-pool.js';

/** The health check of the workers. */
const WORKERS_CHECK = 'workers';

interface WorkersStart {
  readonly workers: number;
  /** The command of this program that runs a worker. */
  readonly command: string;
}

/**
 * Starts a server whose requests several processes serve. This one owns the store, and runs the control loops. Otherwise
 * like `start`.
 */
export function startPrimary(options: StartOptions, given: WorkersStart): Promise<RunningBinnacle> {
  const made: { store?: KVServer | undefined; credentials?: ServerCredentials } = {};
  const parts: Parts = {
    ...defaultParts,
    openStore: async (location, sources) => {
      const kv = await defaultParts.openStore(location, sources);
      // Over etcd, each worker is a client of its own.
      if (location.type === 'etcd') return kv;
      made.store = await createKVServer(kv);
      return closingFirst(kv, made.store);
    },
    credentials: async (sources) => {
      made.credentials = await makeCredentials(sources);
      return made.credentials;
    },
    startServer: (server) => {
      const { store, credentials } = made;
      if (credentials === undefined) throw new Error('the credentials are made before the server starts');
      return startPool({ ...server, startFork: undefined }, { ...given, options, store, credentials });
    },
  };
  return assemble(options, parts);
}

/** The store, whose clients end before it closes. */
function closingFirst(kv: KV, server: KVServer): KV {
  const close = kv.close.bind(kv);
  kv.close = () => {
    server.close();
    return close();
  };
  return kv;
}

interface Primary extends WorkersStart {
  readonly options: StartOptions;
  readonly store: KVServer | undefined;
  readonly credentials: ServerCredentials;
}

/** Starts the workers, and a server without a listener for the clients in this process. Its stop ends all of them. */
async function startPool(given: ServerOptions, primary: Primary): Promise<RunningServer> {
  const { workers, command, credentials, options } = primary;
  const { log, clock, random } = given;
  if (log === undefined || clock === undefined || random === undefined) throw new Error('a server has these parts');
  const listener = new SharedListener();
  const port = await listener.listen(given.bindAddress, given.securePort);
  let server: RunningServer | undefined;
  const metrics = sharedTexts(async (path) => {
    const own = { worker: 'primary', text: (await server?.metrics(path)) ?? '' };
    const others = await pool.metrics(path);
    return mergeMetrics([own, ...others.map(({ index, text }) => ({ worker: String(index), text }))]);
  });
  const checks = [{ name: WORKERS_CHECK, check: () => pool.check() }, ...(given.healthChecks ?? [])];
  const handlersFor = (worker: WorkerProcess): Handlers<PrimaryCalls> => ({
    refuse: () => listener.leave(worker),
    audit: (bytes) => given.audit?.log?.target.write(bytes),
    metrics,
    check: (name) => checks.find((check) => check.name === name)?.check(new AbortController().signal),
    tokenKeys: async () => writeTokenKeys(await credentials.keys()),
  });
  const serveStore = (stream: Duplex): void => primary.store?.serve(stream);
  const { certificates, token } = credentials;
  const start = {
    options,
    workers,
    port,
    credentials: { certificates, token },
    checks: checks.map(({ name }) => name),
  };
  const pool = new WorkerPool({
    count: workers,
    listener,
    spawn: () => spawnWorker({ command, handlersFor, serveStore }),
    start,
    log,
    clock,
    random,
  });
  try {
    const own = { ...given, securePort: port, connections: 'none' as const, processes: workers + 1 };
    const starting = pool.start();
    [server] = await Promise.all([defaultParts.startServer(own), starting]);
    await pool.catchUp();
  } catch (error) {
    listener.close();
    await pool.kill();
    await server?.stop();
    throw error;
  }
  return together(server, pool, listener);
}

/** The server of this process and the workers as one. */
function together(server: RunningServer, pool: WorkerPool, listener: SharedListener): RunningServer {
  const announceStop = async (): Promise<void> => {
    await Promise.all([server.announceStop(), pool.announceStop()]);
  };
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await announceStop();
    listener.stop();
    await pool.stop();
    await server.stop();
  };
  return { ...server, announceStop, stop: () => (stopped ??= stop()) };
}
