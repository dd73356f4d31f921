import { type Condenser, unlessDamaged } from '../engine/index.js';
import type { Environment } from './environment.js';
import { condense, type CondensedRecord, copyOf, type RecordReader } from './format/condensed-record.js';
import { replaceRecords } from './replace-records.js';
import { encodeLogKey } from './format/layout.js';
import { type Condensed, condensedIn, decodeHeader, isForgotten } from './format/record.js';

/** About how many bytes of values are read in one go. Compressing a megabyte takes some 30 ms. */
const BYTES_PER_CALL = 512 * 1024;

export interface ValueCondenserOptions {
  readonly environment: Environment;
  readonly read: RecordReader;
  /** Makes the writes of `run`, of about that many bytes, durable, all or none. */
  readonly commit: (run: () => void, bytes: number) => Promise<void>;
}

/** Replaces superseded values in the log by their differences from the values that superseded them. */
export class ValueCondenser implements Condenser {
  readonly #options: ValueCondenserOptions;

  constructor(options: ValueCondenserOptions) {
    this.#options = options;
  }

  get condensedRevision(): number {
    const { environment } = this.#options;
    return Math.max(environment.readMeta('condensed'), environment.readMeta('removed'));
  }

  async condense(through: number): Promise<void> {
    const { environment, commit } = this.#options;
    const records = new Map<number, CondensedRecord>();
    let reached = this.condensedRevision;
    for (let work = 0; reached < through && work < BYTES_PER_CALL; ) {
      reached += 1;
      // A value that cannot be read stays as it is.
      work += unlessDamaged(() => this.#condenseFormer(reached, records)) ?? 0;
    }
    let bytes = 0;
    const changes = [...records]
      .sort(([a], [b]) => a - b)
      .map(([revision, record]) => {
        bytes += record.bytes.length;
        return { key: encodeLogKey(revision), bytes: record.bytes };
      });
    await commit(() => {
      replaceRecords(environment, changes);
      environment.writeMeta('condensed', reached);
    }, bytes);
  }

  /** Condenses the value that the event of this revision superseded. Returns the bytes of both. */
  #condenseFormer(revision: number, records: Map<number, CondensedRecord>): number {
    const next = this.#copy(revision);
    if (next === undefined) return 0;
    const header = decodeHeader(revision, next);
    if (header.previousRevision === 0) return 0;
    const former = this.#copy(header.previousRevision);
    if (former === undefined || isForgotten(former)) return 0;
    if (condensedIn(header.previousRevision, former) !== undefined) return 0;
    const below = this.#below(decodeHeader(header.previousRevision, former).previousRevision, records);
    const base = header.type === 'put' && header.isForgotten !== true ? { revision, bytes: next } : undefined;
    const stored = { revision: header.previousRevision, bytes: former };
    const record = condense(stored, base, below, this.#options.read);
    if (record !== undefined) records.set(header.previousRevision, record);
    return former.length + (base?.bytes.length ?? 0);
  }

  #below(revision: number, records: ReadonlyMap<number, CondensedRecord>): Condensed | undefined {
    const made = records.get(revision)?.condensed;
    if (made !== undefined || revision === 0) return made;
    const bytes = this.#options.read(revision);
    return bytes && unlessDamaged(() => condensedIn(revision, bytes));
  }

  #copy(revision: number): Buffer | undefined {
    const bytes = this.#options.read(revision);
    return bytes && copyOf(bytes);
  }
}
