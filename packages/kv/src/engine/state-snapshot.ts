import { setImmediate as nextTurn } from 'node:timers/promises';
import { SerialQueue } from '@binnacle/apimachinery/turns';
import type { KVSnapshot } from '../interface/index.js';
import type { Backend, IndexEntry, LogRecord, Origin, Pointer, Write } from './backend.js';
import { noteChanges, noteMostChanges } from './changed-keys.js';
import type { Pin } from './compaction.js';
import { damagedKeys, soundRecord } from './damage.js';
import { noValue, type Round, toEvent, toKeyValue, type WatchableEvent } from './round.js';
import type { Writer } from './writer.js';

export interface StateSnapshotOptions {
  readonly backend: Backend;
  readonly writer: Writer;
  readonly revision: number;
  /** Keeps the values that were current at the revision. */
  readonly pin: Pin;
  /** Throws if the store is closed. */
  readonly checkOpen: () => void;
}

/** The keys that have changed since the snapshot, with their pointers in the snapshot. */
type Changed = Map<string, Pointer | undefined>;

/** See {@link KVSnapshot}. A restore costs as much as the writes since the last one, whatever the size of the store. */
export class StateSnapshot implements KVSnapshot {
  readonly revision: number;
  readonly #options: StateSnapshotOptions;
  /** The newest revision that is known to have the state of the snapshot. */
  #restored: number;
  #isReleased = false;
  readonly #restores = new SerialQueue();

  constructor(options: StateSnapshotOptions) {
    this.#options = options;
    this.revision = options.revision;
    this.#restored = options.revision;
  }

  restore(): Promise<number> {
    return this.#restores.run(() => this.#restore());
  }

  release(): void {
    this.#isReleased = true;
    this.#options.pin.release();
  }

  async #restore(): Promise<number> {
    const { backend, writer, pin, checkOpen } = this.#options;
    checkOpen();
    if (this.#isReleased) throw new RangeError('the snapshot has been released');
    const changed: Changed = new Map();
    const revision = (): number => writer.revision;
    const seen = await noteMostChanges({ backend, revision, from: this.#restored, changed, pause: nextTurn });
    this.#restored = await writer.batch((revision, time) => {
      noteChanges(backend, changed, seen, revision);
      return undoChanges(backend, changed, revision, { time });
    });
    pin.advance(this.#restored);
    return this.#restored;
  }
}

/** The writes that give each changed key its value of the snapshot. Throws `corrupt`. */
function undoChanges(backend: Backend, changed: Changed, committed: number, origin: Origin): Round {
  const writes: Write[] = [];
  const events: WatchableEvent[] = [];
  let revision = committed;
  for (const [key, was] of changed) {
    const now = backend.pointer(key);
    if (now?.modRevision === was?.modRevision) continue;
    const before = now && recordAt(backend, { key, ...now });
    const wanted = was && recordAt(backend, { key, ...was });
    revision += 1;
    const record: LogRecord = {
      type: wanted === undefined ? 'delete' : 'put',
      key,
      createRevision: now?.createRevision ?? revision,
      previousRevision: now?.modRevision ?? 0,
      expiresAt: wanted?.expiresAt ?? 0,
      tag: wanted?.tag ?? 0,
      value: wanted?.value ?? noValue,
    };
    writes.push({ revision, record, previousExpiresAt: before?.expiresAt ?? 0, forDeletion: false, origin });
    const previous = before && now && toKeyValue(before, now.modRevision);
    events.push({ revision, event: toEvent(record, previous) });
  }
  return { results: [], writes, events };
}

function recordAt(backend: Backend, entry: IndexEntry): LogRecord {
  const record = soundRecord(backend, entry);
  if (record === undefined) throw damagedKeys([{ key: entry.key, revision: entry.modRevision }]);
  return record;
}
