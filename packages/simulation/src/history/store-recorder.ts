import { createHash } from 'node:crypto';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { TypedObject } from '@binnacle/client/typed';
import type { EventBatch, KeyEvent } from '@binnacle/kv';
import { ClusterState } from './cluster-state.js';
import type { Author, StoreEvent } from './store-event.js';

export interface RecorderOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** The client whose request the server is handling. */
  readonly author: () => Author | undefined;
  /** Called with each event before the state has it. False: the recorder ignores this event and all later ones. */
  readonly admits: (event: StoreEvent) => boolean;
  /** Called with each event once the state has it. */
  readonly onEvent: (event: StoreEvent) => void;
  /** Called with the history: one line of JSON an event, with its line feed. Default: it is not written. */
  readonly write?: ((line: string) => void) | undefined;
}

/** Turns batches of the store into events, and keeps the state that they lead to. */
export class StoreRecorder {
  readonly state = new ClusterState();
  readonly #options: RecorderOptions;
  readonly #hash = createHash('sha256');
  readonly #objects = new Map<string, TypedObject>();
  #step = 0;
  #isOver = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** The number of events. */
  get step(): number {
    return this.#step;
  }

  /** Identifies the whole history: equal for two runs whose events are equal to the byte. Call it once, at the end. */
  digest(): string {
    return this.#hash.digest('hex');
  }

  /** Takes an object that was there before the run. */
  start(key: string, value: Uint8Array): void {
    const object = parse(textOf(value));
    this.#objects.set(key, object);
    this.state.change(undefined, object);
  }

  record({ events, revision }: EventBatch): void {
    for (const event of events) this.#record(event, revision);
  }

  #record(change: KeyEvent, revision: number): void {
    if (this.#isOver) return;
    const { clock, author, admits, onEvent, write } = this.#options;
    const text = change.value === undefined ? undefined : textOf(change.value);
    const event = this.#eventOf(change, text, {
      step: this.#step + 1,
      at: clock.now(),
      author: hasExpired(change, author()) ? undefined : author(),
    });
    if (event === undefined) return;
    if (!admits(event)) {
      this.#isOver = true;
      return;
    }
    this.#step++;
    const line = lineOf(event, { key: change.key, text }, revision);
    this.#hash.update(line);
    write?.(line);
    if (event.after === undefined) this.#objects.delete(change.key);
    else this.#objects.set(change.key, event.after);
    this.state.now = event.at;
    this.state.change(event.before, event.after);
    onEvent(event);
  }

  #eventOf(
    { type, key }: KeyEvent,
    text: string | undefined,
    facts: Pick<StoreEvent, 'step' | 'at' | 'author'>,
  ): StoreEvent | undefined {
    const before = this.#objects.get(key);
    const after = type === 'put' && text !== undefined ? parse(text) : undefined;
    const object = after ?? before;
    if (object === undefined) return undefined;
    const kind = before === undefined ? 'create' : after === undefined ? 'delete' : 'update';
    return { ...facts, type: kind, before, after, object };
  }
}

/** A store deletes Events at the end of their life, also while it serves a request for something else. */
const hasExpired = ({ type, key }: KeyEvent, author: Author | undefined): boolean =>
  type === 'delete' && key.startsWith('/registry/events/') && author?.resource !== 'events';

interface StoredText {
  readonly key: string;
  readonly text: string | undefined;
}

function lineOf({ step, at, type, author }: StoreEvent, { key, text }: StoredText, revision: number): string {
  const head = JSON.stringify({ step, at: new Date(at).toISOString(), revision, type, key, ...author });
  return `${head.slice(0, -1)}${text === undefined ? '' : `,"object":${text}`}}\n`;
}

const textOf = (value: Uint8Array): string => Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString();

/** The simulated server stores JSON of objects that it has validated. */
const parse = (text: string): TypedObject => JSON.parse(text) as TypedObject;
