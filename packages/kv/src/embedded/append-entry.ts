import type { Database } from 'lmdb';

/** The binding takes options in place of a version; its declarations do not say so. */
type Put = (key: Buffer, value: Buffer, options: { readonly append: true }) => Promise<boolean>;

const APPEND = { append: true } as const;

/**
 * Puts an entry whose key is greater than all in the table. LMDB then fills its pages; otherwise it leaves a third to a half of each empty.
 * Call it only inside a commit. Once that has ended, resolves to whether the entry is there: not if the commit failed or the table has a greater
 * key. Never rejects.
 */
export function appendEntry(table: Database<Buffer, Buffer>, key: Buffer, value: Buffer): Promise<boolean> {
  const put: Put = Reflect.get(table, 'put');
  return put.call(table, key, value, APPEND).catch(() => false);
}
