import { type Clock, Deadline } from '@binnacle/apimachinery/clock';

/** One health check. */
export interface HealthCheck {
  /** Part of the report and of the check's own path: `ping`, `poststarthook/start-informers`. */
  readonly name: string;
  /** One parameter excludes all checks of a group: `?exclude=<group>`. */
  readonly group?: string;
  /** The roots that run this check. Default: all three. */
  readonly roots?: readonly HealthRoot[];
  /** Throws or rejects when unhealthy. The signal aborts when the request ends. */
  check(signal: AbortSignal): void | Promise<void>;
}

export type HealthRoot = 'livez' | 'readyz' | 'healthz';

/** Passes whenever the process answers. */
export const pingCheck: HealthCheck = { name: 'ping', check: () => undefined };

/** `isBlocked` tells whether log lines have waited too long to be written. */
export function logCheck(isBlocked: () => boolean): HealthCheck {
  return {
    name: 'log',
    check: () => {
      if (isBlocked()) throw new Error('logging blocked');
    },
  };
}

/** The time limit of the store checks. Upstream: `--etcd-healthcheck-timeout`, `--etcd-readycheck-timeout`. */
const STORE_TIMEOUT_MS = 2000;

type StoreProbe = (signal: AbortSignal) => Promise<void>;

/**
 * Passes while the store answers and accepts writes. A full disk (`isFull`) also passes, because a restart would not
 * help. The check has upstream's name, which monitoring excludes and alerts on.
 */
export function storeCheck(
  clock: Clock,
  probe: StoreProbe,
  isFull: (failure: unknown) => boolean,
  timeoutMs = STORE_TIMEOUT_MS,
): HealthCheck {
  return {
    name: 'etcd',
    check: (signal) =>
      inTime(clock, probe, signal, timeoutMs).catch((error: unknown) => {
        if (!isFull(error)) throw error;
      }),
  };
}

/** Ready while the store answers and accepts writes. It has upstream's name. */
export function storeReadinessCheck(clock: Clock, probe: StoreProbe, timeoutMs = STORE_TIMEOUT_MS): HealthCheck {
  return { name: 'etcd-readiness', roots: ['readyz'], check: (signal) => inTime(clock, probe, signal, timeoutMs) };
}

async function inTime(clock: Clock, probe: StoreProbe, signal: AbortSignal, timeoutMs: number): Promise<void> {
  using timeout = new Deadline(clock, timeoutMs, undefined, 'the store');
  try {
    await probe(AbortSignal.any([signal, timeout.signal]));
  } catch (error) {
    throw timeout.signal.aborted ? new Error('context deadline exceeded', { cause: error }) : error;
  }
}

/** Ready once every cache is initialized. `waiting` names the other caches. */
export function informerSyncCheck(waiting: () => readonly string[]): HealthCheck {
  return {
    name: 'informer-sync',
    roots: ['readyz'],
    check: () => {
      const names = waiting();
      if (names.length > 0) throw new Error(`${names.length} informers not started yet: [${names.join(' ')}]`);
    },
  };
}

/**
 * Ready while every cache that has been requested is initialized. `waiting` names those that are being built or have
 * lost the store. Requests for them wait or get 429. A cache that was never requested does not count. The check has
 * upstream's name. Upstream builds all caches at the start, and checks them only then, at all roots.
 */
export function storageReadinessCheck(waiting: () => readonly string[]): HealthCheck {
  return {
    name: 'poststarthook/storage-readiness',
    roots: ['readyz'],
    check: () => {
      const names = waiting();
      if (names.length > 0) throw new Error(`${names.length} storages not ready yet: [${names.join(' ')}]`);
    },
  };
}

/** Passes once all APIServices of this server have been available. `waiting` names the others. */
export function autoRegistrationCheck(waiting: () => readonly string[]): Pick<HealthCheck, 'name' | 'check'> {
  return {
    name: 'autoregister-completion',
    check: () => {
      const names = waiting();
      if (names.length > 0) throw new Error(`missing APIService: [${names.join(' ')}]`);
    },
  };
}

/** Not ready once `draining` has aborted. Requests are still answered while load balancers move to other servers. */
export function shutdownCheck(draining: AbortSignal): HealthCheck {
  return {
    name: 'shutdown',
    roots: ['readyz'],
    check: () => {
      if (draining.aborted) throw new Error('process is shutting down');
    },
  };
}
