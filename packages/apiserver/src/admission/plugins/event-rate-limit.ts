import { createHash } from 'node:crypto';
import type { Event } from '@binnacle/api/types/core-v1';
import { LruMap } from '@binnacle/apimachinery/caches';
import { type Clock, TokenBucket } from '@binnacle/apimachinery/clock';
import { asKind } from '@binnacle/apimachinery/meta';
import { tooManyRequests } from '@binnacle/apimachinery/status';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';

/** In characters. A longer key is kept as a hash, which is shorter. */
const LONGEST_KEPT_KEY = 256;

export const EVENT_LIMIT_TYPES = ['Server', 'Namespace', 'User', 'SourceAndObject'] as const;

/** A limit on the events of the whole server, or of each namespace, user, or source and object. */
export interface EventLimit {
  readonly type: (typeof EVENT_LIMIT_TYPES)[number];
  /** Events a second. */
  readonly qps: number;
  readonly burst: number;
  /** The number of keys with a bucket of their own; the least recently used one is forgotten. */
  readonly cacheSize: number;
}

/**
 * Refuses events beyond configured rates. A refused event uses up its share of the other limits too. As in upstream,
 * events of the group events.k8s.io have no limit.
 * Upstream: `plugin/pkg/admission/eventratelimit`.
 */
export function eventRateLimit(limits: readonly EventLimit[], clock: Clock): AdmissionPlugin {
  const enforcers = limits.map((limit) => enforcerOf(limit, clock));
  return {
    name: 'EventRateLimit',
    resources: ['events'],
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    validate(attributes) {
      if (attributes.dryRun) return;
      const reached = enforcers.map((accept) => accept(attributes)).findLast((message) => message !== undefined);
      if (reached !== undefined) throw tooManyRequests(`Too many requests: ${reached}`);
    },
  };
}

/** Takes from the bucket of a request. Returns the message when it is empty. */
function enforcerOf({ type, qps, burst, cacheSize }: EventLimit, clock: Clock) {
  const buckets = new LruMap<string, TokenBucket>(type === 'Server' ? 1 : cacheSize);
  return (attributes: AdmissionAttributes): string | undefined => {
    const key = keyOf(type, attributes);
    const kept = keptKey(key);
    const known = buckets.get(kept);
    const bucket = known ?? new TokenBucket({ qps, burst }, clock);
    if (known === undefined) buckets.set(kept, bucket);
    return bucket.tryTake() ? undefined : `limit reached on type ${type} for key ${key}`;
  };
}

/** A key is text of an event, and may be as long as the event. A long one is kept as a hash. */
function keptKey(key: string): string {
  return key.length <= LONGEST_KEPT_KEY ? key : createHash('sha256').update(key).digest('base64');
}

function keyOf(type: EventLimit['type'], { namespace, user, object }: AdmissionAttributes): string {
  switch (type) {
    case 'Server':
      return '';
    case 'Namespace':
      return namespace;
    case 'User':
      return user.name;
    case 'SourceAndObject': {
      const { source, involvedObject } = asKind<Event>(object) ?? {};
      const { kind, namespace: objectNamespace, name, uid, apiVersion } = involvedObject ?? {};
      return [source?.component, source?.host, kind, objectNamespace, name, uid, apiVersion].join('');
    }
  }
}
