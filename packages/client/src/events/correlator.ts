import { type Clock, type RateLimit, TokenBucket } from '../clock/index.js';
import { Aggregator } from './aggregator.js';
import type { RecordedEvent } from './event.js';
import type { EventNames } from './event-names.js';
import { keyOf } from './keys.js';
import { LruMap } from './lru-map.js';

/** Defaults are client-go's. */
export interface CorrelatorOptions {
  /** How many different messages of one source, object, type and reason there are before they are combined. Default: 10. */
  readonly maxMessages?: number;
  /** After so many milliseconds without a similar event, that begins anew. Default: 600,000. */
  readonly aggregateInterval?: number;
  /** How many events of one type a source may record about an object. Default: 25 at once, and one every five minutes. */
  readonly rateLimit?: RateLimit;
  /** How many objects are remembered. Default: 4096. */
  readonly cacheSize?: number;
}

/** What is to be written: a new event, or one that was written before, with its new count. */
export interface Correlated {
  readonly event: RecordedEvent;
  readonly isRepeated: boolean;
}

/** Makes few events of many: similar ones are combined, the same ones counted, and who records too many is not heard. Upstream: client-go `EventCorrelator`. */
export class Correlator {
  readonly #clock: Clock;
  readonly #aggregator: Aggregator;
  readonly #recorded: LruMap<string, Recorded>;
  readonly #buckets: LruMap<string, TokenBucket>;
  readonly #rateLimit: RateLimit;

  constructor(clock: Clock, names: EventNames, options: CorrelatorOptions = {}) {
    const { maxMessages = 10, aggregateInterval = 600_000, cacheSize = 4096 } = options;
    this.#clock = clock;
    this.#rateLimit = options.rateLimit ?? { qps: 1 / 300, burst: 25 };
    this.#aggregator = new Aggregator({ clock, names, maxMessages, interval: aggregateInterval, cacheSize });
    this.#recorded = new LruMap(cacheSize);
    this.#buckets = new LruMap(cacheSize);
  }

  /** Undefined: not to be written. It has been counted, which shows with the next that is. */
  correlate(recorded: RecordedEvent): Correlated | undefined {
    const { event, key } = this.#aggregator.aggregate(recorded);
    const before = this.#recorded.get(key);
    const counted = before === undefined ? event : again(before, event);
    const { metadata, firstTimestamp, count } = counted;
    this.#recorded.set(key, { name: metadata.name, firstTimestamp, count });
    if (!this.#bucketOf(event).tryTake()) return undefined;
    return { event: counted, isRepeated: before !== undefined };
  }

  #bucketOf(event: RecordedEvent): TokenBucket {
    const key = keyOf(event, 'type');
    const bucket = this.#buckets.get(key) ?? new TokenBucket(this.#rateLimit, this.#clock);
    this.#buckets.set(key, bucket);
    return bucket;
  }
}

/** The first of those that are the same, and how often it happened. */
interface Recorded {
  readonly name: string;
  readonly firstTimestamp: string;
  readonly count: number;
}

function again({ name, firstTimestamp, count }: Recorded, event: RecordedEvent): RecordedEvent {
  return { ...event, metadata: { ...event.metadata, name }, firstTimestamp, count: count + 1 };
}
