import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openMemoryKV } from '@binnacle/kv/memory';
import { openEncryption } from '../encryption/open.mjs';
import { KmsPlugin } from '../encryption/plugin.mjs';
import { configurationOf, resources, storeOf } from '../encryption/resources.mjs';
import { Upstream } from './encryption/upstream.mjs';
import { hasGo, unlessAsked } from './programs.mjs';

const skip = unlessAsked('encryption', hasGo(), 'there is no go on the PATH');

const VALUES = [Buffer.from('{"kind":"Secret"}'), Buffer.from([0, 255, 16]), Buffer.alloc(5000, 'x'), Buffer.from('')];

describe("kube-apiserver's own packages", { skip, timeout: 20 * 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'encryption-'));
  const socket = join(folder, 'kms.sock');
  const plugin = new KmsPlugin(socket);
  const kv = openMemoryKV();
  let encryption;
  let upstream;

  const raw = async (key) => Buffer.from((await kv.range({ prefix: key, exact: true })).items[0].value);
  const write = (store, key, value) => store.txn({ key, expectedRevision: 0, operation: { type: 'put', value } });

  before(async () => {
    await plugin.start();
    const file = join(folder, 'encryption.json');
    writeFileSync(file, configurationOf(socket));
    upstream = await Upstream.start(file);
    encryption = await openEncryption(configurationOf(socket));
  });
  after(async () => {
    encryption?.[Symbol.dispose]();
    await upstream?.stop();
    plugin.stop();
    rmSync(folder, { recursive: true });
  });

  for (const resource of resources) {
    it(`write what we read, and read what we write: ${resource}`, async () => {
      const store = storeOf(encryption, resource, kv);
      for (const [index, value] of VALUES.entries()) {
        const theirs = `/registry/${resource}/theirs-${index}`;
        const written = await upstream.ask({ operation: 'write', resource, key: theirs, value });
        await write(kv, theirs, written.value);
        const [item] = (await store.range({ prefix: theirs, exact: true })).items;
        assert.deepEqual(Buffer.from(item.value), value);
        assert.notEqual(item.storedAs, 'outdated');

        const ours = `/registry/${resource}/ours-${index}`;
        await write(store, ours, value);
        const read = await upstream.ask({ operation: 'read', resource, key: ours, value: await raw(ours) });
        assert.deepEqual(read, { value });
      }
    });

    it(`refuse what we refuse, in the same words: ${resource}`, async () => {
      const store = storeOf(encryption, resource, kv);
      const place = `/registry/${resource}/changed`;
      const { value: whole } = await upstream.ask({ operation: 'write', resource, key: place, value: VALUES[0] });
      const changed = Buffer.from(whole);
      changed[changed.length - 1] ^= 1;
      const unknown = Buffer.from('k8s:enc:aescbc:v1:c:xx');
      for (const [index, value] of [whole.subarray(0, 30), whole.subarray(0, -1), changed, unknown].entries()) {
        const key = `${place}-${index}`;
        const { error, value: read } = await upstream.ask({ operation: 'read', resource, key, value });
        await write(kv, key, value);
        const ours = store.range({ prefix: key, exact: true });
        if (error === undefined) assert.deepEqual(Buffer.from((await ours).items[0].value), read);
        // Go's protobuf library varies the space in its errors on purpose.
        else await assert.rejects(ours, { message: error.replaceAll('\u00a0', ' ') });
      }
    });
  }
});
