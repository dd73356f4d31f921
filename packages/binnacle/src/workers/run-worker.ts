import { Socket } from 'node:net';
import type { ConnectionSource, RunningServer } from '@binnacle/apiserver';
import type { KV } from '@binnacle/kv';
import { openSocketKV } from '@binnacle/kv/socket';
import { assemble, defaultParts, type Parts, type RunningBinnacle } from '../embed/index.js';
import type { PrimaryCalls, WorkerCalls, WorkerStart } from './calls.js';
import { Channel, type MessagePipe } from './channel.js';
import { sharedTexts } from './merge-metrics.js';
import { GREETING, STORE_FD } from './spawn-worker.js';
import { readTokenKeys } from './token-keys.js';

/** The parts of a worker that calls of the primary use, once it serves. */
interface Serving {
  readonly running: RunningBinnacle;
  readonly server: RunningServer;
  readonly kv: KV;
}

/**
 * Serves requests for a primary process until the primary asks this one to stop, or ends itself. Resolves with the exit code; 2 if no
 * primary has started this process.
 */
export async function runWorker(): Promise<number> {
  if (process.send === undefined) {
    process.stderr.write('binnacle: binnacle serve --workers starts this command; it is not for users\n');
    return 2;
  }
  // A terminal and a service manager send signals to all processes. The primary decides when a worker ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let serving: Serving | undefined;
  let take: ((socket: Socket) => void) | undefined;
  const connections: ConnectionSource = {
    open: (taker) => {
      take = taker;
      return () => {
        take = undefined;
        // Without a primary there are no connections.
        primary.call('refuse', undefined).catch(() => undefined);
      };
    },
  };
  const primary: Channel<WorkerCalls, PrimaryCalls> = new Channel<WorkerCalls, PrimaryCalls>(toParent, {
    start: async (given) => {
      serving = await startWorker(given, primary, connections);
    },
    connection: (_, socket) => {
      // The client has left, or the worker takes no connections any more.
      if (socket !== undefined && take === undefined) socket.destroy();
      else if (socket !== undefined) take?.(socket);
    },
    alive: () => undefined,
    catchUp: async () => {
      await serving?.kv.currentRevision();
    },
    announceStop: () => serving?.server.announceStop(),
    stop: async () => {
      await serving?.running.stop();
      // After the answer has left.
      setImmediate(end);
    },
    metrics: async (path) => (await serving?.server.metrics(path)) ?? '',
  });
  process.on('message', (message: unknown, handle: unknown) => {
    primary.receive(message, handle instanceof Socket ? handle : undefined);
  });
  process.once('disconnect', endAtOnce);
  process.send(GREETING);
  await ended;
  return 0;
}

/** The channel that Node.js opens to the process that has started this one. */
const toParent: MessagePipe = {
  send: (message, failed) => {
    process.send?.(message, undefined, undefined, (error: Error | null) => {
      if (error instanceof Error) failed(error);
    });
  },
};

async function startWorker(
  given: WorkerStart,
  primary: Channel<WorkerCalls, PrimaryCalls>,
  connections: ConnectionSource,
): Promise<Serving> {
  const { options, port, credentials, workers, checks } = given;
  let server: RunningServer | undefined;
  let kv: KV | undefined;
  let keys: ReturnType<typeof readTokenKeys> | undefined;
  const parts: Parts = {
    ...defaultParts,
    isWorker: true,
    openStore: async (location, sources) => {
      kv = await (location.type === 'etcd' ? defaultParts.openStore(location, sources) : openPrimaryStore());
      return kv;
    },
    credentials: () =>
      Promise.resolve({
        ...credentials,
        keys: () => (keys ??= primary.call('tokenKeys', undefined).then(readTokenKeys)),
      }),
    auditTarget: {
      write: (bytes) => primary.call('audit', bytes),
      close: () => Promise.resolve(),
    },
    startServer: async (own) => {
      server = await defaultParts.startServer({
        ...own,
        isWorker: true,
        connections,
        processes: workers + 1,
        healthChecks: checks.map((name) => ({ name, check: () => primary.call('check', name) })),
        allMetrics: sharedTexts((path) => primary.call('metrics', path)),
      });
      return server;
    },
  };
  const running = await assemble({ ...options, securePort: port }, parts);
  if (server === undefined || kv === undefined) throw new Error('assemble has opened no store or started no server');
  return { running, server, kv };
}

/** The store of the primary. Without it the worker can do nothing, and has nothing to save. */
function openPrimaryStore(): Promise<KV> {
  const stream = new Socket({ fd: STORE_FD, readable: true, writable: true });
  return openSocketKV({ stream, lost: endAtOnce });
}

/** SIGKILL also ends a process in which something hangs. */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}
