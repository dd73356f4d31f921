import { type Clock, settle, VirtualClock } from '@binnacle/apimachinery/clock';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { nextPodStep } from '../pods/index.js';
import { PodCluster } from './cluster.testing.js';
import { FakeMachine, type FakeProcess } from './machine-processes.testing.js';
import { statusesOf } from './process-behaviour.js';
import { ProcessPods } from './process-pods.js';

type Spec = Partial<NonNullable<Pod['spec']>>;

const { signal } = new AbortController();

/** A pod whose processes are fakes, on a node that looks at it when a test says so. */
export class PodTrial implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly cluster: PodCluster = new PodCluster(this.clock);
  readonly machine = new FakeMachine(this.clock);
  readonly events: string[] = [];
  readonly reports: string[] = [];
  pod: Pod;
  /** Whether the processes have asked for a look since the last one. */
  hasChanged = false;
  #pods: ProcessPods | undefined;

  private constructor(spec: Spec) {
    this.pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'n', uid: 'u' },
      spec: { nodeName: 'process-node-0', containers: [{ name: 'c', image: 'app:1' }], ...spec },
      status: { phase: 'Pending' },
    };
  }

  static async open(spec: Spec = {}): Promise<PodTrial> {
    const trial = new PodTrial(spec);
    const options = {
      imageCommands: ['app:1=/bin/app --port 80'],
      server: { url: 'https://127.0.0.1:6443', certificateAuthority: 'PEM' },
      clock: trial.clock as Clock,
      serviceAddress: ({ metadata }: { readonly metadata: { readonly name?: string } }) =>
        metadata.name === 'kubernetes' ? { host: '127.0.0.1', port: 6443 } : undefined,
      report: (error: unknown) => void trial.reports.push(String(error)),
    };
    trial.#pods = await ProcessPods.open(options, async () => trial.machine);
    trial.pods.listen({
      onChange: () => {
        trial.hasChanged = true;
      },
      onEvent: (_, { reason, message }) => void trial.events.push(`${reason}: ${message}`),
    });
    return trial;
  }

  /** A pod that runs. */
  static async running(spec: Spec = {}): Promise<PodTrial> {
    const trial = await PodTrial.open(spec);
    await trial.look();
    return trial;
  }

  get pods(): ProcessPods {
    if (this.#pods === undefined) throw new Error('the trial is not open');
    return this.#pods;
  }

  /** The latest process. */
  get process(): FakeProcess {
    const process = this.machine.started.at(-1);
    if (process === undefined) throw new Error('no process has been started');
    return process;
  }

  /** The state of each container. */
  get states(): readonly string[] {
    return statusesOf(this.pod).map(({ name, state, ready, restartCount }) => {
      const { waiting, terminated } = state ?? {};
      const text = waiting?.reason ?? (terminated === undefined ? 'runs' : `exit ${terminated.exitCode}`);
      return `${name}: ${text}${ready ? ' ready' : ''}${restartCount > 0 ? ` *${restartCount}` : ''}`;
    });
  }

  /** Looks until the status does not change. Returns whether the pod can go. */
  async look(): Promise<boolean> {
    const { clients } = this.cluster;
    this.hasChanged = false;
    for (;;) {
      const { pod } = this;
      const found = await this.pods.prepare(pod, '10.250.0.2', clients, signal);
      const behaviour = this.pods.behaviourOf(pod);
      const now = this.clock.now();
      const step = nextPodStep({ pod, now, hostIPs: ['10.250.0.1'], podIPs: ['10.250.0.2'], behaviour, ...found });
      const ends = await this.pods.carryOut(pod, step, clients, signal);
      this.events.push(...[...step.events, ...ends].map(({ reason, message }) => `${reason}: ${message}`));
      if (step.status === undefined) return step.canGo;
      this.pod = { ...pod, status: step.status };
    }
  }

  /** Looks after some time, in milliseconds. */
  async after(milliseconds: number): Promise<boolean> {
    await this.clock.advance(milliseconds);
    await settle();
    return this.look();
  }

  delete(seconds: number): void {
    const { metadata } = this.pod;
    const deletionTimestamp = new Date(this.clock.now() + seconds * 1000).toISOString();
    this.pod = { ...this.pod, metadata: { ...metadata, deletionTimestamp, deletionGracePeriodSeconds: seconds } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const process of this.machine.started) process.exit(137);
    await this.pods.close();
  }
}
