import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { startInProcessServer } from '@binnacle/apiserver';
import { DynamicClient } from '@binnacle/client/dynamic';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { type Transport, transportOver } from '@binnacle/client/transport';
import { openMemoryKV } from '@binnacle/kv/memory';
import { nodeObject, type NodeTraits, podObject, type PodTraits } from '../testing/index.js';
import { type OwnPlugins, readSchedulerConfiguration } from '../config/index.js';
import { runScheduler } from './index.js';

const HEAD = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';

/** A server and a scheduler in this process, on a virtual clock. */
export class ScheduledCluster implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly client: DynamicClient;
  readonly reports: string[] = [];
  /** The writes of the scheduler: `POST /api/v1/...`. */
  readonly writes: string[] = [];
  readonly #stopping = new AbortController();
  #end: () => Promise<void> = () => Promise.resolve();

  private constructor(clock: VirtualClock, connect: (user: string, ...groups: string[]) => Transport) {
    this.clock = clock;
    this.client = new DynamicClient(connect('admin', 'system:masters'));
  }

  /** With a KubeSchedulerConfiguration, without its head. */
  static async start(
    configuration = '',
    plugins: OwnPlugins = {},
    clock = new VirtualClock(),
  ): Promise<ScheduledCluster> {
    const random = seededRandom(1);
    const kv = openMemoryKV({ clock });
    const server = await startInProcessServer({ kv, clock, random: random.fork() });
    const writes: string[] = [];
    const connect = (name: string, ...groups: string[]) =>
      transportOver(
        (request, { signal }) => {
          if (name !== 'admin' && request.method !== 'GET') writes.push(`${request.method} ${request.path}`);
          return server.send({ ...request, user: { name, uid: '', groups, extra: {} } }, signal);
        },
        { clock, onWarning: () => undefined },
      );
    const cluster = new ScheduledCluster(clock, connect);
    const running = runScheduler(
      {
        connect: ({ user, groups }) => connect(user, ...groups),
        report: (error) => cluster.reports.push(String(error)),
        clock,
        random,
        configuration: readSchedulerConfiguration(`${HEAD}${configuration}`, { plugins }).configuration,
      },
      cluster.#stopping.signal,
    );
    cluster.#end = async () => {
      await running;
      await server.stop();
      await kv.close();
    };
    return Object.assign(cluster, { writes });
  }

  async addNode(name: string, traits: NodeTraits = {}): Promise<void> {
    const { status = {}, ...node } = nodeObject(name, traits);
    const nodes = this.client.resource(Node);
    // The server gives a new node the taint of one that is not ready.
    const { metadata } = await nodes.create(node);
    const ready = await nodes.patch(metadata.name ?? '', { type: 'merge', body: { spec: { taints: null } } });
    await nodes.status.update({ ...ready, status });
  }

  async addPod(name: string, traits: PodTraits = {}): Promise<Pod> {
    const { metadata, spec, ...rest } = podObject(name, traits);
    const own = { ...spec, containers: spec?.containers ?? [], automountServiceAccountToken: false };
    const { uid: _, ...unnamed } = metadata;
    return this.client
      .resource(Pod)
      .namespace('default')
      .create({ ...rest, metadata: unnamed, spec: own });
  }

  /** Lets time pass until the pod has what is asked for. */
  async until(name: string, holds: (pod: Pod) => boolean): Promise<Pod> {
    for (let step = 0; step < 1000; step++) {
      const pod = await this.client.resource(Pod).namespace('default').get(name);
      if (holds(pod)) return pod;
      await this.clock.advance(100);
    }
    throw new Error(`nothing came of pod ${name}; ${this.reports.join(', ')}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new Error('the test has ended'));
    await this.#end();
  }
}
