import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { start } from 'binnacle';
import { Kubectl } from '../e2e/kubectl.mjs';
import { findKubectls } from '../e2e/kubectl-clients.mjs';
import { read } from './read.mjs';

const clients = findKubectls();
/** The oldest speaks SPDY alone, the newest WebSocket first. */
const tested = [...new Set([clients.at(0), clients.at(-1)])].filter((client) => client !== undefined);

describe('kubectl and a simulated node', { skip: tested.length === 0 && 'no kubectl on this machine' }, () => {
  let server;
  let folder;
  let kubeconfig;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'binnacle-simulated-'));
    server = await start({ inMemory: true, nodes: 1 });
    kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, server.kubeconfig);
    const kubectl = new Kubectl({ ...tested[0], kubeconfig, folder });
    await kubectl.run(['run', 'p', '--image=example.com/web', '--port=80']);
    await kubectl.run(['wait', '--for=condition=Ready', 'pod/p', '--timeout=30s']);
  });
  after(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  for (const client of tested) {
    it(`${client.version} reads logs, runs commands, copies files and forwards ports`, async () => {
      const kubectl = new Kubectl({ ...client, kubeconfig, folder });
      assert.match(await kubectl.run(['logs', 'p']), /is simulated/);
      assert.equal(await kubectl.run(['exec', '-i', 'p', '--', 'cat'], { input: 'typed' }), 'typed');
      await kubectl.fails(['exec', 'p', '--', 'sh', '-c', 'exit 4'], { code: 4 });
      const file = kubectl.file('here', 'text');
      await kubectl.run(['cp', file, 'p:/tmp/there']);
      await kubectl.run(['cp', 'p:/tmp/there', join(folder, 'back')]);
      assert.equal(readFileSync(join(folder, 'back'), 'utf8'), 'text');
      const forwarding = kubectl.start(['port-forward', 'p', ':80']);
      await forwarding.printed(/Forwarding from 127\.0\.0\.1:(\d+)/);
      const [, port] = /127\.0\.0\.1:(\d+)/.exec(forwarding.stdout);
      assert.match(await read(`http://127.0.0.1:${port}/`), /is simulated/);
      forwarding.stop();
      await forwarding.ended;
      const [node] = (await kubectl.json(['get', 'nodes'])).items;
      assert.equal(await kubectl.run(['get', '--raw', `/api/v1/nodes/${node.metadata.name}/proxy/healthz`]), 'ok');
    });
  }
});
