import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { DynamicClient } from '@binnacle/client/dynamic';
import { connect } from '@binnacle/client/transport';
import { start } from 'binnacle';

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const object = (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

it('a server on disk is forked, and the fork outlives it', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-fork-'));
  const transports = [];
  const clientOf = ({ clientConfig }) => {
    const transport = connect(clientConfig);
    transports.push(transport);
    return new DynamicClient(transport).resource(configMaps).namespace('default');
  };
  const namesOf = async (client) => (await client.list()).items.map(({ metadata }) => metadata.name).join(' ');
  const options = { dataDirectory: join(folder, 'data'), securePort: 0, controllers: '', scheduler: false };
  try {
    const parent = await start(options);
    const ofParent = clientOf(parent);
    const made = await ofParent.create(object('a'));
    const fork = await parent.fork();
    const ofFork = clientOf(fork);
    assert.deepEqual(await ofFork.get('a'), made);
    assert.notEqual(fork.clientConfig.token, parent.clientConfig.token);
    await ofFork.create(object('of-the-fork'));
    await ofParent.delete('a');
    await ofParent.create(object('of-the-parent'));
    assert.deepEqual([await namesOf(ofFork), await namesOf(ofParent)], ['a of-the-fork', 'of-the-parent']);
    await parent.stop();
    await assert.rejects(start(options), /is used by|in use by/, 'the fork still reads the store');
    assert.equal(await namesOf(ofFork), 'a of-the-fork');
    await fork.stop();
    const again = await start(options);
    assert.equal(await namesOf(clientOf(again)), 'of-the-parent');
    await again.stop();
  } finally {
    await Promise.all(transports.map((transport) => transport.close()));
    await rm(folder, { recursive: true, force: true });
  }
});
