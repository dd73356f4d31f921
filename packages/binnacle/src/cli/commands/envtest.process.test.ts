import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DynamicClient } from '@binnacle/client/dynamic';
import { loadConfig } from '@binnacle/client/kubeconfig';
import { connect } from '@binnacle/client/transport';

const main = fileURLToPath(new URL('../../../bundle/cli/main.js', import.meta.url));

describe('binnacle envtest', { timeout: 600_000 }, () => {
  let folder = '';
  let assets = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'binnacle-envtest-'));
    const printed = execFileSync(process.execPath, [main, 'envtest', 'assets', join(folder, 'assets')], {
      encoding: 'utf8',
    });
    assets = printed.trim();
  });
  after(() => rmSync(folder, { recursive: true }));

  it('keeps objects while the etcd runs, over restarts of kube-apiserver', async () => {
    const port = await freePort();
    const etcd = spawn(join(assets, 'etcd'), etcdFlags(port, folder), { stdio: 'ignore' });
    await untilAnswers(`http://127.0.0.1:${port}/health`);
    const kubeconfig = join(folder, 'kubeconfig');
    const flags = [`--etcd-servers=http://127.0.0.1:${port}`, '--secure-port=0', `--write-kubeconfig=${kubeconfig}`];
    const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
    const session = async (work: (client: DynamicClient) => Promise<void>): Promise<void> => {
      const server = spawn(join(assets, 'kube-apiserver'), flags, { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(server.stdout, 'data');
      {
        await using transport = connect(await loadConfig({ path: kubeconfig }));
        await work(new DynamicClient(transport));
      }
      await ended(server);
    };
    await session(async (client) => {
      await client
        .resource(configMaps)
        .namespace('default')
        .create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept' } });
    });
    await session(async (client) => {
      assert.equal((await client.resource(configMaps).namespace('default').get('kept')).metadata.name, 'kept');
      const accounts = { group: '', version: 'v1', resource: 'serviceaccounts' };
      await assert.rejects(
        client.resource(accounts).namespace('default').get('default'),
        { code: 404 },
        'no loops run',
      );
    });
    await ended(etcd);
  });

  it('ends when the process that started it is killed', async () => {
    const port = await freePort();
    const starter = spawn(process.execPath, ['-e', starting, join(assets, 'etcd'), ...etcdFlags(port, folder)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await untilAnswers(`http://127.0.0.1:${port}/health`);
    starter.kill('SIGKILL');
    // The pipe ends when no process holds it.
    await text(starter.stdout);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/health`));
  });
});

const starting = `require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: 'inherit' })`;

const etcdFlags = (port: number, folder: string): string[] => [
  `--listen-client-urls=http://127.0.0.1:${port}`,
  `--data-dir=${join(folder, 'etcd')}`,
];

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function untilAnswers(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
