import { type Random, seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { asError } from '@binnacle/apimachinery/errors';
import { startInProcessServer } from '@binnacle/apiserver';
import { Faults } from '@binnacle/apiserver/faults';
import { DynamicClient } from '@binnacle/client/dynamic';
import { Network, type NetworkClient, type RequestFacts } from '@binnacle/client/network';
import { type Transport, transportOver } from '@binnacle/client/transport';
import type { LocalKV } from '@binnacle/kv';
import { type Author, StoreRecorder } from '../history/index.js';
import { FOUNDED } from './bootstrapped-store.js';
import type { ClusterFaults, ClusterOptions } from './cluster-options.js';
import { asComponent, builtInComponents, type Identity } from './components.js';
import { CutOffNodes } from './cut-off-nodes.js';
import { RunningComponents } from './running-components.js';

const administrator: Identity = {
  user: 'simulation',
  groups: ['system:masters'],
  userAgent: 'simulation',
};

const NODE_USER = 'system:node:';

/** A server, control loops, a scheduler and nodes in this process, on one virtual clock and one seed. */
export class SimulatedCluster implements AsyncDisposable {
  readonly clock: VirtualClock;
  /** Acts as administrator, without faults. */
  readonly client: DynamicClient;
  readonly transport: Transport;
  readonly recorder: StoreRecorder;
  /** The server's fault injection, if it has one. */
  readonly serverFaults: Faults | undefined;
  readonly #network: Network<Sender>;
  readonly #components: RunningComponents;
  readonly #cutOff: CutOffNodes;
  readonly #stopped = new AbortController();
  readonly #random: Random;
  readonly #end: () => Promise<void>;
  #faults: ClusterFaults;
  #author: Author | undefined;
  #failure: Error | undefined;
  #isHalted = false;
  #isEnding = false;

  /** Starts a cluster over a fork of this store. */
  static async start(store: LocalKV, options: ClusterOptions): Promise<SimulatedCluster> {
    const random = seededRandom(options.seed);
    const made: { cluster?: SimulatedCluster } = {};
    const clock = new VirtualClock(options.now ?? FOUNDED, async () => made.cluster?.settled());
    const kv = store.fork({ clock });
    // A gate before each cache costs time at each write.
    const faults = options.injectsFaults === true ? new Faults() : undefined;
    const server = await startInProcessServer({ kv, clock, random: random.fork(), faults });
    const cluster = new SimulatedCluster(options, { clock, random, server, kv, faults });
    made.cluster = cluster;
    await cluster.#follow(kv);
    cluster.#components.start();
    return cluster;
  }

  private constructor(options: ClusterOptions, { clock, random, server, kv, faults }: Parts) {
    const { admits, onEvent, write, nodes, elidesHeartbeats = false } = options;
    this.clock = clock;
    this.#cutOff = new CutOffNodes(clock);
    this.serverFaults = faults;
    this.#random = random;
    this.#faults = options.faults ?? {};
    const recorder = new StoreRecorder({
      clock,
      author: () => this.#author,
      admits: (event) => admits(event) || this.#halt(),
      onEvent: (event) => onEvent(event, recorder.state),
      write,
    });
    this.recorder = recorder;
    this.#network = new Network({
      server: {
        send: (request, signal) => (this.#isHalted ? Promise.reject(HALTED) : server.send(request, signal)),
      },
      clock,
      random: random.fork(),
      faults: this.#faults,
      shuffles: true,
      onSend: ({ user }, { verb, resource }) => {
        this.#author = { user, verb, resource };
      },
      onWrite: async (client, write) => this.#afterWrite(client, write),
    });
    this.transport = this.#connect(administrator, { isLoop: false, killed: this.#stopped.signal });
    this.client = new DynamicClient(this.transport);
    const builtIn = builtInComponents({
      controllers: options.controllers ?? '*',
      settings: elidesHeartbeats ? { hasHeartbeat: (node: string) => !this.#cutOff.has(node) } : {},
      nodes,
      elidesHeartbeats,
    });
    this.#components = new RunningComponents([...builtIn, ...(options.ownControllers ?? []).map(asComponent)], {
      clock,
      random,
      connect: (identity, component, killed) => this.#connect(identity, { isLoop: true, killed, component }),
      failed: (error) => this.fail(error),
    });
    this.#end = async () => {
      await server.stop();
      await kv.close();
    };
  }

  get faults(): ClusterFaults {
    return this.#faults;
  }

  /** They take effect at once. */
  set faults(faults: ClusterFaults) {
    this.#faults = faults;
    this.#network.faults = faults;
  }

  /** Messages of lasting failures, with their numbers. */
  get reports(): ReadonlyMap<string, number> {
    return this.#components.reports;
  }

  /** The names of the components that {@link kill} knows. */
  get components(): readonly string[] {
    return this.#components.names;
  }

  /** Lets this many milliseconds pass. Rejects with the error of an event or of a component, and ends at an event that is not admitted. */
  async advance(milliseconds: number): Promise<void> {
    await this.clock.advance(milliseconds).catch((error: unknown) => {
      if (error !== HALTED) throw error;
    });
  }

  get isHalted(): boolean {
    return this.#isHalted;
  }

  /** Rejects with what has failed. */
  async settled(): Promise<void> {
    await this.#network.settled();
    this.#author = undefined;
    if (this.#isEnding) return;
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#isHalted) throw HALTED;
  }

  /** Ends the run with this error. */
  fail(error: unknown): void {
    if (this.#stopped.signal.aborted) return;
    this.#failure ??= asError(error);
    this.#isHalted = true;
  }

  /** Kills a component. Requests that it has sent take effect. It starts again after this many milliseconds, by default a second. */
  kill(name: string, away?: number): void {
    this.#components.kill(name, away);
  }

  /** Cuts nodes off for this many milliseconds: their kubelets reach no server, and their leases are not renewed. */
  cutOff(nodes: readonly string[], milliseconds: number): void {
    this.#cutOff.add(nodes, milliseconds);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const reason = new Error('the simulation has ended');
    this.#isHalted = true;
    this.#isEnding = true;
    this.#stopped.abort(reason);
    await this.#components.end(reason);
    await this.#end();
  }

  async #follow(kv: LocalKV): Promise<void> {
    const { items, revision } = await kv.range({ prefix: '/registry/' });
    for (const { key, value } of items) this.recorder.start(key, value);
    const ended = (error: Error): void => this.fail(error);
    const batch: Parameters<LocalKV['watch']>[1]['batch'] = (events) => {
      try {
        this.recorder.record(events);
      } catch (error) {
        this.fail(error);
      }
    };
    kv.watch(
      { prefix: '/registry/', fromRevision: revision },
      { batch, progress: () => undefined, ended },
      this.#stopped.signal,
    );
  }

  #connect(identity: Identity, given: Pick<Sender, 'isLoop' | 'killed' | 'component'>): Transport {
    const { user, groups, userAgent } = identity;
    const node = user.startsWith(NODE_USER) ? user.slice(NODE_USER.length) : undefined;
    const isCutOff = () => node !== undefined && this.#cutOff.has(node);
    const client: Sender = { user, groups, isCutOff, ...given };
    return transportOver((request, options) => this.#network.send(client, request, options), {
      userAgent,
      clock: this.clock,
      onWarning: () => undefined,
    });
  }

  #afterWrite({ component }: Sender, { resource }: RequestFacts): void {
    const { crashes = 0 } = this.#faults;
    if (component === undefined || component === 'nodes' || crashes === 0 || resource === 'events') return;
    if (this.#random.number() < crashes) this.kill(component);
  }

  #halt(): false {
    this.#isHalted = true;
    return false;
  }
}

const HALTED = new Error('the run has ended');

interface Parts {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly server: Awaited<ReturnType<typeof startInProcessServer>>;
  readonly kv: LocalKV;
  readonly faults: Faults | undefined;
}

interface Sender extends NetworkClient {
  /** Undefined for the simulation itself. */
  readonly component?: string;
}
