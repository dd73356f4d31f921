import { StatusError } from '@binnacle/apimachinery/status';
import type { KeyEvent } from '@binnacle/kv';
import { corruptionOf, type ObjectStorage, StoredObject, type UnreadableObject } from '../storage/index.js';
import { ObjectChange } from './event.js';

/** What is known of the object before an event. */
export interface KnownState {
  /** Its newest readable state, to be used as the previous one. */
  readonly known?: StoredObject | undefined;
  /** Why its stored state before the event cannot be read. */
  readonly damaged?: UnreadableObject | undefined;
}

/**
 * An event of the store as a change, or why its object cannot be read. Where watchers may have a state of the object that is
 * unknown, the change ends them.
 */
export function changeOf(
  storage: Pick<ObjectStorage, 'wrap'>,
  event: KeyEvent,
  revision: number,
  { known, damaged }: KnownState,
): ObjectChange | UnreadableObject {
  const { key, unreadable } = event;
  if (unreadable !== undefined) return { key, revision, ...unreadable };
  const current = currentOf(storage, event, revision);
  const problem = current?.prepare();
  if (problem !== undefined) return problem;
  if (known !== undefined) return new ObjectChange(key, revision, current, known);
  const before = damaged === undefined ? previousOf(storage, event) : damaged;
  if (before === undefined || before instanceof StoredObject) return new ObjectChange(key, revision, current, before);
  return new ObjectChange(key, revision, current, undefined, lost(current, before));
}

function currentOf(
  storage: Pick<ObjectStorage, 'wrap'>,
  { key, value, createRevision, tag, storedAs }: KeyEvent,
  modRevision: number,
): StoredObject | undefined {
  if (value === undefined) return undefined;
  return storage.wrap({
    key,
    value,
    createRevision,
    modRevision,
    ...(tag === undefined ? {} : { tag }),
    ...(storedAs === undefined ? {} : { storedAs }),
  });
}

function previousOf(
  storage: Pick<ObjectStorage, 'wrap'>,
  { previous }: KeyEvent,
): StoredObject | UnreadableObject | undefined {
  const before = previous === undefined ? undefined : storage.wrap(previous);
  return before?.prepare() ?? before;
}

/** The client lists again. Upstream: apiserver `corruptObjectDeletedError` of etcd3. */
function lost(current: StoredObject | undefined, before: UnreadableObject): StatusError {
  const type = current === undefined ? 'DELETED' : 'MODIFIED';
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `saw a ${type} event, but object data is corrupt - ${corruptionOf(before)}`,
    reason: 'StorageReadError',
    code: 500,
  });
}
