import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openEmbeddedKV } from '../index.js';
import { backupStore, checkStore, compactStore, repairStore } from '../maintenance/index.js';

describe('a store with a device or a directory in the place of a file', () => {
  const refused = { code: 'unavailable', message: /is not a regular file; remove it, or choose another directory$/ };
  for (const name of ['data.mdb', 'data.mdb-lock', 'lock', 'commits', 'reserve']) {
    it(`is not opened: ${name}`, async () => {
      const parent = mkdtempSync(join(tmpdir(), 'kv-regular-'));
      try {
        const [device, directory] = [join(parent, 'device'), join(parent, 'directory')];
        for (const store of [device, directory]) await (await openEmbeddedKV({ directory: store })).close();
        for (const store of [device, directory]) rmSync(join(store, name), { force: true });
        symlinkSync('/dev/zero', join(device, name));
        mkdirSync(join(directory, name));
        for (const store of [device, directory]) {
          await assert.rejects(openEmbeddedKV({ directory: store }), refused);
          await assert.rejects(checkStore({ directory: store }), refused);
          await assert.rejects(backupStore({ directory: store, file: join(parent, 'backup') }), refused);
          await assert.rejects(compactStore({ directory: store }), refused);
          await assert.rejects(repairStore({ directory: store }), refused);
        }
      } finally {
        rmSync(parent, { recursive: true });
      }
    });
  }
});
