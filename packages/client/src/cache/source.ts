import type { AnyObject } from '../dynamic/index.js';
import type { ListOptions, WatchEvent, WatchOptions } from '../rest/index.js';
import type { SendOptions } from '../transport/index.js';
import type { ObjectList } from '../typed/index.js';

/** Where objects come from. A `ResourceClient` is one. */
export interface ObjectSource<T extends AnyObject> {
  list(options: ListOptions & SendOptions): Promise<ObjectList<T>>;
  pages(options: ListOptions & SendOptions): AsyncIterable<ObjectList<T>>;
  watch(options: WatchOptions & SendOptions): AsyncIterable<WatchEvent<T>>;
}

/** Where a reflector puts what it hears, in the order in which it happened. */
export interface ObjectSink<T> {
  /** This is all there is. */
  replace(objects: readonly T[]): void;
  set(object: T): void;
  delete(object: T): void;
}
