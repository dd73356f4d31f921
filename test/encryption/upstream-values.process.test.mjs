/** Values that kube-apiserver's own packages have stored; test/interop/encryption/record.mjs writes the file. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openMemoryKV } from '@binnacle/kv/memory';
import { openEncryption } from './open.mjs';
import { KmsPlugin } from './plugin.mjs';
import { configurationOf, resources, storeOf } from './resources.mjs';

const values = JSON.parse(readFileSync(new URL('upstream-values.json', import.meta.url), 'utf8'));

describe('values of kube-apiserver', () => {
  const folder = mkdtempSync(join(tmpdir(), 'encryption-'));
  const socket = join(folder, 'kms.sock');
  const plugin = new KmsPlugin(socket);
  let encryption;

  before(async () => {
    await plugin.start();
    encryption = await openEncryption(configurationOf(socket));
  });
  after(() => {
    encryption?.[Symbol.dispose]();
    plugin.stop();
    rmSync(folder, { recursive: true });
  });

  for (const resource of resources) {
    it(`are read: ${resource}`, async () => {
      const kv = openMemoryKV();
      const store = storeOf(encryption, resource, kv);
      const own = values.filter((value) => value.resource === resource);
      assert.equal(own.length, 3);
      for (const { key, text, stored } of own) {
        const value = Buffer.from(stored, 'base64');
        await kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value } });
        const [item] = (await store.range({ prefix: key, exact: true })).items;
        assert.equal(Buffer.from(item.value).toString(), text);
      }
    });
  }
});
