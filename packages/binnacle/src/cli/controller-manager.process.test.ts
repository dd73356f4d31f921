import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('main.js', import.meta.url));

/** The tests with a real kubectl cover its work with a server. */
describe('binnacle controller-manager with invalid arguments', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'manager-'));
    writeFileSync(join(folder, 'broken'), 'kind: Config\ncurrent-context: none\n');
    const cluster = '{name: c, cluster: {server: "https://127.0.0.1:1"}}';
    const context = '{name: c, context: {cluster: c, user: u}}';
    const config = `{kind: Config, apiVersion: v1, clusters: [${cluster}], users: [{name: u, user: {}}], contexts: [${context}], current-context: c}`;
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
    [['--kubeconfig=absent'], 1, /absent: does not exist/],
    [['--kubeconfig=broken'], 1, /broken/],
    [['--kubeconfig=sound', '--root-ca-file=absent'], 1, /--root-ca-file absent: no such file or directory/],
  ] as const) {
    it(`${args.join(' ')}: reports the error in one line`, { timeout: 60_000 }, () => {
      const command = [main, 'controller-manager', ...args];
      const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
      assert.equal(status, code);
      assert.equal(stdout, '');
      assert.match(stderr, /^binnacle: [^\n]*\n$/);
      assert.match(stderr, pattern);
    });
  }
});
