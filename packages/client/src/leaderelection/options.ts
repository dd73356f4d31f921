import type { Clock, Random } from '@binnacle/apimachinery/clock';
import type { EventRecorder } from '../events/index.js';

/** Durations are milliseconds. The defaults are those of Kubernetes' components. */
export interface LeaderElectionOptions {
  /** The namespace and name of the Lease that the candidates share. */
  readonly namespace: string;
  readonly name: string;
  /** Must be unique for each candidate. Default: the host's name and a random UUID. */
  readonly identity?: string;
  /** How long candidates wait for a leader that does not renew. Whole seconds. Default: 15,000. */
  readonly leaseDuration?: number;
  /** A leader that has not renewed for this long loses leadership. Default: 10,000. */
  readonly renewDeadline?: number;
  /** The interval of renewals and of attempts to acquire; the latter have jitter of up to 120 %. Default: 2,000. */
  readonly retryPeriod?: number;
  /** Release the lease when the work has ended, so that the next candidate need not wait. Default: true. */
  readonly releaseOnStop?: boolean;
  /** Called for each change of the leader, this candidate included. */
  readonly onNewLeader?: (identity: string) => void;
  /** Called for failed requests and for errors of `onNewLeader`. Default: emits a process warning. */
  readonly onError?: (error: unknown) => void;
  /** Records an event on the Lease when this candidate becomes leader or stops leading. */
  readonly recorder?: EventRecorder;
  readonly clock?: Clock;
  readonly random?: Random;
}

export interface LeaseTimes {
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
  /** The timeout of one request, so that a hanging one does not cost the leadership. */
  readonly tryTimeout: number;
}

/** The jitter of candidates, as a share of the retry period. */
export const JITTER = 1.2;

/** Throws a RangeError for durations with which two candidates could lead at once. */
export function timesOf(options: LeaderElectionOptions): LeaseTimes {
  const { leaseDuration = 15_000, renewDeadline = 10_000, retryPeriod = 2_000 } = options;
  if (!(leaseDuration >= 1000) || leaseDuration % 1000 !== 0) {
    throw new RangeError(
      `leaseDuration is ${leaseDuration} and must be a multiple of 1000 milliseconds: a Lease stores whole seconds`,
    );
  }
  if (!(retryPeriod > 0)) throw new RangeError(`retryPeriod is ${retryPeriod} and must be above 0`);
  if (!(leaseDuration > renewDeadline)) {
    throw new RangeError(`leaseDuration (${leaseDuration}) must be longer than renewDeadline (${renewDeadline})`);
  }
  if (!(renewDeadline > retryPeriod * JITTER)) {
    throw new RangeError(
      `renewDeadline (${renewDeadline}) must be longer than ${JITTER} times retryPeriod (${retryPeriod})`,
    );
  }
  const tryTimeout = Math.min(renewDeadline, Math.max(1000, renewDeadline / 2));
  return { leaseDuration, renewDeadline, retryPeriod, tryTimeout };
}
