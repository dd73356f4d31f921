import type { ObjectChange } from './event.js';
import type { FieldValue } from './field-index.js';
import type { Watcher, WatcherEnd } from './watcher.js';

/** Watchers of one prefix: those that want one value of an indexed field, and all others. */
interface Group {
  readonly whole: Set<Watcher>;
  /** By field, then by value. */
  readonly selective: Map<string, Map<string, Set<Watcher>>>;
}

/**
 * The watchers of a resource, grouped by namespace, name and value of an indexed field. A change is offered only to
 * watchers that it can concern.
 */
export class WatcherSet {
  readonly #root: string;
  readonly #groups = new Map<string, Group>();
  readonly #all = new Map<Watcher, FieldValue | undefined>();

  /** `root`: the prefix of all keys. */
  constructor(root: string) {
    this.#root = root;
  }

  get size(): number {
    return this.#all.size;
  }

  /** `selected`: the watcher's filter accepts only objects with this value. */
  add(watcher: Watcher, selected: FieldValue | undefined): void {
    this.#all.set(watcher, selected);
    this.#membersFor(watcher.prefix, selected).add(watcher);
  }

  delete(watcher: Watcher): void {
    if (!this.#all.has(watcher)) return;
    const selected = this.#all.get(watcher);
    this.#all.delete(watcher);
    const group = this.#groups.get(watcher.prefix);
    if (group === undefined) return;
    if (selected === undefined) group.whole.delete(watcher);
    else {
      const values = group.selective.get(selected.field);
      const members = values?.get(selected.value);
      members?.delete(watcher);
      if (members?.size === 0) values?.delete(selected.value);
      if (values?.size === 0) group.selective.delete(selected.field);
    }
    if (group.whole.size === 0 && group.selective.size === 0) this.#groups.delete(watcher.prefix);
  }

  offer(change: ObjectChange): void {
    if (this.#all.size === 0) return;
    const { key } = change;
    this.#offerTo(this.#groups.get(this.#root), change);
    const slash = key.indexOf('/', this.#root.length);
    if (slash >= 0) this.#offerTo(this.#groups.get(key.slice(0, slash + 1)), change);
    this.#offerTo(this.#groups.get(key), change);
  }

  endAll(reason: WatcherEnd): void {
    for (const watcher of this.#all.keys()) watcher.end(reason);
    this.#all.clear();
    this.#groups.clear();
  }

  #membersFor(prefix: string, selected: FieldValue | undefined): Set<Watcher> {
    let group = this.#groups.get(prefix);
    if (group === undefined) {
      group = { whole: new Set(), selective: new Map() };
      this.#groups.set(prefix, group);
    }
    if (selected === undefined) return group.whole;
    let values = group.selective.get(selected.field);
    if (values === undefined) {
      values = new Map();
      group.selective.set(selected.field, values);
    }
    let members = values.get(selected.value);
    if (members === undefined) {
      members = new Set();
      values.set(selected.value, members);
    }
    return members;
  }

  #offerTo(group: Group | undefined, change: ObjectChange): void {
    if (group === undefined) return;
    this.#offerEach(group.whole, change);
    for (const [field, values] of group.selective) {
      if (change.lost !== undefined) {
        for (const watchers of values.values()) this.#offerEach(watchers, change);
        continue;
      }
      const now = change.current?.field(field);
      const before = change.previous?.field(field);
      if (now !== undefined) this.#offerEach(values.get(now), change);
      if (before !== undefined && before !== now) this.#offerEach(values.get(before), change);
    }
  }

  #offerEach(watchers: Set<Watcher> | undefined, change: ObjectChange): void {
    if (watchers === undefined) return;
    for (const watcher of watchers) {
      watcher.offer(change);
      if (watcher.ended !== undefined) this.delete(watcher);
    }
  }
}
