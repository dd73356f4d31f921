import type { LogRecord } from '../../engine/index.js';
import type { Environment } from '../environment.js';
import { commitFailure } from '../disk/failure.js';
import { encodeExpiryKey, encodeLogKey, encodePointer } from '../format/layout.js';
import { encodeRecord } from '../format/record.js';
import { META_NUMBERS } from '../format/meta.js';

export interface RestoredRecord {
  readonly revision: number;
  readonly record: LogRecord;
}

/**
 * Writes current values with their index and expiry entries, in groups of about this many bytes. The last group sets
 * the store's `revision`, compacted there. Rejects with a `KVError`.
 */
export async function commitRecords(
  environment: Environment,
  records: readonly RestoredRecord[],
  bytes: number,
  revision?: number,
): Promise<void> {
  try {
    await environment.commit(() => {
      for (const each of records) put(environment, each);
      if (revision !== undefined) for (const name of META_NUMBERS) environment.writeMeta(name, revision);
    });
  } catch (error) {
    throw await commitFailure(error, environment.directory, bytes);
  }
}

function put({ log, index, expiring }: Environment, { revision, record }: RestoredRecord): void {
  const { createRevision, expiresAt } = record;
  const key = Buffer.from(record.key);
  void log.put(encodeLogKey(revision), encodeRecord(revision, record));
  void index.put(key, encodePointer(key, { createRevision, modRevision: revision }));
  if (expiresAt > 0) void expiring.put(encodeExpiryKey(expiresAt, revision), key);
}
