import type { Probe } from '@binnacle/client/kinds/core/v1';

/** The results of a probe of one container. */
export interface ProbeState {
  /** The result that counts; undefined: there is none yet. */
  readonly isHealthy: boolean | undefined;
  /** The last result, and how often it came in a row. */
  readonly last: boolean | undefined;
  readonly streak: number;
}

export const NO_RESULT: ProbeState = { isHealthy: undefined, last: undefined, streak: 0 };

/** A result counts once it has come as often in a row as the probe says. Upstream: kubelet prober `worker.doProbe`. */
export function nextProbeState(
  { isHealthy, last, streak }: ProbeState,
  succeeded: boolean,
  { failureThreshold = 3, successThreshold = 1 }: Probe,
): ProbeState {
  const count = last === succeeded ? streak + 1 : 1;
  const counts = count >= (succeeded ? successThreshold : failureThreshold);
  return { isHealthy: counts ? succeeded : isHealthy, last: succeeded, streak: count };
}
