import type { Clock } from '../clock/index.js';
import type { EventRecorder } from '../events/index.js';

/** Durations are milliseconds. Their defaults are those of Kubernetes' own components. */
export interface LeaderElectionOptions {
  /** Of the Lease that the candidates share. */
  readonly namespace: string;
  readonly name: string;
  /** Tells the candidates apart: no two may have the same. Default: the host's name and a random UUID. */
  readonly identity?: string;
  /** How long the others wait for a leader that is silent. Whole seconds. Default: 15,000. */
  readonly leaseDuration?: number;
  /** A leader that could not renew the lease for so long is none any more. Default: 10,000. */
  readonly renewDeadline?: number;
  /** The leader renews, and the others look, this often; the others wait up to 2.2 times as long, by chance. Default: 2,000. */
  readonly retryPeriod?: number;
  /** Empty the lease when the work has ended, so that the next one need not wait. Default: true. */
  readonly releaseOnStop?: boolean;
  /** Hears of each leader that is not the one before, this one included. */
  readonly onNewLeader?: (identity: string) => void;
  /** Hears of requests that failed, and of what `onNewLeader` throws. Default: a warning of this process. */
  readonly onError?: (error: unknown) => void;
  /** Records on the Lease who became leader, and who stopped to be. */
  readonly recorder?: EventRecorder;
  readonly clock?: Clock;
  /** From 0 to below 1. Default: Math.random. */
  readonly random?: () => number;
}

export interface LeaseTimes {
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
  /** How long one try to have the lease may take, so that one that hangs does not cost the leadership. */
  readonly tryTimeout: number;
}

/** The others wait longer than the period by up to this share of it. */
export const JITTER = 1.2;

/** Throws a RangeError for times with which two could lead at once, or nobody for long. */
export function timesOf(options: LeaderElectionOptions): LeaseTimes {
  const { leaseDuration = 15_000, renewDeadline = 10_000, retryPeriod = 2_000 } = options;
  if (!(leaseDuration >= 1000) || leaseDuration % 1000 !== 0) {
    throw new RangeError(
      `leaseDuration is ${leaseDuration}, and must be whole seconds, in milliseconds: a Lease holds no others`,
    );
  }
  if (!(retryPeriod > 0)) throw new RangeError(`retryPeriod is ${retryPeriod}, and must be above 0`);
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
