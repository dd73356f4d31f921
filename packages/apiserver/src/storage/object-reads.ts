import type { HistoryRequest, RangeRequest, ValueReader } from '@binnacle/kv';
import { inTurns } from '../slices/index.js';
import { unreadableOf } from './errors.js';
import { isStorableKey } from './key-length.js';
import type { StorageParts } from './storage-parts.js';
import { pastEventOf, type StoredHistory } from './stored-history.js';
import type { StoredObject } from './stored-object.js';
import type { UnreadableObject } from './unreadable.js';

export interface ObjectPage {
  /** The revision of the state that the items belong to. */
  readonly revision: number;
  readonly items: readonly StoredObject[];
  /**
   * The number of keys from the start key on, ignoring the limit. If the caller asked for no count, it may be the
   * number in the page.
   */
  readonly count: number;
  readonly more: boolean;
  /** Objects in the page that cannot be read; only if the caller asked for them. */
  readonly damaged: readonly UnreadableObject[];
}

/** A page whose items can be read, and have computed what a list needs. */
export interface PreparedPage extends Omit<ObjectPage, 'count'> {
  /** How many items had not computed it before. */
  readonly prepared: number;
}

export interface ListOptions {
  /** Absent: the newest. */
  readonly revision?: number;
  /** The first key. */
  readonly from?: string;
  readonly limit?: number;
  /** Only the object with this key. */
  readonly exact?: boolean;
  readonly uncounted?: boolean;
  /** Objects whose bytes cannot be read are reported in the page, and do not fail the list. */
  readonly damaged?: 'report';
}

/** Reads objects from the store. {@link ObjectStorage} states the contract of each method. */
export class ObjectReads {
  readonly #parts: StorageParts;

  constructor(parts: StorageParts) {
    this.#parts = parts;
  }

  async get(key: string): Promise<StoredObject | undefined> {
    if (!isStorableKey(key)) return undefined;
    const { items } = await this.#parts.calls.observed('get', this.#parts.kv.range({ prefix: key, exact: true }));
    return (await this.#parts.wrapper.wrapAll(items))[0];
  }

  async unreadable(key: string): Promise<UnreadableObject | undefined> {
    const { items, damaged } = await this.list(key, { exact: true, damaged: 'report' });
    return damaged[0] ?? items[0]?.prepare();
  }

  async list(prefix: string, options: ListOptions): Promise<ObjectPage> {
    if (options.exact === true && !isStorableKey(prefix)) {
      const revision = options.revision ?? (await this.#parts.calls.translated(this.#parts.kv.currentRevision()));
      return { revision, items: [], count: 0, more: false, damaged: [] };
    }
    const result = await this.#parts.calls.observed('list', this.#parts.kv.range({ prefix, ...options }));
    const { count, more } = result;
    const damaged = (result.damaged ?? []).map(unreadableOf);
    this.#parts.calls.damaged(damaged);
    return {
      revision: options.revision ?? result.revision,
      items: await this.#parts.wrapper.wrapAll(result.items),
      count,
      more,
      damaged,
    };
  }

  async listInPlace(
    prefix: string,
    options: ListOptions & { readonly revision: number; readonly from: string },
    reader: ValueReader,
  ): Promise<ObjectPage> {
    const page = await this.#inPlace({ prefix, ...options, keysOnly: true }, options.revision, reader);
    // The ordinary read says which object is damaged, and how.
    return page.damaged.length > 0 ? this.list(prefix, options) : page;
  }

  async page(
    prefix: string,
    options: { revision: number; from: string; limit: number },
    reader: ValueReader | undefined,
  ): Promise<PreparedPage> {
    const request = { ...options, uncounted: true, damaged: 'report' } as const;
    const page =
      reader === undefined
        ? await this.list(prefix, request)
        : await this.#inPlace({ ...request, prefix, keysOnly: true }, options.revision, reader);
    const items: StoredObject[] = [];
    const damaged = [...page.damaged];
    let prepared = 0;
    await inTurns(page.items, (object) => {
      if (object.isUnprepared) prepared++;
      const unreadable = object.prepare();
      if (unreadable === undefined) items.push(object);
      else damaged.push(unreadable);
    });
    this.#parts.calls.damaged(damaged);
    return { ...page, items, damaged, prepared };
  }

  async history(request: HistoryRequest, signal?: AbortSignal): Promise<StoredHistory | undefined> {
    if (this.#parts.kv.history === undefined) return undefined;
    const page = await this.#parts.calls.observed('list', this.#parts.kv.history(request, signal));
    for (const { value, previous } of page.events) {
      for (const read of [value, previous?.value]) {
        const loading = read && this.#parts.codec.beforeReading(read);
        if (loading !== undefined) await loading;
      }
    }
    return {
      ...page,
      events: page.events.map((event) => pastEventOf(event, (item) => this.#parts.wrapper.wrap(item))),
    };
  }

  async #inPlace(request: RangeRequest, revision: number, reader: ValueReader): Promise<ObjectPage> {
    const {
      items,
      count,
      more,
      damaged: unreadable = [],
    } = await this.#parts.calls.observed('list', this.#parts.kv.range(request));
    const damaged = unreadable.map(unreadableOf);
    const objects = await this.#parts.wrapper.wrapInPlace(items, revision, reader, (key) =>
      damaged.push(unreadableOf(key)),
    );
    return { revision, items: objects, count, more, damaged };
  }
}
