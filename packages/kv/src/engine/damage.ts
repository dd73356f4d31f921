import { type DamagedKey, KVError } from '../interface/index.js';
import type { Backend, IndexEntry, LogRecord } from './backend.js';

/** An error message names at most this many keys. */
const NAMED = 100;

/** The value of an index entry; undefined if it is corrupt, missing, or belongs to another key. */
export function soundRecord(backend: Backend, entry: IndexEntry): LogRecord | undefined {
  if (entry.damaged === true) return undefined;
  const record = unlessDamaged(() => backend.record(entry.modRevision));
  const agree = record?.type === 'put' && record.key === entry.key && record.createRevision === entry.createRevision;
  return agree ? record : undefined;
}

/** The result of `read`; undefined if it throws `corrupt`. */
export function unlessDamaged<T>(read: () => T): T | undefined {
  const result = orDamage(read);
  return result instanceof KVError ? undefined : result;
}

/** The result of `read`, or the error if it throws `corrupt`. */
export function orDamage<T>(read: () => T): T | KVError {
  try {
    return read();
  } catch (error) {
    if (error instanceof KVError && error.code === 'corrupt') return error;
    throw error;
  }
}

export function forgottenValue(key: string, revision: number): KVError {
  return new KVError('compacted', `the value of ${JSON.stringify(key)}, of revision ${revision}, is forgotten`);
}

/** An error that names the keys whose values cannot be read. At least one is given. */
export function damagedKeys(damaged: readonly DamagedKey[]): KVError {
  const named = damaged.slice(0, NAMED).map(({ key, revision }) => {
    const at = revision === 0 ? '' : ` (revision ${revision})`;
    return JSON.stringify(key) + at;
  });
  const more = damaged.length > NAMED ? ` and ${damaged.length - NAMED} more` : '';
  return new KVError('corrupt', `the stored data of ${named.join(', ')}${more} is damaged`, { damaged });
}
