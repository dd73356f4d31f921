import { KVError } from '@binnacle/kv';
import { proxyKV } from './proxy-kv.mjs';

export const CONNECTION_LOST = 'the connection to the store was lost';

const WRITE_FAILS = 0.02;
const READ_FAILS = 0.01;
const FEEDS_BREAK_AFTER_MS = 1500;

/**
 * Keeps the contract of a remote store with an unreliable connection: writes fail, done or not, reads fail, and
 * watches end. Reliable until `armed()` is true.
 */
export function flakyKV(kv, armed) {
  const unavailable = () => new KVError('unavailable', CONNECTION_LOST);
  const fails = (probability) => armed() && Math.random() < probability;
  return proxyKV(kv, {
    range: async (request, signal) => {
      if (fails(READ_FAILS)) throw unavailable();
      return kv.range(request, signal);
    },
    currentRevision: async (signal) => {
      if (fails(READ_FAILS)) throw unavailable();
      return kv.currentRevision(signal);
    },
    txn: async (request, signal) => {
      if (fails(WRITE_FAILS / 2)) throw unavailable();
      const result = await kv.txn(request, signal);
      if (fails(WRITE_FAILS / 2)) throw unavailable();
      return result;
    },
    watch: (request, sink, signal) => {
      const own = new AbortController();
      const end = (error) => {
        clearInterval(timer);
        own.abort();
        if (error !== undefined) sink.ended(error);
      };
      const timer = setInterval(() => {
        if (fails(0.2)) end(unavailable());
      }, FEEDS_BREAK_AFTER_MS);
      timer.unref();
      signal.addEventListener('abort', () => end(undefined), { once: true });
      kv.watch(
        request,
        {
          batch: (batch) => sink.batch(batch),
          progress: (revision) => sink.progress(revision),
          ended: end,
        },
        own.signal,
      );
    },
  });
}
