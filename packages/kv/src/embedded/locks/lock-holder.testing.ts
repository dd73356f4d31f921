/**
 * `DIRECTORY`: opens the store, prints `held` or the error code on one line, and holds the store until standard input
 * ends. For `store-lock.process.test.ts`.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { KVError } from '../../interface/index.js';
import { openEmbeddedKV } from '../index.js';

const [, , directory] = process.argv;
if (directory === undefined) throw new Error('usage: lock-holder DIRECTORY');
try {
  await using kv = await openEmbeddedKV({ directory });
  writeSync(1, `held ${await kv.currentRevision()}\n`);
  process.stdin.resume();
  await once(process.stdin, 'end');
} catch (error) {
  if (!(error instanceof KVError)) throw error;
  writeSync(1, `${error.code} ${error.message}\n`);
}
