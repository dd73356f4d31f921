import type { HistoryEvent, HistoryPage, KeyValue } from '@binnacle/kv';
import type { StoredObject } from './stored-object.js';
import { identityOf, type WriterIdentity } from './writer-identity.js';

/** An event of the past. */
export interface PastEvent {
  readonly revision: number;
  readonly type: 'created' | 'modified' | 'deleted';
  readonly key: string;
  /** Milliseconds since the epoch; undefined if the store does not know it. */
  readonly time: number | undefined;
  /** Undefined for writes of the server itself. */
  readonly writer: WriterIdentity | undefined;
  /** Undefined after a delete, and if its value is forgotten. */
  readonly object: StoredObject | undefined;
  /** Undefined before a create, and if its value is forgotten. */
  readonly previous: StoredObject | undefined;
  /** The objects whose values are forgotten. */
  readonly forgotten: readonly ('object' | 'previous')[];
}

/** A page of {@link ObjectStorage.history}; see the store's {@link HistoryPage}. */
export interface StoredHistory extends Omit<HistoryPage, 'events'> {
  readonly events: readonly PastEvent[];
}

/** `wrap`: makes an object of a value that can be read. */
export function pastEventOf(event: HistoryEvent, wrap: (item: KeyValue) => StoredObject): PastEvent {
  const { revision, key, value, createRevision, tag, previous, time, author } = event;
  const { isForgotten = false, isPreviousForgotten = false } = event;
  const tagged = tag === undefined ? {} : { tag };
  const isNew = createRevision === revision;
  return {
    revision,
    type: event.type === 'delete' ? 'deleted' : isNew ? 'created' : 'modified',
    forgotten: [...(isForgotten ? (['object'] as const) : []), ...(isPreviousForgotten ? (['previous'] as const) : [])],
    key,
    time,
    writer: author && identityOf(author),
    object: value && wrap({ key, value, createRevision, modRevision: revision, ...tagged }),
    previous: previous && wrap(previous),
  };
}
