import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ClusterFolder } from './cluster-folder.js';

describe('the folder of a cluster', () => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'cluster-folder-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is only for its owner, and can be created where a killed command has left it empty', async () => {
    const folder = new ClusterFolder(directory, 'dev');
    assert.equal(await folder.settings(), undefined);
    mkdirSync(folder.path, { mode: 0o700 });
    await folder.create({ nodes: 2 });
    assert.deepEqual(await folder.settings(), { nodes: 2 });
    await using log = await folder.openLog();
    assert.ok(log.fd > 0);
    const modes = ['', 'cluster.json', 'log'].map((name) => statSync(join(folder.path, name)).mode & 0o777);
    assert.deepEqual(modes, [0o700, 0o600, 0o600]);
  });

  it('names the file that is damaged', async () => {
    const folder = new ClusterFolder(directory, 'dev');
    await folder.create({ nodes: 2 });
    writeFileSync(join(folder.path, 'cluster.json'), '{');
    writeFileSync(join(folder.path, 'process.json'), '');
    await assert.rejects(folder.settings(), /dev.cluster\.json is damaged; delete the cluster/);
    assert.equal(await folder.process(), undefined);
  });

  it('is removed at once, with the leftovers of a killed removal, but not the targets of its links', async () => {
    const folder = new ClusterFolder(directory, 'dev');
    mkdirSync(join(directory, '.dev.removed', 'data'), { recursive: true });
    const other = join(directory, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'mine'), '');
    symlinkSync(other, folder.path);
    await folder.remove();
    assert.deepEqual(readdirSync(directory), ['other']);
    await folder.create({ nodes: 0 });
    symlinkSync(other, folder.dataDirectory);
    await folder.remove();
    await folder.remove();
    assert.deepEqual(readdirSync(directory), ['other']);
    assert.ok(existsSync(join(other, 'mine')));
  });

  it('shows the end of a long log', async () => {
    const folder = new ClusterFolder(directory, 'dev');
    await folder.create({ nodes: 0 });
    assert.deepEqual(await folder.lastLines(2), []);
    writeFileSync(folder.log, `${'x'.repeat(100_000)}\none\n\ntwo\nthree\n`);
    assert.deepEqual(await folder.lastLines(2), ['two', 'three']);
  });
});
