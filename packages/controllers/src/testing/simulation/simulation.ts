import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { asError, messageOf } from '@binnacle/apimachinery/errors';
import { startInProcessServer } from '@binnacle/apiserver';
import { DynamicClient } from '@binnacle/client/dynamic';
import { Network, type NetworkClient, type RequestFacts, RequestLog } from '@binnacle/client/network';
import { type Transport, transportOver } from '@binnacle/client/transport';
import type { LocalKV } from '@binnacle/kv';
import { openMemoryKV } from '@binnacle/kv/memory';
import type { LoopSettings } from '../../loop/index.js';
import { type Identity, runLoops } from '../../manager/index.js';
import { chooseLoops, type LoopFacts } from '../../table/index.js';
import type { SimulationFaults } from './faults.js';
import type { NodeBehaviour } from './next-pod-step.js';
import type { PodActor } from './pods.js';
import { SimulatedNodes } from './simulated-nodes.js';

export interface SimulationOptions {
  /** The loops that run, as for `--controllers`. */
  readonly controllers: string;
  /** Decides on names, delays and faults. Two runs with one seed are the same. Default: 1. */
  readonly seed?: number;
  /** Milliseconds since the epoch. Default: a Monday at midnight. */
  readonly now?: number;
  readonly faults?: SimulationFaults;
  /** As `--load-balancer-ip-range`. Default: none. */
  readonly loadBalancerIPRange?: string;
  /** APIs that the server serves beside the default ones, as `--runtime-config`. Default: none. */
  readonly runtimeConfig?: string;
  /** PEM bundle that loops publish. Default: none. */
  readonly certificateAuthority?: string;
  /** Default: upstream's defaults. */
  readonly settings?: LoopSettings;
  /** The number of nodes, with a scheduler and kubelets. Default: 0, and the test acts on pods itself. */
  readonly nodes?: number;
  readonly behaviour?: NodeBehaviour;
  /** Called after each write of a loop. An error ends the simulation. The client's requests have no faults and take no time. */
  readonly check?: (client: DynamicClient, write: RequestFacts) => Promise<void> | void;
}

const MONDAY = Date.UTC(2027, 0, 4);

/**
 * Control loops, an API server, and a network between them that can fail, in this process and on one clock. Time passes
 * only by {@link advance} and {@link settle}. Ends with `stop()` or the end of an `await using` block.
 */
export class Simulation implements AsyncDisposable, PodActor {
  readonly clock: VirtualClock;
  /** Acts as administrator, without faults. */
  readonly client: DynamicClient;
  readonly nodes: SimulatedNodes;
  /** The messages of lasting failures and of failed loops. */
  readonly reports: string[] = [];
  /** The requests of the loops. */
  readonly log = new RequestLog();
  readonly #network: Network;
  readonly #loops: readonly LoopFacts[];
  readonly #given: Required<Pick<SimulationOptions, 'certificateAuthority' | 'loadBalancerIPRange' | 'settings'>>;
  readonly #stopServer: () => Promise<void>;
  readonly #random;
  readonly #stopped = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #faults: SimulationFaults;
  #killed = new AbortController();
  #failure: Error | undefined;
  #writes = 0;
  /** Of the store, after the last write. */
  #revision = 0;

  static async start(options: SimulationOptions): Promise<Simulation> {
    const { seed = 1, now = MONDAY, nodes = 0, runtimeConfig } = options;
    const made: { network?: Network } = {};
    const clock = new VirtualClock(now, async () => made.network?.settled());
    const random = seededRandom(seed);
    const kv = (await bootstrapped()).fork({ clock });
    const server = await startInProcessServer({ kv, clock, random: random.fork(), runtimeConfig });
    const simulation = new Simulation(options, { clock, random, server, kv });
    const network = simulation.#network;
    made.network = network;
    if (nodes > 0) simulation.#keep(simulation.nodes.run(nodes, simulation.#stopped.signal));
    await network.settled();
    simulation.#startLoops();
    await network.settled();
    return simulation;
  }

  private constructor(options: SimulationOptions, parts: Parts) {
    const { controllers, faults = {}, behaviour = {}, check } = options;
    const { certificateAuthority = '', loadBalancerIPRange = '', settings = {} } = options;
    const { clock, random, server, kv } = parts;
    this.clock = clock;
    this.#faults = faults;
    this.#random = random;
    this.#loops = chooseLoops(controllers);
    this.#given = { certificateAuthority, loadBalancerIPRange, settings };
    const direct = new DynamicClient(
      transportOver((request, { signal }) => server.send({ ...request, user: userOf(administrator) }, signal), {
        clock,
      }),
    );
    const onWrite = async (client: NetworkClient, write: RequestFacts): Promise<void> => {
      this.#writes++;
      const revision = await kv.currentRevision();
      const hasChanged = revision > this.#revision;
      this.#revision = revision;
      if (!client.isLoop) return;
      await Promise.resolve(check?.(direct, write)).catch((error: unknown) => this.#fail(error));
      // A process that is killed by a write without effect would begin where the one before began.
      const isKilling = hasChanged && write.resource !== 'events';
      if (this.faults.restartAfterWrites === true && isKilling) this.restart();
    };
    this.#network = new Network({ server, clock, random: random.fork(), faults, log: this.log, onWrite });
    this.client = new DynamicClient(this.#connect('simulation', { ...administrator, killed: this.#stopped.signal }));
    const kubelet = this.#connect('kubelet', { ...administrator, killed: this.#stopped.signal });
    this.nodes = new SimulatedNodes({ client: new DynamicClient(kubelet), clock }, behaviour);
    this.#stopServer = async () => {
      await server.stop();
      await kv.close();
    };
  }

  get faults(): SimulationFaults {
    return this.#faults;
  }

  set faults(faults: SimulationFaults) {
    this.#faults = faults;
    this.#network.faults = faults;
  }

  /** Lets this many milliseconds pass. Rejects with the error of a check. */
  async advance(milliseconds: number): Promise<void> {
    await this.clock.advance(milliseconds);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * Lets time pass until no loop and no node has written for `quiet` milliseconds. Default: a minute. Rejects if they
   * still write after `atMost` milliseconds, by default an hour.
   */
  async settle({ quiet = 60_000, atMost = 3_600_000 } = {}): Promise<void> {
    const end = this.clock.monotonic() + atMost;
    for (let before = -1; before !== this.#writes; ) {
      if (this.clock.monotonic() > end) {
        const last = this.log.counts(this.log.writes.slice(-20));
        throw new Error(`the loops still write after ${atMost} ms; the last writes: ${JSON.stringify(last)}`);
      }
      before = this.#writes;
      await this.advance(quiet);
    }
  }

  /** Kills the process of the loops. Requests that it has sent take effect. Another one starts at once. */
  restart(): void {
    this.#killed.abort(new Error('the process is killed'));
    this.#startLoops();
  }

  async stop(): Promise<void> {
    const reason = new Error('the simulation has ended');
    this.#stopped.abort(reason);
    this.#killed.abort(reason);
    await Promise.all(this.#running);
    await this.#stopServer();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #startLoops(): void {
    if (this.#stopped.signal.aborted) return;
    const killed = new AbortController();
    this.#killed = killed;
    const { clock } = this;
    const report = (error: unknown, where: string): void => {
      if (!killed.signal.aborted) this.reports.push(`${where}: ${messageOf(error)}`);
    };
    // Loading a loop's code takes time that the clock does not know.
    const loops = this.#loops.map((loop) => ({
      ...loop,
      create: (context: Parameters<LoopFacts['create']>[0]) => this.#network.during(loop.create(context)),
    }));
    const connect = ({ user, groups, userAgent }: Identity): Transport =>
      this.#connect(userAgent, { user, groups, isLoop: true, killed: killed.signal });
    const options = {
      loops,
      connect,
      isSoleServer: true,
      ...this.#given,
      report,
      clock,
    };
    this.#keep(runLoops({ ...options, random: this.#random.fork() }, killed.signal));
  }

  #connect(userAgent: string, client: NetworkClient): Transport {
    const send = (request: Parameters<Network['send']>[1], options: Parameters<Network['send']>[2]) =>
      this.#network.send(client, request, options);
    return transportOver(send, { userAgent, clock: this.clock, onWarning: () => undefined });
  }

  #keep(work: Promise<void>): void {
    const kept = work.catch((error: unknown) => this.#fail(error)).finally(() => this.#running.delete(kept));
    this.#running.add(kept);
  }

  #fail(error: unknown): void {
    if (this.#stopped.signal.aborted) return;
    this.#failure ??= asError(error);
  }
}

interface Parts {
  readonly clock: VirtualClock;
  readonly random: ReturnType<typeof seededRandom>;
  readonly server: Awaited<ReturnType<typeof startInProcessServer>>;
  readonly kv: LocalKV;
}

let store: Promise<LocalKV> | undefined;

/** A store with the objects that every server has. It takes most of a server's start, so all simulations copy one. */
function bootstrapped(): Promise<LocalKV> {
  store ??= (async () => {
    const clock = new VirtualClock(MONDAY);
    const kv = openMemoryKV({ clock });
    await (await startInProcessServer({ kv, clock, random: seededRandom(0) })).stop();
    return kv;
  })();
  return store;
}

const administrator = { user: 'administrator', groups: ['system:masters'], isLoop: false };

const userOf = ({ user, groups }: Pick<NetworkClient, 'user' | 'groups'>) => ({
  name: user,
  uid: '',
  groups,
  extra: {},
});
