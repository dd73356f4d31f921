import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../bundle/cli/main.js', import.meta.url));

const cluster = '{name: c, cluster: {server: "https://127.0.0.1:1"}}';
const context = '{name: c, context: {cluster: c, user: u}}';
const config = `{kind: Config, apiVersion: v1, clusters: [${cluster}], users: [{name: u, user: {}}], contexts: [${context}], current-context: c}`;

/** The tests with a real kubectl cover its work with a server. */
describe('binnacle controller-manager with invalid arguments', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'manager-'));
    writeFileSync(join(folder, 'broken'), 'kind: Config\ncurrent-context: none\n');
    writeFileSync(join(folder, 'sound'), config);
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [args, code, pattern] of [
    [
      ['--controllers=anchor'],
      2,
      /--controllers: "anchor" is not in the list of known controllers: .*namespace-controller/,
    ],
    [['--controllers='], 2, /--controllers selects no control loop; leave the option out to run all/],
    [['--allocate-node-cidrs'], 2, /--allocate-node-cidrs needs --cluster-cidr/],
    [['--kubeconfig=absent'], 1, /absent: does not exist/],
    [['--kubeconfig=broken'], 1, /broken/],
    [['--kubeconfig=sound', '--root-ca-file=absent'], 1, /--root-ca-file absent: no such file or directory/],
  ] as const) {
    it(`${args.join(' ')}: reports the error in one line`, { timeout: 600_000 }, () => {
      const command = [main, 'controller-manager', ...args];
      const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
      assert.equal(status, code);
      assert.equal(stdout, '');
      assert.match(stderr, /^binnacle: [^\n]*\n$/);
      assert.match(stderr, pattern);
    });
  }
});

it('binnacle controller-manager serves its health and metrics', { timeout: 600_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'manager-'));
  const kubeconfig = join(folder, 'config');
  writeFileSync(kubeconfig, config);
  const command = [main, 'controller-manager', `--kubeconfig=${kubeconfig}`, '--healthz-bind-address=127.0.0.1:0'];
  const manager = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    let url: string | undefined;
    for await (const line of createInterface({ input: manager.stdout })) {
      url = /^Health and metrics at (http:[^ ]*)healthz/.exec(line)?.[1];
      if (url !== undefined) break;
    }
    const get = async (path: string) => (await fetch(`${url}${path}`)).text();
    assert.match(await get('healthz?verbose'), /\n\[\+\]deployment-controller ok\n/);
    const metrics = await get('metrics');
    assert.match(metrics, /leader_election_master_status\{name="kube-controller-manager"\} 0\n/);
    assert.match(metrics, /running_managed_controllers\{.*name="deployment-controller"\} 0\n/);
    manager.kill('SIGTERM');
    await once(manager, 'exit');
    assert.equal(manager.exitCode, 0);
  } finally {
    manager.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
});
