/**
 * The process of `failure.test.ts`, run with a limit on file size. Writes until that fails, then checks that the store
 * still works, and prints the result as one line of JSON.
 */
import { writeSync } from 'node:fs';
import { KVError } from '../../interface/index.js';
import { openEmbeddedKV } from '../index.js';

const [, , directory] = process.argv;
if (directory === undefined) throw new Error('usage: full-writer DIRECTORY');
const kv = await openEmbeddedKV({ directory });
const value = Buffer.alloc(50_000, 'x');
let acknowledged = 0;
const codes: string[] = [];
for (let attempt = 0; codes.length < 5; attempt += 1) {
  const keys = Array.from({ length: 8 }, (_, index) => `/full/${attempt}/${index}`);
  const results = await Promise.allSettled(
    keys.map((key) => kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value } })),
  );
  acknowledged += results.filter(({ status }) => status === 'fulfilled').length;
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) codes.push(failed.reason instanceof KVError ? failed.reason.code : String(failed.reason));
}
const { items, revision } = await kv.range({ prefix: '/full/' });
await kv.close();
writeSync(1, JSON.stringify({ acknowledged, codes, readable: items.length, revision }));
