import type { HistoryEvent, HistoryPage, KeyValue } from '@binnacle/kv';
import type { StoredObject } from './stored-object.js';
import { identityOf, type WriterIdentity } from './writer-identity.js';

/** An event of the past. */
export interface PastEvent {
  readonly revision: number;
  readonly key: string;
  /** Milliseconds since the epoch; undefined if the store does not know it. */
  readonly time: number | undefined;
  /** Undefined for writes of the server itself. */
  readonly writer: WriterIdentity | undefined;
  /** Undefined after a delete. */
  readonly object: StoredObject | undefined;
  /** Undefined before a create. */
  readonly previous: StoredObject | undefined;
}

/** A page of {@link ObjectStorage.history}; see the store's {@link HistoryPage}. */
export interface StoredHistory extends Omit<HistoryPage, 'events'> {
  readonly events: readonly PastEvent[];
}

/** `wrap`: makes an object of a value that can be read. */
export function pastEventOf(event: HistoryEvent, wrap: (item: KeyValue) => StoredObject): PastEvent {
  const { revision, key, value, createRevision, tag, previous, time, author } = event;
  const tagged = tag === undefined ? {} : { tag };
  return {
    revision,
    key,
    time,
    writer: author && identityOf(author),
    object: value && wrap({ key, value, createRevision, modRevision: revision, ...tagged }),
    previous: previous && wrap(previous),
  };
}
