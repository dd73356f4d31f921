import { type Clock, type RateLimit, TokenBucket } from '@binnacle/apimachinery/clock';
import type { Transport } from '@binnacle/client/transport';
import type { LoopSettings } from '../loop/index.js';
import type { LoopFacts } from '../table/index.js';

const QPS = 50;
const BURST = 2000;
/** So that the dependents of a large object do not outlive it for minutes. */
const BULK_FACTOR = 4;

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * How often a loop writes. It shares the process of the server by default, so a flood of writes that one object causes must leave time for requests.
 */
export function writeLimitOf({ writesInBulk }: LoopFacts, { kubeApiQps, kubeApiBurst }: LoopSettings): RateLimit {
  const qps = kubeApiQps ?? QPS;
  return { qps: writesInBulk === true ? qps * BULK_FACTOR : qps, burst: kubeApiBurst ?? BURST };
}

/** Delays writes beyond the limit, in order. Reads pass: a loop reads from caches, and its lists and watches must not wait. */
export function withWriteLimit(transport: Transport, limit: RateLimit, clock: Clock): Transport {
  const bucket = new TokenBucket(limit, clock);
  return {
    send: async (request, options) => {
      if (!reads.has(request.method)) await bucket.take(options?.signal);
      return transport.send(request, options);
    },
    close: async () => transport.close(),
    [Symbol.asyncDispose]: async () => transport.close(),
  };
}
