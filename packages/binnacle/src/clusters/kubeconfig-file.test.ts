import assert from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { systemClock, VirtualClock } from '@binnacle/apimachinery/clock';
import { changeKubeconfig, kubeconfigPaths, pathForNewEntries } from './kubeconfig-file.js';

describe('the kubeconfig of the user', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubeconfig-file-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is where kubectl looks; new entries go to the first file that exists', () => {
    assert.deepEqual(kubeconfigPaths({}), [join(homedir(), '.kube', 'config')]);
    assert.deepEqual(kubeconfigPaths({ KUBECONFIG: ':/a:/b:/a' }), ['/a', '/b']);
    assert.equal(
      pathForNewEntries(['/a', '/b', '/c'], (path) => path === '/b'),
      '/b',
    );
    assert.equal(
      pathForNewEntries(['/a', '/b'], () => false),
      '/b',
    );
  });

  it('is created with its folder, for its owner alone, and a link to it stays', async () => {
    const path = join(folder, 'sub', 'config');
    await changeKubeconfig(path, (text) => `${text}one\n`, systemClock);
    const link = join(folder, 'link');
    symlinkSync(path, link);
    await changeKubeconfig(link, (text) => `${text}two\n`, systemClock);
    assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\n');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(join(folder, 'sub')), ['config']);
    assert.deepEqual(readdirSync(folder).sort(), ['link', 'sub']);
  });

  it('is not written when nothing changes', async () => {
    const path = join(folder, 'config');
    await changeKubeconfig(path, (text) => text, systemClock);
    assert.equal(existsSync(path), false);
    await assert.rejects(
      changeKubeconfig(path, () => assert.fail('wrong'), systemClock),
      new RegExp(`^Error: ${path}: wrong$`),
    );
    assert.deepEqual(readdirSync(folder), []);
  });

  it('waits for the lock of another program, and gives up', async () => {
    const path = join(folder, 'config');
    writeFileSync(`${path}.lock`, '');
    const clock = new VirtualClock();
    const failed = assert.rejects(
      changeKubeconfig(path, () => 'text', clock),
      /remove .*config\.lock$/,
    );
    const state = { isOver: false };
    void failed.finally(() => (state.isOver = true));
    while (!state.isOver) {
      await clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await failed;
    const waiting = changeKubeconfig(path, () => 'text', systemClock);
    rmSync(`${path}.lock`);
    await waiting;
    assert.equal(readFileSync(path, 'utf8'), 'text');
    assert.deepEqual(readdirSync(folder), ['config']);
  });
});
