/** The commands for a store whose values are encrypted. They need no keys. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { start } from 'binnacle';
import { Client } from '../etcd/client.mjs';
import { encryptionConfiguration, identity, key } from './configuration.mjs';

const SECRETS = '/api/v1/namespaces/default/secrets';
const TEXT = 'nobody may read this';
const command = fileURLToPath(new URL('../../packages/binnacle/bin/binnacle.js', import.meta.url));
const limit = { timeout: 600_000 };

describe('an encrypted store', () => {
  let folder;
  const directory = (name) => join(folder, name);
  const file = () => join(folder, 'encryption.json');
  const keys = ['a', 'b'].map((name) => key(name, name.charCodeAt(0)));

  const store = (...parameters) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'store', ...parameters], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout + stderr);
    return stdout;
  };
  const serving = async (name, use) => {
    const server = await start({
      dataDirectory: directory(name),
      encryptionProviderConfig: file(),
      historyRetentionMs: 0,
      controllers: '',
      scheduler: false,
    });
    const client = new Client(server);
    try {
      return await use(client);
    } finally {
      client.close();
      await server.stop();
    }
  };
  const readable = async (client) => {
    const { status, body } = await client.send('GET', `${SECRETS}/a`);
    assert.equal(status, 200);
    return Buffer.from(body.data.a, 'base64').toString();
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'encrypted-store-'));
    const rules = (first) => ({ secrets: [{ aesgcm: { keys: first } }, identity] });
    writeFileSync(file(), encryptionConfiguration(rules(keys)));
    await serving('data', async (client) => {
      const { status } = await client.send('POST', SECRETS, { metadata: { name: 'a' }, stringData: { a: 'former' } });
      assert.equal(status, 201);
    });
    writeFileSync(file(), encryptionConfiguration(rules(keys.toReversed())));
    await serving('data', async (client) => {
      const { body } = await client.send('GET', `${SECRETS}/a`);
      const { status } = await client.send('PUT', `${SECRETS}/a`, { ...body, data: { a: btoa(TEXT) } });
      assert.equal(status, 200);
    });
  }, limit);
  after(() => rmSync(folder, { recursive: true }));

  it('has no plain text on disk, in its history neither', limit, () => {
    const bytes = readFileSync(join(directory('data'), 'store', 'data.mdb'));
    for (const text of [btoa(TEXT), btoa('former')]) assert.equal(bytes.includes(text), false);
    for (const name of ['a', 'b']) assert.ok(bytes.includes(`k8s:enc:aesgcm:v1:${name}:`));
  });

  it('is checked', limit, () => {
    assert.match(store('check', '--data-dir', directory('data')), /is sound/);
  });

  it('is backed up encrypted, and restored', limit, async () => {
    const backup = join(folder, 'backup');
    store('backup', backup, '--data-dir', directory('data'));
    assert.equal(readFileSync(backup).includes(btoa(TEXT)), false);
    store('restore', backup, '--data-dir', directory('restored'));
    assert.equal(await serving('restored', readable), TEXT);
  });

  it('is compacted and repaired', limit, async () => {
    store('compact', '--data-dir', directory('data'));
    assert.doesNotMatch(store('repair', '--data-dir', directory('data')), /lost:/);
    assert.match(store('check', '--data-dir', directory('data')), /is sound/);
    assert.equal(await serving('data', readable), TEXT);
  });
});
