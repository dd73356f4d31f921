import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import type { Container, Probe } from '@binnacle/client/kinds/core/v1';
import { NO_RESULT, nextProbeState } from './probe-state.js';
import { probeTarget } from './probe-target.js';
import { type RunCommand, runProbe } from './run-probe.js';

export type ProbeKind = 'Startup' | 'Readiness' | 'Liveness';

export interface ProberParts {
  readonly container: Container;
  /** Of the pod, as processes of this machine reach it. */
  readonly address: string;
  readonly clock: Clock;
  readonly run: RunCommand;
  /** The state of a probe has changed. */
  readonly onChange: () => void;
  readonly onFailure: (kind: ProbeKind, message: string) => void;
  /** A liveness or startup probe has failed for good. */
  readonly onUnhealthy: (kind: ProbeKind, probe: Probe) => void;
}

/** The probes of one run of a container. Upstream: `pkg/kubelet/prober`. */
export class Prober {
  readonly #parts: ProberParts;
  readonly #stopping = new AbortController();
  #startedAt = Infinity;
  #readyAt = Infinity;

  /** Probes until {@link stop}. */
  constructor(parts: ProberParts) {
    this.#parts = parts;
    const { startupProbe, readinessProbe } = parts.container;
    const now = parts.clock.now();
    if (startupProbe === undefined) this.#startedAt = now;
    if (startupProbe === undefined && readinessProbe === undefined) this.#readyAt = now;
    void this.#run();
  }

  /** Milliseconds since the epoch; Infinity: the container does not count as started. */
  get startedAt(): number {
    return this.#startedAt;
  }

  /** The same for readiness. */
  get readyAt(): number {
    return this.#readyAt;
  }

  stop(): void {
    this.#stopping.abort(new Error('the container has ended'));
  }

  async #run(): Promise<void> {
    const { container, clock, onChange } = this.#parts;
    const { startupProbe, readinessProbe, livenessProbe } = container;
    if (startupProbe !== undefined && !(await this.#untilStarted(startupProbe))) return;
    if (startupProbe !== undefined) {
      this.#startedAt = clock.now();
      if (readinessProbe === undefined) this.#readyAt = clock.now();
      onChange();
    }
    await Promise.all([
      readinessProbe === undefined
        ? undefined
        : this.#repeat('Readiness', readinessProbe, (isHealthy) => {
            this.#readyAt = isHealthy ? clock.now() : Infinity;
            onChange();
            return true;
          }),
      livenessProbe === undefined ? undefined : this.#untilUnhealthy('Liveness', livenessProbe),
    ]);
  }

  async #untilStarted(probe: Probe): Promise<boolean> {
    let hasStarted = false;
    await this.#repeat('Startup', probe, (isHealthy) => {
      hasStarted = isHealthy;
      if (!isHealthy) this.#parts.onUnhealthy('Startup', probe);
      return false;
    });
    return hasStarted;
  }

  #untilUnhealthy(kind: ProbeKind, probe: Probe): Promise<void> {
    return this.#repeat(kind, probe, (isHealthy) => {
      if (!isHealthy) this.#parts.onUnhealthy(kind, probe);
      return isHealthy;
    });
  }

  /** Probes until `onResult`, which gets each result that counts and differs from the one before, returns false. */
  async #repeat(kind: ProbeKind, probe: Probe, onResult: (isHealthy: boolean) => boolean): Promise<void> {
    const { container, address, clock, run, onFailure } = this.#parts;
    const { signal } = this.#stopping;
    const { initialDelaySeconds = 0, periodSeconds = 10, timeoutSeconds = 1 } = probe;
    const target = probeTarget(probe, container, address);
    let state = NO_RESULT;
    await wait(clock, initialDelaySeconds * 1000, signal);
    while (!signal.aborted) {
      const failure = await runProbe(target, { clock, run, timeout: timeoutSeconds * 1000 }, signal);
      if (signal.aborted) return;
      if (failure !== undefined) onFailure(kind, failure);
      const before = state.isHealthy;
      state = nextProbeState(state, failure === undefined, probe);
      if (state.isHealthy !== undefined && state.isHealthy !== before && !onResult(state.isHealthy)) return;
      await wait(clock, periodSeconds * 1000, signal);
    }
  }
}

/** Resolves early when the signal fires. */
async function wait(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > 0 && !signal.aborted) await sleep(clock, milliseconds, signal).catch(() => undefined);
}
