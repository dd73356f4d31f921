import type { KeyEvent } from '@binnacle/kv';
import type { ObjectStorage, StoredObject } from '../storage/index.js';
import { ObjectChange } from './event.js';

/** An event of the store as a change. `known`: the cached object under the key, to be used as the previous one. */
export function changeOf(
  storage: Pick<ObjectStorage, 'wrap'>,
  event: KeyEvent,
  revision: number,
  known: StoredObject | undefined,
): ObjectChange {
  const { key, value, createRevision, tag, storedAs, previous } = event;
  const current =
    value === undefined
      ? undefined
      : storage.wrap({
          key,
          value,
          createRevision,
          modRevision: revision,
          ...(tag === undefined ? {} : { tag }),
          ...(storedAs === undefined ? {} : { storedAs }),
        });
  const before = known ?? (previous === undefined ? undefined : storage.wrap(previous));
  return new ObjectChange(key, revision, current, before);
}
