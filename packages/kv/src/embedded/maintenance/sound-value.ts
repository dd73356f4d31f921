import { damagedKeys, type LogRecord, unlessDamaged } from '../../engine/index.js';
import { decodeRecord } from '../format/condensed-record.js';
import { decodePointer } from '../format/layout.js';
import type { Snapshot } from './snapshot.js';

/** The newest record of a key, and its revision. Throws `corrupt`, with the key, unless it is intact. `bytes`: its entry of the index. */
export function soundValue(
  snapshot: Snapshot,
  key: Buffer,
  bytes: Buffer,
): { readonly revision: number; readonly record: LogRecord } {
  const revision = decodePointer(key, bytes)?.modRevision ?? 0;
  const record = revision === 0 ? undefined : snapshot.record(revision);
  const decoded =
    record === undefined
      ? undefined
      : unlessDamaged(() => decodeRecord(revision, record, (base) => snapshot.record(base)));
  if (decoded?.key === key.toString()) return { revision, record: decoded };
  throw damagedKeys([{ key: key.toString(), revision }]);
}
