import { setImmediate as nextTurn } from 'node:timers/promises';
import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { startInProcessServer } from '@binnacle/apiserver';
import { DynamicClient } from '@binnacle/client/dynamic';
import { Pod, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { type Transport, transportOver } from '@binnacle/client/transport';
import { openMemoryKV } from '@binnacle/kv/memory';
import { runNodes } from './index.js';

/** Turns of the event loop without a request after which nothing more happens. */
const QUIET_TURNS = 10;

/** A server and simulated nodes in this process, on a virtual clock. */
export class NodeCluster implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly client: DynamicClient;
  readonly reports: string[] = [];
  /** The writes of the nodes: `USER POST /api/v1/...`. */
  readonly writes: string[] = [];
  readonly #connect: (user: string, ...groups: string[]) => Transport;
  readonly #stopServer: () => Promise<void>;
  #stopNodes: () => Promise<void> = () => Promise.resolve();
  #unanswered = 0;

  private constructor(parts: Awaited<ReturnType<typeof startServer>>, clock: VirtualClock) {
    this.clock = clock;
    this.#stopServer = parts.stop;
    this.#connect = (name, ...groups) =>
      transportOver(
        async (request, { signal }) => {
          if (name !== 'admin' && request.method !== 'GET')
            this.writes.push(`${name} ${request.method} ${request.path}`);
          this.#unanswered++;
          const answer = parts.server.send({ ...request, user: { name, uid: '', groups, extra: {} } }, signal);
          return answer.finally(() => this.#unanswered--);
        },
        { clock, onWarning: () => undefined },
      );
    this.client = new DynamicClient(this.#connect('admin', 'system:masters'));
  }

  static async start(count: number): Promise<NodeCluster> {
    const made: { cluster?: NodeCluster } = {};
    const clock = new VirtualClock(Date.UTC(2027, 0, 4), async () => made.cluster?.settled());
    const cluster = new NodeCluster(await startServer(clock), clock);
    const account: ServiceAccount = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
    await cluster.client.resource(ServiceAccount).namespace('default').create(account);
    made.cluster = cluster;
    cluster.startNodes(count);
    return cluster;
  }

  startNodes(count: number): void {
    const stopping = new AbortController();
    const running = runNodes(
      {
        count,
        connect: ({ user, groups }) => this.#connect(user, ...groups),
        report: (error, where) => this.reports.push(`${where}: ${String(error)}`),
        clock: this.clock,
        random: seededRandom(1),
      },
      stopping.signal,
    );
    this.#stopNodes = async () => {
      stopping.abort(new Error('the nodes stop'));
      await running;
    };
  }

  stopNodes(): Promise<void> {
    return this.#stopNodes();
  }

  async addPod(
    name: string,
    spec: Partial<NonNullable<Pod['spec']>> = {},
    annotations: Readonly<Record<string, string>> = {},
  ): Promise<Pod> {
    const containers = [{ name: 'c', image: 'img:1' }];
    return this.client
      .resource(Pod)
      .namespace('default')
      .create({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, annotations },
        spec: { nodeName: 'node-0', automountServiceAccountToken: false, containers, ...spec },
      });
  }

  /** Resolves when requests are answered, and events have arrived. Time does not pass meanwhile. */
  async settled(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      if (this.#unanswered > 0) quiet = 0;
      await nextTurn();
    }
  }

  /** Lets time pass until this resolves to something. */
  async until<T>(seek: () => Promise<T | undefined>): Promise<T> {
    for (let step = 0; step < 1000; step++) {
      const found = await seek();
      if (found !== undefined) return found;
      await this.clock.advance(100);
    }
    throw new Error(`it did not come; ${this.reports.join(', ')}`);
  }

  async untilPod(name: string, holds: (pod: Pod) => boolean): Promise<Pod> {
    const pods = this.client.resource(Pod).namespace('default');
    return this.until(async () => {
      const pod = await pods.get(name);
      return holds(pod) ? pod : undefined;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopNodes();
    await this.settled();
    await this.#stopServer();
  }
}

async function startServer(clock: VirtualClock) {
  const kv = openMemoryKV({ clock });
  const server = await startInProcessServer({ kv, clock, random: seededRandom(2) });
  return {
    server,
    stop: async (): Promise<void> => {
      await server.stop();
      await kv.close();
    },
  };
}
