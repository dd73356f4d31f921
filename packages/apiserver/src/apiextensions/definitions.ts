import type { CustomResourceDefinition } from '@binnacle/api/types/apiextensions-v1';
import { sleep } from '@binnacle/apimachinery/clock';
import type { ResourceEndpoint } from '../endpoints/index.js';
import type { CacherWatch } from '../cacher/index.js';
import { NEWEST } from '../request/index.js';
import { StorageError, type StoredObject } from '../storage/index.js';
import { decodeDefinition, type ServedDefinition, servedDefinition } from './served-definition.js';

/** The delay before a lost watch is reopened. */
const RETRY_MS = 500;

export interface DefinitionsOptions {
  readonly endpoint: ResourceEndpoint;
  /** Settles when definitions can be served. The first definition waits for it. */
  readonly prepare: () => Promise<unknown>;
  /** Called after each definition has changed or was deleted. */
  readonly changed: (name: string, before: ServedDefinition | undefined, after: ServedDefinition | undefined) => void;
  readonly report: (error: unknown) => void;
}

/** All stored definitions, followed by a watch. */
export class Definitions {
  readonly #options: DefinitionsOptions;
  readonly #byName = new Map<string, ServedDefinition>();
  readonly #unreadable = new Set<string>();
  #watch: CacherWatch | undefined;
  readonly #stopped = new AbortController();

  constructor(options: DefinitionsOptions) {
    this.#options = options;
  }

  get(name: string): ServedDefinition | undefined {
    return this.#byName.get(name);
  }

  /** By name. */
  all(): ServedDefinition[] {
    return [...this.#byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  inGroup(group: string): ServedDefinition[] {
    return [...this.#byName.values()].filter((definition) => definition.group === group);
  }

  /** The names of stored definitions that no server could read. Their objects exist, and their versions are unknown. */
  get unreadable(): ReadonlySet<string> {
    return this.#unreadable;
  }

  /** Settles when the stored definitions are known. */
  async start(): Promise<void> {
    void this.#follow(await this.#open());
  }

  stop(): void {
    this.#stopped.abort();
    this.#watch?.stop();
  }

  async #open(): Promise<CacherWatch> {
    const { watch, damaged } = await this.#watchStored();
    this.#watch = watch;
    if (this.#stopped.signal.aborted) watch.stop();
    const unreadable = damaged.map((key) => nameOf({ key }));
    const present = new Set(unreadable);
    const events = watch.watcher.take();
    if (events.length > 0) await this.#options.prepare();
    for (const event of events.slice(0, watch.initialCount)) present.add(nameOf(event.object));
    for (const name of [...this.#byName.keys(), ...this.#unreadable]) if (!present.has(name)) this.#forget(name);
    for (const event of events) this.#apply(event.type === 'DELETED', event.object);
    for (const name of unreadable) if (!this.#byName.has(name)) this.#unreadable.add(name);
    return watch;
  }

  async #watchStored(): Promise<{ watch: CacherWatch; damaged: readonly string[] }> {
    const { reader } = this.#options.endpoint.store;
    try {
      return { watch: await reader.watch({ namespace: '', filter: undefined }, NEWEST, true), damaged: [] };
    } catch (error) {
      if (error instanceof StorageError && error.code === 'damaged') return reader.watchReadable();
      throw error;
    }
  }

  /** Runs until it is stopped; reopens a watch that ends. */
  async #follow(opened: CacherWatch): Promise<void> {
    let watch = opened;
    while (!this.#stopped.signal.aborted) {
      await watch.watcher.wait();
      const events = watch.watcher.take();
      if (events.length > 0) await this.#options.prepare();
      for (const event of events) this.#apply(event.type === 'DELETED', event.object);
      if (watch.watcher.ended === undefined || this.#stopped.signal.aborted) continue;
      const next = await this.#reopen();
      if (next !== undefined) watch = next;
    }
  }

  async #reopen(): Promise<CacherWatch | undefined> {
    try {
      await sleep(this.#options.endpoint.clock, RETRY_MS, this.#stopped.signal);
      return await this.#open();
    } catch (error) {
      if (!this.#stopped.signal.aborted) this.#options.report(error);
      return undefined;
    }
  }

  #apply(gone: boolean, stored: StoredObject): void {
    const name = nameOf(stored);
    if (gone) {
      this.#forget(name);
      return;
    }
    const before = this.#byName.get(name);
    if (before?.stored.revision === stored.revision) return;
    let after: ServedDefinition;
    try {
      after = servedDefinition(stored);
    } catch (error) {
      // The server continues with the last readable version, and with all other definitions.
      if (before === undefined) this.#unreadable.add(name);
      this.#options.report(new StorageError('damaged', `the definition ${name} cannot be read: ${String(error)}`));
      return;
    }
    this.#unreadable.delete(name);
    this.#byName.set(name, after);
    this.#options.changed(name, before, after);
  }

  #forget(name: string): void {
    this.#unreadable.delete(name);
    const before = this.#byName.get(name);
    if (this.#byName.delete(name)) this.#options.changed(name, before, undefined);
  }
}

function nameOf({ key }: Pick<StoredObject, 'key'>): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

/** The whole definition, decoded; the caller owns it. */
export function wholeDefinition({ stored }: ServedDefinition): CustomResourceDefinition {
  return decodeDefinition(stored);
}
