import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { systemClock } from '@binnacle/apimachinery/clock';
import { parseJson } from '@binnacle/apimachinery/json';
import { parseYaml } from '@binnacle/apimachinery/yaml';
import { DiscoveryClient } from '@binnacle/client/discovery';
import { ConfigMap } from '@binnacle/client/kinds/core/v1';
import { exchange } from '@binnacle/client/rest';
import { eventually } from '@binnacle/client/testing';
import { connect } from '@binnacle/client/transport';
import { testServer } from 'binnacle/testing';
import { runHistory } from '../../packages/binnacle/dist/history/index.js';

const configMap = (name, data) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
const revision = (text) => ({ type: 'revision', text: String(text) });

describe('the commands of the history', { timeout: 600_000 }, () => {
  let base;
  before(async () => {
    base = await testServer({ controllers: '' });
  });
  after(() => base?.stop());

  const onFork = async (use) => {
    const server = await base.fork();
    try {
      await use(server);
    } finally {
      await server.stop();
    }
  };

  const commands = (server, user) => {
    const transport = user === undefined ? server.transport : connect(server.clientConfig, { impersonate: user });
    const run = async (request) => {
      let output = '';
      await runHistory(
        { scope: {}, ...request },
        {
          transport,
          discovery: new DiscoveryClient(transport),
          namespace: 'default',
          now: () => systemClock.now(),
          print: (text) => void (output += text),
        },
      );
      return output;
    };
    const log = (options = {}) =>
      run({ action: 'log', target: { kind: 'cm' }, patch: false, limit: 50, ...options }).then((text) =>
        text
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => line.split('  ').slice(2).join('  ')),
      );
    return { run, log };
  };

  it('list events by kind, object, writer and field', () =>
    onFork(async (server) => {
      const client = server.client.resource(ConfigMap).namespace('default');
      const { log, run } = commands(server);
      await client.create(configMap('a', { color: 'red' }));
      const made = await client.create(configMap('b', { color: 'red' }), { fieldManager: 'painter' });
      await client.update({ ...made, data: { color: 'blue', size: '1' } });
      await client.delete('a');
      const all = [
        'kubernetes-admin (binnacle-test)  delete  ConfigMap default/a  deleted',
        'kubernetes-admin (binnacle-test)  update  ConfigMap default/b  .data.color: "red" -> "blue", .data.size: (none) -> "1"',
        'kubernetes-admin (painter)  create  ConfigMap default/b  created',
        'kubernetes-admin (binnacle-test)  create  ConfigMap default/a  created',
      ];
      assert.deepEqual((await log()).slice(0, 4), all);
      assert.deepEqual(await log({ target: { kind: 'configmap', name: 'b' } }), all.slice(1, 3));
      assert.deepEqual(await log({ by: 'painter' }), [all[2]]);
      assert.deepEqual(await log({ target: { kind: 'cm', name: 'b' }, field: '.data.size' }), [all[1]]);
      assert.deepEqual(await log({ limit: 1 }), [all[0]]);
      assert.deepEqual((await log({ target: undefined })).slice(0, 4), all, 'of all kinds');
      const fields = (await run({ action: 'blame', target: { kind: 'cm', name: 'b' } })).split('\n');
      assert.match(
        fields.find((line) => line.includes('.metadata.name')),
        /\(painter\) /,
      );
      assert.match(
        fields.find((line) => line.includes('.data.color')),
        /\(binnacle-test\) /,
      );
      await assert.rejects(run({ action: 'blame', target: { kind: 'cm', name: 'none' } }), /no history of cm\/none/);
      await assert.rejects(log({ target: { kind: 'nosuch' } }), /no resource "nosuch"/);
    }));

  it('get shows every state of a random history, for each revision', () =>
    onFork(async (server) => {
      const client = server.client.resource(ConfigMap).namespace('default');
      const { run } = commands(server);
      const step = fc.record({ name: fc.constantFrom('x', 'y', 'z'), remove: fc.boolean() });
      const steps = fc.sample(step, { numRuns: 25, seed: 7 });
      const model = new Map();
      const states = new Map();
      for (const [index, { name, remove }] of steps.entries()) {
        const known = model.has(name);
        if (remove && !known) continue;
        if (remove) await client.delete(name);
        else if (known) await client.update(configMap(name, { step: String(index) }));
        else await client.create(configMap(name, { step: String(index) }));
        if (remove) model.delete(name);
        else model.set(name, String(index));
        const { metadata } = await client.list();
        states.set(metadata.resourceVersion, new Map([...model].sort()));
      }
      for (const [at, expected] of states) {
        const text = await run({ action: 'get', target: { kind: 'cm' }, at: revision(at), output: 'json' });
        const { items } = parseJson(Buffer.from(text)).value;
        const shown = items
          .filter(({ data }) => data?.step !== undefined)
          .map(({ metadata, data }) => [metadata.name, data.step]);
        assert.deepEqual(new Map(shown), expected, at);
      }
    }));

  it('diff, export and revert work across kinds', () =>
    onFork(async (server) => {
      const client = server.client.resource(ConfigMap).namespace('default');
      const { run, log } = commands(server);
      const made = await client.create(configMap('a', { color: 'red' }));
      const changed = await client.update({ ...made, data: { color: 'blue' } });
      const [from, to] = [made, changed].map(({ metadata }) => revision(metadata.resourceVersion));
      const difference = 'configmaps/default/a\n  - .data.color: "red"\n  + .data.color: "blue"\n';
      assert.equal(await run({ action: 'diff', from, to }), difference);
      const exported = await run({ action: 'export', target: { kind: 'cm', name: 'a' }, at: from });
      const { value } = parseYaml(exported);
      assert.deepEqual(value, {
        ...configMap('a', { color: 'red' }),
        metadata: { name: 'a', namespace: 'default' },
      });
      const revert = (text, options = {}) =>
        run({ action: 'revert', revisions: [text], force: false, dryRun: false, ...options });
      const undo = changed.metadata.resourceVersion;
      assert.equal(await revert(undo, { dryRun: true }), 'ConfigMap default/a is reverted (dry run)\n');
      assert.equal((await client.get('a')).data.color, 'blue');
      assert.equal(await revert(undo), 'ConfigMap default/a is reverted\n');
      assert.equal((await client.get('a')).data.color, 'red');
      assert.equal(await revert(undo), 'ConfigMap default/a is already as before\n');
      await client.update({ ...(await client.get('a')), data: { color: 'green' } });
      await assert.rejects(revert(undo), /has changed since \d+; --force overwrites these fields:\n {2}\.data\.color$/);
      await revert(undo, { force: true });
      await client.delete('a');
      const deleted = (await run({ action: 'log', target: { kind: 'cm', name: 'a' }, patch: false, limit: 1 })).split(
        ' ',
      )[0];
      assert.equal(await revert(deleted), 'ConfigMap default/a is created again\n');
      assert.equal((await client.get('a')).data.color, 'red');
      assert.match((await log())[0], /\(binnacle-revert\) {2}create/);
    }));

  it('show only what the user may read', () =>
    onFork(async (server) => {
      const jane = commands(server, { user: 'jane', groups: ['system:authenticated'] });
      await assert.rejects(jane.log(), /User "jane" cannot list resource "configmaps"/);
      assert.deepEqual(await jane.log({ target: undefined }), []);
      await assert.rejects(
        jane.run({ action: 'show', revision: '5' }),
        /no object that you may read changed at revision 5/,
      );
    }));

  it('leave no fork behind a bisect that a signal stops', () =>
    onFork(async (server) => {
      const forks = async () =>
        (await exchange(server.transport, { method: 'GET', path: '/binnacle/v1/forks' })).items.length;
      const program = fileURLToPath(new URL('../../packages/binnacle/bin/binnacle.js', import.meta.url));
      const parameters = ['--kubeconfig', await server.kubeconfigFile(), '--good=1', '--bad=2', '--', 'sleep', '600'];
      const child = spawn(process.execPath, [program, 'bisect', ...parameters], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let errors = '';
      child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
      const closed = once(child, 'close');
      await eventually(async () => assert.equal(await forks(), 1));
      child.kill('SIGINT');
      assert.deepEqual(await closed, [1, null]);
      assert.equal(errors, 'binnacle: the bisect is stopped\n');
      assert.equal(await forks(), 0);
    }));
});
