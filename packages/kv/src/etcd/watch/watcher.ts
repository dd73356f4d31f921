import { GuardedSink, type KeyEvent, KVError, type WatchRequest, type WatchSink } from '../../interface/index.js';
import type { WatchAnswer, WatchedEvent } from '../messages/watch-messages.js';

/**
 * - `waiting`: not yet requested on the current stream
 * - `asked`: not yet confirmed by etcd
 * - `checking`: confirmed; whether events were compacted is not known yet
 * - `running`: delivers
 */
export type WatcherState = 'waiting' | 'asked' | 'checking' | 'running';

/** One watch and what it has delivered, across any number of streams. */
export class Watcher {
  readonly id: number;
  readonly prefix: string;
  readonly withPrevious: boolean;
  readonly #sink: GuardedSink;
  readonly #signal: AbortSignal;
  readonly #over: (watcher: Watcher) => void;
  readonly #abort = (): void => this.#finish();
  state: WatcherState = 'waiting';
  /** Its token was rejected once, and a new one was fetched since. */
  refused = false;
  /** Everything up to this revision has been delivered, or precedes the start of the watch. */
  position: number;
  #ended = false;
  #held: WatchAnswer[] = [];
  #fragments: WatchedEvent[] = [];

  constructor(
    id: number,
    request: WatchRequest,
    sink: WatchSink,
    { signal, over }: { readonly signal: AbortSignal; readonly over: (watcher: Watcher) => void },
  ) {
    this.id = id;
    this.prefix = request.prefix;
    this.withPrevious = request.withoutPrevious !== true;
    this.position = request.fromRevision;
    this.#sink = new GuardedSink(sink, (error) => this.end(error));
    this.#signal = signal;
    this.#over = over;
    signal.addEventListener('abort', this.#abort, { once: true });
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** A new stream begins: drops incomplete answers of the old one, which come again. */
  restart(): void {
    this.state = 'waiting';
    this.#held = [];
    this.#fragments = [];
  }

  /** Delivers the events of an answer once all its fragments are there; without events, reports progress. */
  accept(answer: WatchAnswer): void {
    if (this.state !== 'running') {
      this.#held.push(answer);
      return;
    }
    if (answer.fragment || this.#fragments.length > 0) {
      for (const event of answer.events) this.#fragments.push(event);
      if (answer.fragment) return;
      const events = this.#fragments;
      this.#fragments = [];
      this.#deliver(events);
    } else if (answer.events.length > 0) {
      this.#deliver(answer.events);
    } else {
      this.progress(answer.revision);
    }
  }

  /** Starts delivery: no undelivered event has been compacted. */
  run(): void {
    this.state = 'running';
    const held = this.#held;
    this.#held = [];
    for (const answer of held) if (!this.#ended) this.accept(answer);
  }

  progress(revision: number): void {
    if (this.state !== 'running' || this.#fragments.length > 0 || revision <= this.position) return;
    this.position = revision;
    this.#sink.progress(revision);
  }

  end(error: KVError): void {
    if (this.#ended) return;
    this.#finish();
    this.#sink.ended(error);
  }

  #deliver(events: readonly WatchedEvent[]): void {
    for (let index = 0; index < events.length && !this.#ended; ) {
      const revision = events[index]?.current.modRevision ?? 0;
      const batch: KeyEvent[] = [];
      for (; index < events.length; index += 1) {
        const event = events[index];
        if (event === undefined || event.current.modRevision !== revision) break;
        const converted = this.withPrevious ? keyEventOf(event) : eventAlone(event);
        if (converted === undefined) return this.end(previousIsGone(revision));
        batch.push(converted);
      }
      if (revision <= this.position) continue;
      this.position = revision;
      this.#sink.batch({ revision, events: batch });
    }
  }

  #finish(): void {
    this.#ended = true;
    this.#held = [];
    this.#fragments = [];
    this.#signal.removeEventListener('abort', this.#abort);
    this.#over(this);
  }
}

/** Undefined if the previous value is needed and etcd did not find it. */
function keyEventOf({ deleted, current, previous }: WatchedEvent): KeyEvent | undefined {
  const { key, value, createRevision, modRevision } = current;
  if (deleted) {
    return previous && { type: 'delete', key, createRevision: previous.createRevision, previous };
  }
  if (previous !== undefined) return { type: 'put', key, value, createRevision, previous };
  return createRevision === modRevision ? { type: 'put', key, value, createRevision } : undefined;
}

function eventAlone({ deleted, current: { key, value, createRevision } }: WatchedEvent): KeyEvent {
  return deleted ? { type: 'delete', key, createRevision } : { type: 'put', key, value, createRevision };
}

function previousIsGone(revision: number): KVError {
  return new KVError('compacted', `the value before revision ${revision} was compacted before the event was delivered`);
}
