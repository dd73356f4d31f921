// `binnacle cluster` with kubectl: named clusters that outlive the command, and their contexts in the user's kubeconfig.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findKubectls } from './kubectl-clients.mjs';

const client = findKubectls().at(-1);
const main = fileURLToPath(new URL('../../packages/binnacle/bundle/cli/main.js', import.meta.url));
const run = promisify(execFile);

const own = `# mine
apiVersion: v1
kind: Config
current-context: work
clusters:
  - {name: work, cluster: {server: 'https://work.example'}}
contexts:
  - {name: work, context: {cluster: work, user: me}}
users:
  - {name: me, user: {token: t}}
`;

describe('binnacle cluster', { timeout: 600_000, skip: client === undefined && 'kubectl is not installed' }, () => {
  let folder = '';
  let kubeconfig = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'cluster-'));
    kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, own);
  });
  const environment = () => ({ ...process.env, XDG_DATA_HOME: folder, KUBECONFIG: kubeconfig });
  const binnacle = async (...args) => {
    const { stdout } = await run(process.execPath, [main, 'cluster', ...args], { env: environment() });
    return stdout;
  };
  const kubectl = async (...args) => (await run(client.path, args, { env: environment() })).stdout;
  after(async () => {
    // Succeeds without a cluster too, and leaves no server behind when the test fails.
    await binnacle('delete', 'dev');
    rmSync(folder, { recursive: true });
  });

  it('is created, used, stopped, started and deleted', async () => {
    const created = await binnacle('create', 'dev', '--nodes', '2');
    assert.match(created, /^Cluster dev serves at https:\/\/127\.0\.0\.1:\d+ \(nodes: 2, ready in/);
    assert.equal(await kubectl('config', 'current-context'), 'binnacle-dev\n');
    assert.equal(await kubectl('get', 'nodes', '-o', 'name'), 'node/node-0\nnode/node-1\n');
    await kubectl('create', 'configmap', 'kept');
    await assert.rejects(binnacle('create', 'dev'), /cluster dev exists already/);
    assert.match(await binnacle('kubeconfig', 'dev'), /^current-context: binnacle-dev$/m);
    assert.match(await binnacle('stop', 'dev'), /has stopped/);
    assert.match(await binnacle('list'), /^NAME .*\ndev +Stopped +2 +https:\/\/127\.0\.0\.1:\d+\n$/);
    const starts = await Promise.allSettled([binnacle('start', 'dev'), binnacle('start', 'dev')]);
    const refused = starts.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 1);
    assert.match(refused[0].reason.message, /another command is changing cluster dev|cluster dev runs already/);
    assert.match(await binnacle('list'), /\ndev +Running +2 /);
    assert.equal(await kubectl('get', 'configmap', 'kept', '-o', 'name'), 'configmap/kept\n');

    assert.match(await binnacle('delete', 'dev'), /is deleted/);
    assert.equal(readFileSync(kubeconfig, 'utf8'), own.replace('current-context: work', 'current-context: ""'));
  });
});
