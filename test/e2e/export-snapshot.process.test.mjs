// `binnacle export --to-snapshot`: an etcd that is restored from it holds the cluster, and a server goes on with it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connect, DynamicClient } from '@binnacle/client';
import { etcdBinaries, EtcdProcess, snapshotTool, withoutEtcd } from '@binnacle/kv/testing';
import { start } from 'binnacle';
import { allObjects } from './all-objects.mjs';
import { shopManifests, widgets } from './shop.mjs';

const main = fileURLToPath(new URL('../../packages/binnacle/bundle/cli/main.js', import.meta.url));
const execute = promisify(execFile);
/** Some kinds are deprecated. */
const quiet = { onWarning: () => undefined };

describe('binnacle export --to-snapshot', { timeout: 600_000 }, () => {
  let folder = '';
  let source;
  let objects;
  let report;
  const at = (name) => join(folder, name);
  const binnacle = async (...args) => (await execute(process.execPath, [main, ...args])).stdout;
  const exported = async (...args) => JSON.parse(await binnacle('export', ...args, '-o', 'json'));
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'export-snapshot-'));
    source = await start({ dataDirectory: at('data'), controllers: '' });
    writeFileSync(at('shop.json'), JSON.stringify(shopManifests));
    await binnacle('import', at('shop.json'), '--secrets', '--kubeconfig', source.kubeconfigFile);
    report = await exported('--kubeconfig', source.kubeconfigFile, '--secrets', '--to-snapshot', at('a.db'));
    const transport = connect(source.clientConfig, quiet);
    objects = await allObjects(transport);
    await transport.close();
  });
  after(async () => {
    await source.stop();
    rmSync(folder, { recursive: true });
  });

  it('takes Secrets only when it is asked to, and leaves a file alone', async () => {
    assert.deepEqual([report.failed, report.unread, report.ownersLost], [[], [], 0]);
    const without = await exported('--kubeconfig', source.kubeconfigFile, '--to-snapshot', at('without.db'));
    assert.equal(without.written, report.written - 1);
    await assert.rejects(binnacle('export', '--kubeconfig', source.kubeconfigFile, '--to-snapshot', at('a.db')), {
      stderr: /a\.db exists; export to a new file/,
    });
  });

  it('reads files instead of a server: a data directory, a snapshot, a folder', async () => {
    const { written } = report;
    const counts = [];
    for (const [from, ...to] of [
      ['data', '--to-snapshot', at('b.db')],
      ['a.db', '--to-snapshot', at('c.db')],
      ['a.db', '--to', at('folder')],
      ['folder', '--to-snapshot', at('d.db')],
    ]) {
      counts.push((await exported('--from', at(from), '--secrets', ...to)).written);
    }
    assert.deepEqual(counts, [written, written, written, written]);
  });

  it('is imported with one write for each object whose status the server sets by itself', async () => {
    const target = await start({ inMemory: true, controllers: '', kubeconfigFile: at('target') });
    try {
      const imported = ['import', at('a.db'), '--secrets', '--kubeconfig', at('target'), '-o', 'json'];
      const first = JSON.parse(await binnacle(...imported));
      assert.deepEqual(first.failed, []);
      const again = JSON.parse(await binnacle(...imported));
      // Also the Service whose node port is taken, by itself.
      assert.deepEqual([again.failed, again.created], [[], 0]);
      assert.equal(again.existing, first.created + first.existing);
      const transport = connect(target.clientConfig, quiet);
      const copies = await allObjects(transport);
      await transport.close();
      const writers = (name) => copies.get(name).metadata.managedFields.map(({ subresource }) => subresource);
      assert.deepEqual(writers('Service. shop/web'), [undefined]);
      assert.deepEqual(writers('Deployment.apps shop/web'), [undefined]);
    } finally {
      await target.stop();
    }
  });

  for (const { path, version } of etcdBinaries()) {
    const isMissing = path === undefined || snapshotTool(path) === undefined;
    const skip = withoutEtcd() || (isMissing && process.env.CI !== 'true' && `no snapshot tool of etcd ${version}`);
    it(`a server over a restored etcd ${version} has the objects, as they were`, { skip }, async () => {
      const etcd = await EtcdProcess.start({ binary: path, snapshot: at('a.db') });
      const target = await start({ etcdServers: etcd.endpoint, controllers: '' });
      try {
        const transport = connect(target.clientConfig, quiet);
        const restored = await allObjects(transport);
        const kept = [...restored].filter(
          ([name, { metadata }]) => metadata.uid !== undefined && objects.get(name)?.metadata.uid === metadata.uid,
        );
        assert.equal(kept.length, report.written);
        assert.deepEqual(Object.fromEntries(kept), Object.fromEntries(kept.map(([name]) => [name, objects.get(name)])));
        const widget = await new DynamicClient(transport).resource(widgets).namespace('shop').get('w');
        widget.spec.size = 8;
        await new DynamicClient(transport).resource(widgets).namespace('shop').update(widget);
        await transport.close();
      } finally {
        await target.stop();
        await etcd.stop();
      }
    });
  }
});
