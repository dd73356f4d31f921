import type { CustomResourceDefinition } from '@binnacle/api/types/apiextensions-v1';
import type { ResourceEndpoint } from '../endpoints/index.js';
import { Follower } from '../loops/index.js';
import { StorageError, type StoredObject } from '../storage/index.js';
import { decodeDefinition, type ServedDefinition, servedDefinition } from './served-definition.js';

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
  /** The names of definitions whose bytes are sound but cannot be decoded. */
  readonly #undecodable = new Set<string>();
  readonly #follower: Follower;

  constructor(options: DefinitionsOptions) {
    this.#options = options;
    const { endpoint, prepare, report } = options;
    this.#follower = new Follower({
      reader: endpoint.store.reader,
      clock: endpoint.clock,
      prepare,
      report,
      changed: (key, stored) => {
        if (stored === undefined) this.#forget(nameOf(key));
        else this.#apply(nameOf(key), stored);
      },
    });
  }

  get(name: string): ServedDefinition | undefined {
    return this.#byName.get(name);
  }

  /** Sorted by name. */
  all(): ServedDefinition[] {
    return [...this.#byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  inGroup(group: string): ServedDefinition[] {
    return [...this.#byName.values()].filter((definition) => definition.group === group);
  }

  /** The names of stored definitions that cannot be read and of which no earlier version is served. They may have objects. */
  get unreadable(): ReadonlySet<string> {
    const damaged = [...this.#follower.damaged].map(nameOf).filter((name) => !this.#byName.has(name));
    return new Set([...damaged, ...this.#undecodable]);
  }

  /** Settles when the stored definitions are known. */
  async start(): Promise<void> {
    await this.#follower.start();
  }

  /** See {@link Follower.caughtUp}. */
  caughtUp(): Promise<void> {
    return this.#follower.caughtUp();
  }

  stop(): void {
    this.#follower.stop();
  }

  #apply(name: string, stored: StoredObject): void {
    const before = this.#byName.get(name);
    let after: ServedDefinition;
    try {
      after = servedDefinition(stored);
    } catch (error) {
      // The server continues with the last readable version, and with all other definitions.
      if (before === undefined) this.#undecodable.add(name);
      this.#options.report(new StorageError('damaged', `the definition ${name} cannot be read: ${String(error)}`));
      return;
    }
    this.#undecodable.delete(name);
    this.#byName.set(name, after);
    this.#options.changed(name, before, after);
  }

  #forget(name: string): void {
    this.#undecodable.delete(name);
    const before = this.#byName.get(name);
    if (this.#byName.delete(name)) this.#options.changed(name, before, undefined);
  }
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

/** The whole definition, decoded; the caller owns it. */
export function wholeDefinition({ stored }: ServedDefinition): CustomResourceDefinition {
  return decodeDefinition(stored);
}
