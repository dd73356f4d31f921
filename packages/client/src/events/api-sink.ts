import { type Clock, type Random, sleep, systemClock, systemRandom, TimeoutError } from '@binnacle/apimachinery/clock';
import type { DynamicClient, ResourceClient } from '../dynamic/index.js';
import { Event } from '../kinds/generated/core/v1.js';
import { hasCause, isAlreadyExists, isNotFound, isServiceUnavailable, UnexpectedResponseError } from '../rest/index.js';
import { ConnectionError, type SendOptions } from '../transport/index.js';
import { type Correlated, Correlator, type CorrelatorOptions } from './correlator.js';
import { EventNames, type RecordedEvent } from './event.js';
import type { EventSink } from './sink.js';

export interface ApiSinkOptions extends CorrelatorOptions {
  readonly clock?: Clock;
  readonly random?: Random;
}

const MAX_TRIES = 12;
const RETRY_MILLISECONDS = 10_000;
const TIMEOUT_MILLISECONDS = 10_000;

/**
 * Writes events to a server, after correlation by a {@link Correlator}. While no server answers, it tries 12 times, 10 s apart. It rejects
 * with a refusal of the server at once.
 */
export class ApiSink implements EventSink {
  readonly #events: ResourceClient<Event>;
  readonly #correlator: Correlator;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(client: DynamicClient, options: ApiSinkOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#events = client.resource(Event);
    this.#correlator = new Correlator(this.#clock, new EventNames(this.#random), options);
  }

  async record(event: RecordedEvent, signal: AbortSignal): Promise<void> {
    const correlated = this.#correlator.correlate(event);
    if (correlated === undefined) return;
    for (let tries = 1; ; tries++) {
      try {
        await this.#write(correlated, { signal, timeout: TIMEOUT_MILLISECONDS });
        return;
      } catch (error) {
        if (isAlreadyExists(error) || hasCause(error, 'NamespaceTerminating')) return;
        if (tries === MAX_TRIES || !isUnanswered(error)) throw error;
      }
      // The first delay is random, so that clients do not retry all at once.
      await sleep(this.#clock, RETRY_MILLISECONDS * (tries === 1 ? this.#random.number() : 1), signal);
    }
  }

  async #write({ event, isRepeated }: Correlated, options: SendOptions): Promise<void> {
    const { metadata, count, message, lastTimestamp } = event;
    const inNamespace = this.#events.namespace(metadata.namespace);
    if (isRepeated) {
      try {
        await inNamespace.patch(metadata.name, { type: 'merge', body: { count, message, lastTimestamp } }, options);
        return;
      } catch (error) {
        // The server has deleted the first event, so create it again.
        if (!isNotFound(error)) throw error;
      }
    }
    await inNamespace.create(event, options);
  }
}

/** No API server answered. */
function isUnanswered(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    error instanceof UnexpectedResponseError ||
    isServiceUnavailable(error)
  );
}
