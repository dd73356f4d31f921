import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { join } from 'node:path';
import { open } from 'lmdb';
import { fileOptions } from '../environment.js';
import { openEmbeddedKV } from '../index.js';
import { DATA_FILE } from '../pages/data-file.js';
import { checkStore } from './index.js';
import { inDirectory, object, write } from './store.testing.js';

describe('a store whose first start was killed', { timeout: 600_000 }, () => {
  for (const tables of [
    [],
    ['meta'],
    ['meta', 'index'],
    ['meta', 'index', 'log'],
    ['meta', 'index', 'log', 'expiring'],
  ]) {
    it(`is new with ${tables.length} tables`, () =>
      inDirectory(async (directory) => {
        const root = open({ ...fileOptions, path: join(directory, DATA_FILE) });
        for (const name of tables) root.openDB({ encoding: 'binary', keyEncoding: 'binary', name });
        await root.close();
        await assert.rejects(checkStore({ directory }), { code: 'unavailable', message: /there is no store in/ });
        await using kv = await openEmbeddedKV({ directory });
        await write(kv, '/a', object('a'));
        assert.deepEqual((await checkStore({ directory })).problems, []);
      }));
  }
});
