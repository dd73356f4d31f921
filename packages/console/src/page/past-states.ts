import { messageOf } from '@binnacle/apimachinery/errors';
import { batch, signal } from '@preact/signals';
import { type ChangeLog, Collection, PATHS } from '../model/index.js';
import type { Connection } from './connection.js';

/** A point of the history: a time, or a resourceVersion and the time when it was made. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly version?: string;
}

/** The moment of the past that the page shows, if any, and the one to compare it with. */
export class PastStates {
  /** The moment that was chosen; undefined: now. */
  readonly moment = signal<Moment | undefined>(undefined);
  /** The objects at that moment. While they load, those of the moment that was chosen before. */
  readonly shown = signal<Collection | undefined>(undefined);
  readonly isLoading = signal(false);
  /** Why there is no state of the chosen moment. */
  readonly error = signal('');
  /** The moment to compare with. */
  readonly mark = signal<Moment | undefined>(undefined);
  readonly #connection: Connection;
  readonly #hasHistory: boolean;
  readonly #log: ChangeLog;
  #loading = new AbortController();

  constructor(connection: Connection, hasHistory: boolean, log: ChangeLog) {
    this.#connection = connection;
    this.#hasHistory = hasHistory;
    this.#log = log;
  }

  /** Shows the objects as they were; undefined: as they are. A later call replaces one that is loading. */
  goTo(moment: Moment | undefined): void {
    this.#loading.abort();
    this.#loading = new AbortController();
    batch(() => {
      this.moment.value = moment;
      this.error.value = '';
      this.isLoading.value = moment !== undefined;
      if (moment === undefined) this.shown.value = undefined;
    });
    if (moment !== undefined) void this.#show(moment, this.#loading.signal);
  }

  /** All objects at a moment. Rejects if the server no longer has that state. */
  async load(moment: Moment, abort: AbortSignal): Promise<Collection> {
    const collection = new Collection();
    for await (const each of this.#connection.stream(`${PATHS.past}?${this.#query(moment)}`, abort)) {
      collection.apply(each);
    }
    return collection;
  }

  async #show(moment: Moment, abort: AbortSignal): Promise<void> {
    try {
      const collection = await this.load(moment, abort);
      if (abort.aborted) return;
      batch(() => {
        this.shown.value = collection;
        this.isLoading.value = false;
      });
    } catch (error) {
      if (abort.aborted) return;
      batch(() => {
        this.error.value = messageOf(error);
        this.isLoading.value = false;
      });
    }
  }

  /** A server without history cannot read at a time. For it, the query names the newest version that the page had seen by then. */
  #query({ time, version }: Moment): string {
    const known = version ?? (this.#hasHistory ? undefined : this.#versionAt(time));
    if (known !== undefined) return new URLSearchParams({ version: known }).toString();
    return new URLSearchParams({ time: new Date(time).toISOString() }).toString();
  }

  #versionAt(time: number): string | undefined {
    const { changes } = this.#log;
    return (changes.findLast((change) => change.time <= time && change.type !== 'gone') ?? changes[0])?.version;
  }
}
