/** One thing that must be well. */
export interface HealthCheck {
  /** Shown, and part of the path of the single check: `ping`, `poststarthook/start-informers`. */
  readonly name: string;
  /** Checks of one group are left out together: `?exclude=<group>`. */
  readonly group?: string;
  /** Which roots it belongs to. Default: all three. */
  readonly roots?: readonly HealthRoot[];
  /** Throws or rejects when not well; the signal aborts when nobody waits for the answer any more. */
  check(signal: AbortSignal): void | Promise<void>;
}

export type HealthRoot = 'livez' | 'readyz' | 'healthz';

/** Passes as long as the process answers at all. */
export const pingCheck: HealthCheck = { name: 'ping', check: () => undefined };

/** `isBlocked`: whether log lines have been waiting to be written for too long. */
export function logCheck(isBlocked: () => boolean): HealthCheck {
  return {
    name: 'log',
    check: () => {
      if (isBlocked()) throw new Error('logging blocked');
    },
  };
}

/** How long a store may take to say that it is well. Upstream: `--etcd-healthcheck-timeout`, `--etcd-readycheck-timeout`. */
const STORE_TIMEOUT_MS = 2000;

type StoreProbe = (signal: AbortSignal) => Promise<void>;

/**
 * The store answers, and takes writes unless `isFull` says that it has no space for them: no restart mends that.
 * It bears upstream's name, which is what monitoring excludes and alerts on.
 */
export function storeCheck(
  probe: StoreProbe,
  isFull: (failure: unknown) => boolean,
  timeoutMs = STORE_TIMEOUT_MS,
): HealthCheck {
  return {
    name: 'etcd',
    check: (signal) =>
      inTime(probe, signal, timeoutMs).catch((error: unknown) => {
        if (!isFull(error)) throw error;
      }),
  };
}

/** Ready while the store answers and takes writes. It bears upstream's name. */
export function storeReadinessCheck(probe: StoreProbe, timeoutMs = STORE_TIMEOUT_MS): HealthCheck {
  return { name: 'etcd-readiness', roots: ['readyz'], check: (signal) => inTime(probe, signal, timeoutMs) };
}

async function inTime(probe: StoreProbe, signal: AbortSignal, timeoutMs: number): Promise<void> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    await probe(AbortSignal.any([signal, timeout]));
  } catch (error) {
    throw timeout.aborted ? new Error('context deadline exceeded', { cause: error }) : error;
  }
}

/** Ready once every cache has its first contents. `waiting` names those that have not. */
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
 * Ready while every cache that anybody has asked for is there. `waiting` names those that are still being built, or have
 * lost the store: whoever asks them now waits, or is told to come back. One that nobody has asked for is not missed.
 * It bears upstream's name; upstream builds all caches at the start, and looks only then.
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

/** Not ready once `draining` has aborted, though requests are still answered: load balancers move on meanwhile. */
export function shutdownCheck(draining: AbortSignal): HealthCheck {
  return {
    name: 'shutdown',
    roots: ['readyz'],
    check: () => {
      if (draining.aborted) throw new Error('process is shutting down');
    },
  };
}
