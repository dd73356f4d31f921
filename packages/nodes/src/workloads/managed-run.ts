import type { Clock, Timer } from '@binnacle/apimachinery/clock';
import type { Container, LifecycleHandler, Probe } from '@binnacle/client/kinds/core/v1';
import type { PodEvent } from '../pods/index.js';
import { type ProbeKind, Prober, runHook } from '../processes/index.js';
import type { RunningProcess } from './machine-processes.js';
import type { KnownRun } from './process-behaviour.js';

/** One run of a container. */
export interface ProcessRun {
  readonly container: Container;
  readonly process: RunningProcess;
  readonly environment: Readonly<Record<string, string>>;
  readonly root: string;
  readonly directory: string;
}

export interface ManagedRunParts {
  readonly clock: Clock;
  /** The address at which processes of this machine reach the pod. */
  readonly address: string;
  /** Runs a command of a probe or a hook in the container. */
  readonly run: (
    command: readonly string[],
    signal: AbortSignal,
  ) => Promise<{
    readonly exitCode: number;
    readonly output: string;
  }>;
  /** How long the container may take to end, in milliseconds. */
  readonly grace: () => number;
  readonly onChange: () => void;
  readonly onEvent: (type: PodEvent['type'], reason: string, message: string) => void;
}

/** Upstream: `minimumGracePeriodInSeconds`. Milliseconds. */
export const LEAST_GRACE = 2000;

/** A run of a container with its probes and its hooks. Upstream: `startContainer` and `killContainer` of `pkg/kubelet/kuberuntime`. */
export class ManagedRun {
  readonly run: ProcessRun;
  readonly #parts: ManagedRunParts;
  readonly #ended = new AbortController();
  #prober: Prober | undefined;
  #isEnding = false;
  /** Fires when the hook `preStop` takes too long. */
  readonly #late = new AbortController();
  #overdue: Timer | undefined;
  /** When the process must have ended, on the monotonic clock. */
  #until = Infinity;
  #hasStopHookEnded = false;

  /** Runs the hook `postStart`, and probes from its end on. */
  constructor(run: ProcessRun, parts: ManagedRunParts) {
    this.run = run;
    this.#parts = parts;
    const { postStart } = run.container.lifecycle ?? {};
    if (postStart === undefined) this.#prober = this.#probe();
    else void this.#startAfter(postStart);
    void run.process.ended.then(() => {
      this.#halt();
      parts.onChange();
    });
  }

  get known(): KnownRun {
    const { process } = this.run;
    const { startedAt = Infinity, readyAt = Infinity } = this.#prober ?? {};
    return {
      end: process.end,
      startedAt,
      readyAt,
      lastOutput: process.end === undefined ? '' : process.output.tail(2048),
    };
  }

  /**
   * Runs the hook `preStop`, unless `grace` is 0, and then tells the process to end. Both together have `grace` milliseconds; of
   * several calls, the earliest deadline counts. Returns whether this is the first call.
   */
  stop(grace: number): boolean {
    const { process, container } = this.run;
    const { clock } = this.#parts;
    if (process.end !== undefined) return false;
    const isNew = !this.#isEnding;
    this.#isEnding = true;
    const { preStop } = container.lifecycle ?? {};
    if (preStop === undefined || grace <= 0 || this.#hasStopHookEnded) process.stop(Math.max(LEAST_GRACE, grace));
    else if (clock.monotonic() + grace < this.#until) {
      this.#until = clock.monotonic() + grace;
      this.#overdue?.[Symbol.dispose]();
      this.#overdue = clock.setTimer(() => this.#late.abort(new Error('the grace period is over')), grace);
      if (isNew) void this.#stopAfter(preStop);
    }
    return isNew;
  }

  /** Tells the process to end, without the hook. */
  end(grace: number): void {
    this.#halt();
    this.run.process.stop(grace);
  }

  #halt(): void {
    this.#ended.abort(new Error('the container has ended'));
    this.#prober?.stop();
  }

  async #startAfter(hook: LifecycleHandler): Promise<void> {
    const { onEvent, onChange, grace } = this.#parts;
    try {
      await runHook(hook, this.#hookParts, this.#ended.signal);
    } catch {
      if (this.#ended.signal.aborted) return;
      // Upstream leaves out why, because it may hold secrets.
      onEvent('Warning', 'FailedPostStartHook', 'PostStartHook failed');
      if (this.stop(grace())) onEvent('Normal', 'Killing', 'FailedPostStartHook');
      return;
    }
    if (this.#ended.signal.aborted) return;
    this.#prober = this.#probe();
    onChange();
  }

  async #stopAfter(hook: LifecycleHandler): Promise<void> {
    const { clock, onEvent } = this.#parts;
    const signal = AbortSignal.any([this.#late.signal, this.#ended.signal]);
    await runHook(hook, this.#hookParts, signal).catch(() => {
      if (!signal.aborted) onEvent('Warning', 'FailedPreStopHook', 'PreStopHook failed');
    });
    this.#overdue?.[Symbol.dispose]();
    this.#hasStopHookEnded = true;
    this.run.process.stop(Math.max(LEAST_GRACE, this.#until - clock.monotonic()));
  }

  get #hookParts() {
    const { clock, address, run } = this.#parts;
    return { container: this.run.container, address, clock, run };
  }

  #probe(): Prober {
    const { clock, address, run, onChange, onEvent, grace } = this.#parts;
    const { container } = this.run;
    return new Prober({
      container,
      address,
      clock,
      run,
      onChange,
      onFailure: (kind, message) => onEvent('Warning', 'Unhealthy', `${kind} probe failed: ${message}`),
      onUnhealthy: (kind: ProbeKind, { terminationGracePeriodSeconds: own }: Probe) => {
        const text = `Container ${container.name} failed ${kind.toLowerCase()} probe, will be restarted`;
        onEvent('Normal', 'Killing', text);
        this.stop(own === undefined ? grace() : own * 1000);
      },
    });
  }
}
