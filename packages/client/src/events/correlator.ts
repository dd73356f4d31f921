import { LruMap } from '@binnacle/apimachinery/caches';
import { formatTime } from '@binnacle/apimachinery/time';
import { type Clock, type RateLimit, TokenBucket } from '@binnacle/apimachinery/clock';
import { type EventNames, keyOf, type RecordedEvent } from './event.js';

/** Defaults are client-go's. */
export interface CorrelatorOptions {
  /** The number of different messages of one source, object, type and reason from which they are combined. Default: 10. */
  readonly maxMessages?: number;
  /** Milliseconds without a similar event after which combining ends. Default: 600,000. */
  readonly aggregateInterval?: number;
  /** The rate of events of one source, object and type. Default: a burst of 25, then one every five minutes. */
  readonly rateLimit?: RateLimit;
  /** The size of each cache. Default: 4096. */
  readonly cacheSize?: number;
}

/** An event to write: a new one, or with `isRepeated` an earlier one with its new count. */
export interface Correlated {
  readonly event: RecordedEvent;
  readonly isRepeated: boolean;
}

/** Combines similar events, counts equal ones and limits the rate of each source. Upstream: client-go `EventCorrelator`. */
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

  /** Undefined if the event is over its rate limit. It still counts, which the next written event shows. */
  correlate(recorded: RecordedEvent): Correlated | undefined {
    const { event, key } = this.#aggregator.aggregate(recorded);
    const before = this.#recorded.get(key);
    const counted = before === undefined ? event : repeated(before, event);
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

/** The first of equal events, and their number. */
interface Recorded {
  readonly name: string;
  readonly firstTimestamp: string;
  readonly count: number;
}

function repeated({ name, firstTimestamp, count }: Recorded, event: RecordedEvent): RecordedEvent {
  return { ...event, metadata: { ...event.metadata, name }, firstTimestamp, count: count + 1 };
}

/** Combines events of one source, object, type and reason that have many different messages. */
class Aggregator {
  readonly #options: AggregatorOptions;
  readonly #similar: LruMap<string, Similar>;

  constructor(options: AggregatorOptions) {
    this.#options = options;
    this.#similar = new LruMap(options.cacheSize);
  }

  /** The event or the combined one. Events with the same key are repetitions. */
  aggregate(event: RecordedEvent): { readonly event: RecordedEvent; readonly key: string } {
    const { clock, maxMessages, interval } = this.#options;
    const now = clock.now();
    const key = keyOf(event, 'reason');
    const known = this.#similar.get(key);
    const messages = known !== undefined && now - known.lastSeen <= interval ? known.messages : new Set<string>();
    this.#similar.set(key, { messages, lastSeen: now });
    // Messages seen before the limit keep their own events.
    if (messages.has(event.message) || messages.size + 1 < maxMessages) {
      messages.add(event.message);
      return { event, key: keyOf(event, 'message') };
    }
    return { event: this.#combined(event, now), key };
  }

  #combined(event: RecordedEvent, now: number): RecordedEvent {
    const name = this.#options.names.next(event.involvedObject.name, now);
    const time = formatTime(now);
    return {
      ...event,
      metadata: { ...event.metadata, name },
      message: `(combined from similar events): ${event.message}`,
      firstTimestamp: time,
      lastTimestamp: time,
    };
  }
}

interface AggregatorOptions {
  readonly clock: Clock;
  readonly names: EventNames;
  /** The number of different messages from which they are combined. */
  readonly maxMessages: number;
  /** Milliseconds without a similar event after which combining ends. */
  readonly interval: number;
  readonly cacheSize: number;
}

interface Similar {
  readonly messages: Set<string>;
  readonly lastSeen: number;
}
