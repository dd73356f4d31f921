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

/** Lets time pass until a promise has settled. */
async function passed(clock: VirtualClock, promise: Promise<void>): Promise<void> {
  const state = { isOver: false };
  void promise.finally(() => (state.isOver = true)).catch(() => undefined);
  while (!state.isOver) {
    await clock.advance(1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await promise;
}

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

  it('is locked under the name of a link too, which is the one that kubectl locks', async () => {
    const [path, link] = [join(folder, 'config'), join(folder, 'link')];
    writeFileSync(path, '');
    symlinkSync(path, link);
    for (const locked of [path, link]) {
      writeFileSync(`${locked}.lock`, '');
      const clock = new VirtualClock();
      const failed = assert.rejects(
        changeKubeconfig(link, () => 'text', clock),
        new RegExp(`remove ${locked}\\.lock$`),
      );
      await passed(clock, failed);
      rmSync(`${locked}.lock`);
    }
    assert.deepEqual(readdirSync(folder).sort(), ['config', 'link']);
  });

  it('is not written or locked when nothing changes, and its folder is not created', async () => {
    const path = join(folder, 'config');
    await changeKubeconfig(join(folder, 'absent', 'config'), (text) => text, systemClock);
    writeFileSync(`${path}.lock`, '');
    await changeKubeconfig(path, (text) => text, systemClock);
    rmSync(`${path}.lock`);
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
    await passed(clock, failed);
    const waiting = changeKubeconfig(path, () => 'text', systemClock);
    rmSync(`${path}.lock`);
    await waiting;
    assert.equal(readFileSync(path, 'utf8'), 'text');
    assert.deepEqual(readdirSync(folder), ['config']);
  });
});
