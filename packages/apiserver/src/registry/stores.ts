import type { GroupResource } from '@binnacle/apimachinery/meta';
import { KindReader } from './kind-reader.js';
import type { ResourceStore } from './resource-store.js';

/** A resource whose objects have the interface `T`. */
export interface ResourceOf<T> extends GroupResource {
  /** Only ties the interface to the resource; never set. */
  readonly object?: T;
}

/** The stores of the served resources, for the server's own reads and writes. */
export class Stores {
  readonly #find: (resource: GroupResource) => ResourceStore | undefined;
  readonly #readers = new Map<string, KindReader<unknown>>();

  constructor(find: (resource: GroupResource) => ResourceStore | undefined) {
    this.#find = find;
  }

  /** Undefined when the resource is not served. */
  find(resource: GroupResource): ResourceStore | undefined {
    return this.#find(resource);
  }

  /** All callers share the reader of a kind, and with it the decoded objects. */
  reader<T>(kind: ResourceOf<T>): KindReader<T> {
    const { group, resource } = kind;
    const key = `${resource}.${group}`;
    let reader = this.#readers.get(key);
    if (reader === undefined) {
      reader = new KindReader(() => this.#find({ group, resource })?.reader);
      this.#readers.set(key, reader);
    }
    // The key names the resource, and the resource its interface.
    return reader as KindReader<T>;
  }
}
