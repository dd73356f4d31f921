import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import { startServer } from '@binnacle/apiserver';
import { DiscoveryClient } from '@binnacle/client/discovery';
import { DynamicClient } from '@binnacle/client/dynamic';
import { connect } from '@binnacle/client/transport';
import { openEmbeddedKV } from '@binnacle/kv/embedded';
import { assemble } from '../../packages/binnacle/dist/embed/assemble.js';
import { defaultParts } from '../../packages/binnacle/dist/embed/start.js';
import { runHistory } from '../../packages/binnacle/dist/history/index.js';

const revision = (text) => ({ type: 'revision', text });

describe('a server that has forgotten former values of Secrets', { timeout: 600_000 }, () => {
  let directory, kv, server, transport, client;

  const start = async () => {
    kv = await openEmbeddedKV({ directory: join(directory, 'store') });
    const options = {
      dataDirectory: join(directory, 'data'),
      historyRetentionMs: 0,
      controllers: '',
      scheduler: false,
    };
    const parts = { ...defaultParts, openStore: () => Promise.resolve(kv), startServer };
    server = await assemble({ ...options, historyRetentionFor: ['secrets=0'], watchCache: false }, parts);
    transport = connect(server.clientConfig);
    client = new DynamicClient(transport);
  };
  const stop = async () => {
    await transport?.close();
    await server?.stop();
  };
  const objects = (resource) => client.resource({ group: '', version: 'v1', resource }).namespace('default');
  /** Three versions of an object. Returns their resourceVersions. */
  const write = async (resource, kind) => {
    const name = 'settings';
    const first = await objects(resource).create({ apiVersion: 'v1', kind, metadata: { name }, data: { a: 'MQ==' } });
    const second = await objects(resource).patch(name, { type: 'merge', body: { data: { a: 'Mg==' } } });
    const third = await objects(resource).patch(name, { type: 'merge', body: { data: { b: 'Mw==' } } });
    return [first, second, third].map(({ metadata }) => metadata.resourceVersion);
  };
  const run = async (request) => {
    let output = '';
    const print = (text) => void (output += text);
    const parts = { transport, discovery: new DiscoveryClient(transport), namespace: 'default', print };
    const unexpected = () => assert.fail('not expected');
    const others = { now: () => systemClock.now(), writeFile: unexpected, runCommand: async () => 0 };
    await runHistory({ scope: {}, ...request }, { ...parts, ...others });
    return output;
  };

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'binnacle-forgotten-'));
    await start();
  });
  after(async () => {
    await stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('says so in each command, also after a restart, and goes on with everything else', async () => {
    const [firstMap] = await write('configmaps', 'ConfigMap');
    const [first, second, third] = await write('secrets', 'Secret');
    const target = { kind: 'secret', name: 'settings' };
    const check = async () => {
      const log = await run({ action: 'log', target, patch: true, limit: 3, follow: false });
      const lines = log.split('\n').filter((line) => /^\d/.test(line));
      assert.deepEqual(
        lines.map((line) => [line.split('  ')[0], line.split('  ').slice(4).join('  ')]),
        [
          [third, 'Secret default/settings  (the value before it is forgotten)'],
          [second, 'Secret default/settings  (the values before and after it are forgotten)'],
          [first, 'Secret default/settings  created (the value is forgotten)'],
        ],
      );
      const at = revision(second);
      await assert.rejects(run({ action: 'get', target, at, output: 'yaml' }), /are forgotten/);
      assert.match(await run({ action: 'get', target: { ...target, kind: 'cm' }, at, output: 'yaml' }), /a: Mg==/);
      const between = { action: 'diff', from: revision(firstMap), to: revision(third) };
      const leftOut = /^Error: left out, because former values are forgotten: secrets$/;
      await assert.rejects(run(between), leftOut);
      await assert.rejects(run({ ...between, target: { kind: 'secrets' } }), /are forgotten/);
      await assert.rejects(run({ action: 'export', at, withSecrets: true }), leftOut);
      assert.match(await run({ action: 'blame', target }), /were set at \d+ or before\. The values from before it are/);
      await assert.rejects(run({ action: 'revert', revisions: [second], target }), /cannot be undone: the values/);
      const lacking = new RegExp(`lack former values of secrets; the oldest revision with all of them is ${third}`);
      await assert.rejects(run({ action: 'fork', at, list: false }), lacking);
      const bisect = { action: 'bisect', good: revision(first), bad: revision(third), command: ['true'] };
      await assert.rejects(run(bisect), lacking);
    };
    await kv.forgetValues('/registry/secrets/', Number(third));
    await check();
    await stop();
    await start();
    await check();
    const watch = objects('secrets').watch({ resourceVersion: third })[Symbol.asyncIterator]();
    const seen = watch.next();
    await objects('secrets').patch('settings', { type: 'merge', body: { data: { c: 'NA==' } } });
    assert.equal((await seen).value?.type, 'MODIFIED', 'a watch from the oldest revision that is kept');
    await watch.return?.();
  });
});
