import assert from 'node:assert/strict';
import { duplexPair } from 'node:stream';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openMemoryKV } from '../memory/index.js';
import { createKVServer } from './index.js';
import { type ClientMessage, encodeClientMessage } from './protocol/requests.js';

const MIB = 1024 * 1024;
const EVENTS = 40;
const REQUESTS = 20;

const requests: readonly (readonly [what: string, messageOf: (id: number) => ClientMessage])[] = [
  ['watches from the past', (id) => ({ type: 'watch', id, request: { prefix: '/', fromRevision: 1 } })],
  ['pages of history', (id) => ({ type: 'history', id, request: { prefix: '/', limit: 1000 } })],
];

describe('a client that does not read', () => {
  for (const [what, messageOf] of requests) {
    it(`lets few bytes wait, however many ${what} it asks for`, { timeout: 600_000 }, async () => {
      await using kv = openMemoryKV();
      for (let index = 0; index < EVENTS; index += 1) {
        const value = Buffer.alloc(MIB / 2);
        await kv.txn({ key: `/a/${index}`, expectedRevision: 0, operation: { type: 'put', value } });
      }
      const server = await createKVServer(kv);
      const [near, far] = duplexPair();
      server.serve(far);
      for (let id = 1; id <= REQUESTS; id += 1) near.write(encodeClientMessage(messageOf(id)));
      for (let turns = 0; turns < 500; turns += 1) await turn();
      assert.equal(far.destroyed, false);
      assert.ok(far.writableLength < 16 * MIB, `${far.writableLength} bytes wait`);
      near.destroy();
      server.close();
    });
  }
});
