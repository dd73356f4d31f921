import { isObject, type JsonValue, parseJson, stringifyJson } from '@binnacle/apimachinery/json';
import { alreadyExists, notFound, tooManyRequests } from '@binnacle/apimachinery/status';
import type { Clock } from '@binnacle/apimachinery/clock';
import { SerialQueue } from '@binnacle/apimachinery/turns';
import { type KV, KVError } from '@binnacle/kv';
import { forgotten, notForStore } from './refusals.js';

/** The note of the store that holds all snapshots. */
const NOTE = '/binnacle/snapshots';
/** With the longest names, this many fit in one note. */
const MOST_SNAPSHOTS = 30;
const SNAPSHOTS = { group: 'binnacle.dev', resource: 'snapshots' };

/** A name for a revision, whose state stays readable. */
export interface Snapshot {
  readonly name: string;
  readonly revision: number;
  /** When it was taken, in milliseconds since the epoch. */
  readonly time: number;
}

/** The snapshots of a store. Changes run one after the other, and are durable when their promise resolves. */
export class Snapshots {
  readonly #kv: KV;
  readonly #clock: Clock;
  readonly #changes = new SerialQueue();
  /** The revision of the snapshot that is being stored. */
  #adding: number | undefined;

  constructor({ kv, clock }: { readonly kv: KV; readonly clock: Clock }) {
    this.#kv = kv;
    this.#clock = clock;
  }

  /**
   * The revision of the oldest snapshot of a store that is compacted up to that revision; undefined if there is none. A
   * snapshot counts from before it is stored.
   */
  oldest(compactedRevision: number): number | undefined {
    const kept = this.#kept(compactedRevision)[0]?.revision;
    const adding = this.#adding;
    if (adding === undefined || adding < compactedRevision) return kept;
    return kept === undefined ? adding : Math.min(kept, adding);
  }

  /** The snapshots whose history the store still has, oldest first. */
  async list(): Promise<readonly Snapshot[]> {
    const { compactedRevision } = await this.#kv.status();
    return this.#kept(compactedRevision);
  }

  async find(name: string): Promise<Snapshot | undefined> {
    return (await this.list()).find((snapshot) => snapshot.name === name);
  }

  /**
   * Names a revision. Throws 409 if the name is taken, 429 if there are too many, and 410 if history no longer has the whole
   * state of the revision.
   */
  add(name: string, revision: number): Promise<Snapshot> {
    return this.#changes.run(async () => {
      const kept = await this.list();
      if (kept.some((snapshot) => snapshot.name === name)) throw alreadyExists(SNAPSHOTS, name);
      if (kept.length >= MOST_SNAPSHOTS) {
        throw tooManyRequests(`there are ${MOST_SNAPSHOTS} snapshots already; delete some first`);
      }
      this.#adding = revision;
      try {
        return await this.#store(kept, { name, revision, time: this.#clock.now() });
      } finally {
        this.#adding = undefined;
      }
    });
  }

  async #store(kept: readonly Snapshot[], snapshot: Snapshot): Promise<Snapshot> {
    const { revision } = snapshot;
    await this.#write([...kept, snapshot]);
    // A compaction that did not know the snapshot may have run before this write.
    const reason = await this.#whyUnreadable(revision);
    if (reason === undefined) return snapshot;
    await this.#write(kept);
    throw forgotten(reason);
  }

  /** Why a fork of this revision cannot begin: its state is compacted, or values of it are forgotten. Undefined = it can. */
  async #whyUnreadable(revision: number): Promise<string | undefined> {
    const { compactedRevision } = await this.#kv.status();
    if (revision < compactedRevision) return `revision ${revision} has been compacted`;
    try {
      await this.#kv.range({ prefix: '/', revision, limit: 1, keysOnly: true, uncounted: true });
      return undefined;
    } catch (error) {
      if (error instanceof KVError && error.code === 'compacted') return error.message;
      throw error;
    }
  }

  /** Throws 404 if there is none. */
  remove(name: string): Promise<Snapshot> {
    return this.#changes.run(async () => {
      const kept = await this.list();
      const removed = kept.find((snapshot) => snapshot.name === name);
      if (removed === undefined) throw notFound(SNAPSHOTS, name);
      await this.#write(kept.filter((snapshot) => snapshot !== removed));
      return removed;
    });
  }

  #kept(compactedRevision: number): readonly Snapshot[] {
    return this.#stored()
      .filter(({ revision }) => revision >= compactedRevision)
      .sort((a, b) => a.revision - b.revision);
  }

  #stored(): Snapshot[] {
    const note = this.#kv.readNote?.(NOTE);
    if (note === undefined) return [];
    const { value } = parseJson(Buffer.from(note));
    return Array.isArray(value) ? value.flatMap(snapshotOf) : [];
  }

  async #write(snapshots: readonly Snapshot[]): Promise<void> {
    if (this.#kv.writeNote === undefined) throw notForStore();
    const items = snapshots.map(({ name, revision, time }) => ({ name, revision, time }));
    await this.#kv.writeNote(NOTE, Buffer.from(stringifyJson(items)));
  }
}

function snapshotOf(value: JsonValue): Snapshot[] {
  if (!isObject(value)) return [];
  const { name, revision, time } = value;
  const isSnapshot = typeof name === 'string' && typeof revision === 'number' && typeof time === 'number';
  return isSnapshot ? [{ name, revision, time }] : [];
}
