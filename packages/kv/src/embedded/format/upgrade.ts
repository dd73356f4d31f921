import type { Database, RootDatabase } from 'lmdb';
import {
  decodePointerOfFormatOne,
  decodeRecordOfFormatOne,
  isPointerOfFormatOne,
  isRecordOfFormatOne,
} from './format-one.js';
import { encodePointer, readNumber } from './layout.js';
import { encodeRecord } from './record.js';

type Table = Database<Buffer, Buffer>;

/** How many entries to rewrite in one commit. */
const ENTRIES_PER_COMMIT = 2000;

export interface UpgradableTables {
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly index: Table;
  readonly log: Table;
}

/**
 * Upgrades records and pointers of format 1 to the current format, commit by commit. Idempotent: entries in the current
 * format stay unchanged. So do unreadable ones, which then count as corrupt.
 */
export async function upgradeTables({ root, index, log }: UpgradableTables): Promise<void> {
  await rewrite(root, log, (key, bytes) => {
    const record = isRecordOfFormatOne(bytes) ? readable(() => decodeRecordOfFormatOne(bytes)) : undefined;
    return record === undefined ? undefined : encodeRecord(readNumber(key, 0), record);
  });
  await rewrite(root, index, (key, bytes) =>
    isPointerOfFormatOne(bytes) ? encodePointer(key, decodePointerOfFormatOne(bytes)) : undefined,
  );
}

/** Replaces the values for which `convert` returns another one. */
async function rewrite(
  root: RootDatabase<Buffer, Buffer>,
  table: Table,
  convert: (key: Buffer, value: Buffer) => Buffer | undefined,
): Promise<void> {
  let start: Buffer | undefined;
  for (let full = true; full; ) {
    const entries = [...table.getRange({ ...(start === undefined ? {} : { start }), limit: ENTRIES_PER_COMMIT })];
    await root.batch(() => {
      for (const { key, value } of entries) {
        const converted = convert(key, value);
        if (converted !== undefined) void table.put(key, converted);
      }
    });
    const last = entries.at(-1);
    // The least key after the last one.
    if (last !== undefined) start = Buffer.concat([last.key, Buffer.of(0)]);
    full = entries.length === ENTRIES_PER_COMMIT;
  }
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
