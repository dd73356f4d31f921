import { formatTime } from '@binnacle/apimachinery/time';
import type { Clock } from '../clock/index.js';
import type { RecordedEvent } from './event.js';
import type { EventNames } from './event-names.js';
import { keyOf } from './keys.js';
import { LruMap } from './lru-map.js';

/** Makes one event of many that are similar: of one source, object, type and reason, with ever other messages. */
export class Aggregator {
  readonly #options: AggregatorOptions;
  readonly #similar: LruMap<string, Similar>;

  constructor(options: AggregatorOptions) {
    this.#options = options;
    this.#similar = new LruMap(options.cacheSize);
  }

  /** The event, or the one that stands for it and others; those with the same key are one that happened again. */
  aggregate(event: RecordedEvent): { readonly event: RecordedEvent; readonly key: string } {
    const { clock, maxMessages, interval } = this.#options;
    const now = clock.now();
    const key = keyOf(event, 'reason');
    const known = this.#similar.get(key);
    const messages = known !== undefined && now - known.lastSeen <= interval ? known.messages : new Set<string>();
    this.#similar.set(key, { messages, lastSeen: now });
    // Those that had a message of their own before there were too many keep it.
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

export interface AggregatorOptions {
  readonly clock: Clock;
  readonly names: EventNames;
  /** From this many different messages on, they are combined. */
  readonly maxMessages: number;
  /** After so many milliseconds without a similar event, all begins anew. */
  readonly interval: number;
  readonly cacheSize: number;
}

interface Similar {
  readonly messages: Set<string>;
  readonly lastSeen: number;
}
