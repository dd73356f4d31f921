import { writeSync } from 'node:fs';
import { openEmbeddedKV } from '../index.js';

/*
 * `DIRECTORY KEYS`: writes the keys round-robin, with compactions, until killed. At any revision, their values come
 * from the last `KEYS` revisions. Prints a line when every key exists.
 */
const COMPACT_EVERY = 1000;
const [directory = '', keys] = process.argv.slice(2);
const count = Number(keys);
const kv = await openEmbeddedKV({ directory });
const revisions = Array.from({ length: count }, () => 0);
const padding = 'x'.repeat(2000);
for (let written = 0; ; written += 1) {
  const index = written % count;
  const key = `/registry/load/${index}`;
  const value = Buffer.from(JSON.stringify({ written, padding }));
  const result = await kv.txn({ key, expectedRevision: revisions[index] ?? 0, operation: { type: 'put', value } });
  if (!result.succeeded) throw new Error(`${key} was changed by another writer`);
  revisions[index] = result.revision;
  if (written === count) writeSync(1, 'ready\n');
  if (written % COMPACT_EVERY === 0) await kv.compact(result.revision);
}
