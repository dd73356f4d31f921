import { seededRandom } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { chooseLoops } from '@binnacle/controllers/table';
import { mapperOf, nameOfAction, perform, type Stage } from '../actions/index.js';
import { type OwnController, type SimulatedCluster, startCluster } from '../cluster/index.js';
import { type ClusterState, describeEvent, describeTime, type StoreEvent } from '../history/index.js';
import { builtInInvariants, type Invariant } from '../invariants/index.js';
import { milliseconds, readScenario, type Scenario, timeline } from '../scenario/index.js';

export interface SimulateOptions {
  /** Decides on everything that is drawn: faults, the order of requests, names, UIDs, delays. An integer. */
  readonly seed: number;
  readonly scenario: Scenario;
  /** The number of simulated nodes. Default: that of the scenario, or 3. */
  readonly nodes?: number;
  /** Controllers of the user. Default: none. */
  readonly controllers?: readonly OwnController[];
  /** Checked in addition to the built-in ones. Give each run new ones if they remember anything. Default: none. */
  readonly invariants?: readonly Invariant[];
  /** End the run before the event with this number. Default: run to the end of the scenario. */
  readonly stopBefore?: number;
  /** Called with the history, one line of JSON for each event. Default: it is not kept. */
  readonly write?: (line: string) => void;
}

export interface SimulationFailure {
  /** The event after which it was found; the number of all events for what is wrong at the end. */
  readonly step: number;
  /** Milliseconds since the start. */
  readonly at: number;
  /** The name of the invariant, `action` or `component`. */
  readonly where: string;
  readonly message: string;
}

export interface SimulationResult {
  readonly seed: number;
  /** The number of events in the store. */
  readonly steps: number;
  /** Virtual milliseconds. */
  readonly elapsed: number;
  /** Undefined if every invariant held. */
  readonly failure: SimulationFailure | undefined;
  /** SHA-256 of the history. Two runs whose events are equal to the byte have the same. */
  readonly digest: string;
  /** Readable lines of the last events, oldest first, at most {@link KEPT_EVENTS}. */
  readonly history: readonly string[];
  /** The objects at the end. */
  readonly state: ClusterState;
  /** Messages of failures that lasted, and how often each occurred. They do not count as faults of the run. */
  readonly reports: ReadonlyMap<string, number>;
}

/** How many events a result describes. */
export const KEPT_EVENTS = 1000;

/**
 * Runs a scenario on a virtual clock. Two runs of a seed are the same run. Rejects with a `ScenarioError` for a scenario
 * that cannot be understood; what goes wrong in the cluster is the result's `failure`.
 */
export async function simulate(options: SimulateOptions): Promise<SimulationResult> {
  const run = new Run({ ...options, scenario: readScenario(options.scenario) });
  return run.result();
}

class Run {
  readonly #options: SimulateOptions;
  readonly #invariants: readonly Invariant[];
  readonly #recent: StoreEvent[] = [];
  readonly #start: number | undefined;
  #failure: SimulationFailure | undefined;
  #began = 0;

  constructor(options: SimulateOptions) {
    this.#options = options;
    const { settles = false, controllers = '*' } = options.scenario;
    const loops = new Set(chooseLoops(controllers).map(({ name }) => name));
    this.#invariants = [
      ...builtInInvariants({ loops, settles, losesAnswers: losesAnswers(options.scenario) }),
      ...(options.invariants ?? []),
    ];
    this.#start = options.scenario.start === undefined ? undefined : Date.parse(options.scenario.start);
  }

  async result(): Promise<SimulationResult> {
    const { seed, scenario, nodes = scenario.nodes ?? 3, controllers, stopBefore, write } = this.#options;
    await using cluster = await startCluster({
      seed,
      nodes,
      now: this.#start,
      controllers: scenario.controllers,
      faults: scenario.faults,
      elidesHeartbeats: scenario.elideHeartbeats,
      injectsFaults: scenario.actions?.some(({ inject }) => inject !== undefined),
      ownControllers: controllers,
      admits: ({ step }) => step !== stopBefore,
      onEvent: (event, state) => this.#judge(event, state),
      write,
    });
    this.#began = cluster.clock.now();
    const acting = new AbortController();
    this.#schedule(cluster, acting.signal);
    await this.#play(cluster);
    const { state } = cluster.recorder;
    state.now = cluster.clock.now();
    if (this.#failure === undefined && !cluster.isHalted) this.#judgeEnd(state, cluster.recorder.step);
    acting.abort(new Error('the simulation has ended'));
    return {
      seed,
      steps: cluster.recorder.step,
      elapsed: cluster.clock.now() - this.#began,
      failure: this.#failure,
      digest: cluster.recorder.digest(),
      history: this.#recent.map((event) => describeEvent(event, this.#began)),
      state,
      reports: cluster.reports,
    };
  }

  async #play(cluster: SimulatedCluster): Promise<void> {
    try {
      await cluster.advance(milliseconds(this.#options.scenario.runFor));
    } catch (error) {
      if (error instanceof Violation) this.#failure ??= error.failure;
      else this.#failure ??= this.#failureOf('component', error, cluster);
    }
  }

  #schedule(cluster: SimulatedCluster, signal: AbortSignal): void {
    const stage: Stage = {
      cluster,
      random: seededRandom(this.#options.seed).fork(),
      mapper: mapperOf(cluster),
      signal,
    };
    for (const { at, action } of timeline(this.#options.scenario)) {
      cluster.clock.setTimer(() => {
        perform(action, stage).catch((error: unknown) => {
          if (signal.aborted || cluster.isHalted) return;
          const { message, ...failure } = this.#failureOf('action', error, cluster);
          const text = `${nameOfAction(action)} at ${describeTime(at)}: ${message}`;
          cluster.fail(new Violation({ ...failure, message: text }));
        });
      }, at);
    }
  }

  #judge(event: StoreEvent, state: ClusterState): void {
    this.#recent.push(event);
    if (this.#recent.length > KEPT_EVENTS) this.#recent.shift();
    for (const { name, check } of this.#invariants) {
      const message = check?.(state, event);
      if (message === undefined) continue;
      throw new Violation({ step: event.step, at: event.at - this.#began, where: name, message });
    }
  }

  #judgeEnd(state: ClusterState, step: number): void {
    for (const { name, checkEnd } of this.#invariants) {
      const message = checkEnd?.(state);
      if (message !== undefined) this.#failure ??= { step, at: state.now - this.#began, where: name, message };
    }
  }

  #failureOf(where: string, error: unknown, { recorder, clock }: SimulatedCluster): SimulationFailure {
    const message = messageOf(error);
    return { step: recorder.step, at: clock.now() - this.#began, where, message };
  }
}

function losesAnswers({ faults = {}, actions = [] }: Scenario): boolean {
  return [faults, ...actions.map((action) => action.faults ?? {})].some(({ lostAnswers = 0 }) => lostAnswers > 0);
}

class Violation extends Error {
  override readonly name = 'Violation';
  readonly failure: SimulationFailure;

  constructor(failure: SimulationFailure) {
    super(failure.message);
    this.failure = failure;
  }
}
