import type { KindInfo, Row } from './row.js';
import type { Batch } from './wire.js';

const NONE: ReadonlyMap<string, Row> = new Map();
const NO_UIDS: ReadonlySet<string> = new Set();

/** All objects at one time: now, or at a point of the past. Changed only by {@link apply}. */
export class Collection {
  #kinds: readonly KindInfo[] = [];
  readonly #rows = new Map<string, Row>();
  readonly #ofKind = new Map<number, Map<string, Row>>();
  readonly #children = new Map<string, Set<string>>();
  readonly #faults = new Map<number, string>();
  #complete: string | undefined;
  #version = 0;

  get kinds(): readonly KindInfo[] {
    return this.#kinds;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Raised by every batch that changes something. */
  get version(): number {
    return this.#version;
  }

  /** Undefined: objects are still missing. For the past: the resourceVersion. */
  get complete(): string | undefined {
    return this.#complete;
  }

  /** Kinds that cannot be read, by index, with the reason. */
  get faults(): ReadonlyMap<number, string> {
    return this.#faults;
  }

  get(uid: string): Row | undefined {
    return this.#rows.get(uid);
  }

  rows(): Iterable<Row> {
    return this.#rows.values();
  }

  ofKind(kind: number): ReadonlyMap<string, Row> {
    return this.#ofKind.get(kind) ?? NONE;
  }

  /** The uids of the objects that this one owns. They may be of objects that are not here yet. */
  childrenOf(uid: string): ReadonlySet<string> {
    return this.#children.get(uid) ?? NO_UIDS;
  }

  /** The index of a kind of a group (empty: core); -1: the server has no such kind. */
  kindIndex(kind: string, group = ''): number {
    return this.#kinds.findIndex((each) => each.kind === kind && each.group === group);
  }

  apply({ kinds, rows = [], gone = [], faults = [], complete }: Batch): void {
    if (kinds !== undefined) {
      // A stream begins; it names the kinds that cannot be read now.
      this.#kinds = kinds;
      this.#faults.clear();
    }
    for (const row of rows) this.#set(row);
    for (const uid of gone) this.#delete(uid);
    for (const [kind, reason] of faults) {
      if (reason === '') this.#faults.delete(kind);
      else this.#faults.set(kind, reason);
    }
    if (complete !== undefined) this.#complete = complete;
    this.#version += 1;
  }

  #set(row: Row): void {
    const before = this.#rows.get(row.uid);
    if (before !== undefined && before.owner !== row.owner) this.#removeChild(before);
    this.#rows.set(row.uid, row);
    const ofKind = this.#ofKind.get(row.kind) ?? new Map<string, Row>();
    this.#ofKind.set(row.kind, ofKind.set(row.uid, row));
    if (row.owner === '') return;
    const children = this.#children.get(row.owner) ?? new Set<string>();
    this.#children.set(row.owner, children.add(row.uid));
  }

  #delete(uid: string): void {
    const row = this.#rows.get(uid);
    if (row === undefined) return;
    this.#rows.delete(uid);
    this.#ofKind.get(row.kind)?.delete(uid);
    this.#removeChild(row);
  }

  #removeChild({ owner, uid }: Row): void {
    const children = this.#children.get(owner);
    children?.delete(uid);
    if (children?.size === 0) this.#children.delete(owner);
  }
}
