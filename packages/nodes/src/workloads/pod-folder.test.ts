import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { PodFolder } from './pod-folder.js';

const file = (text: string, mode = 0o644) => ({ bytes: Buffer.from(text), mode });
const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe('the folder of a pod', () => {
  let parent = '';
  let folder = new PodFolder('');
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'binnacle-folder-'));
    folder = new PodFolder(join(parent, 'pod'));
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  it('has the files of volumes with their modes, and no longer those that are gone', async () => {
    const volume = join(parent, 'pod/volumes/v');
    await folder.writeVolume('v', new Map(Object.entries({ a: file('1', 0o400), 'sub/b': file('2') })));
    assert.equal(await readFile(join(volume, 'a'), 'utf8'), '1');
    assert.equal(await modeOf(join(volume, 'a')), 0o400);
    assert.equal(await readFile(join(volume, 'sub/b'), 'utf8'), '2');
    await folder.writeVolume('other', new Map([['b', file('kept')]]));
    await folder.writeVolume('v', new Map([['a', file('3', 0o600)]]));
    assert.equal(await readFile(join(volume, 'a'), 'utf8'), '3');
    assert.equal(await modeOf(join(volume, 'a')), 0o600);
    assert.deepEqual(await readdir(join(volume, 'sub')), []);
    assert.deepEqual(await readdir(join(parent, 'pod/volumes/other')), ['b']);
  });

  it('leaves a file that has not changed', async () => {
    const path = join(parent, 'pod/volumes/v/a');
    await folder.writeVolume('v', new Map([['a', file('1')]]));
    await writeFile(path, 'by the program');
    await folder.writeVolume('v', new Map([['a', file('1')]]));
    assert.equal(await readFile(path, 'utf8'), 'by the program');
  });

  it('lets no path lead out of it', async () => {
    await folder.writeVolume('v', new Map([['../../../out', file('1')]]));
    assert.deepEqual(await readdir(parent), ['pod']);
    assert.equal(await readFile(join(parent, 'pod/volumes/v/out'), 'utf8'), '1');
  });

  it('has the volumes of a container at their mounts, also below other mounts', async () => {
    await folder.writeVolume('outer', new Map([['o', file('outer')]]));
    await folder.writeVolume('inner', new Map([['sub/i', file('inner')]]));
    const root = await folder.makeRoot({
      name: 'c',
      workingDir: '/work/here',
      volumeMounts: [
        { name: 'inner', mountPath: '/etc/app/inner', subPath: 'sub' },
        { name: 'outer', mountPath: '/etc/app' },
      ],
    });
    assert.equal(root, folder.rootOf('c'));
    assert.equal(await readFile(join(root, 'etc/app/o'), 'utf8'), 'outer');
    assert.equal(await readFile(join(root, 'etc/app/inner/i'), 'utf8'), 'inner');
    assert.equal(await modeOf(root), 0o700);
    assert.deepEqual(await readdir(join(root, 'work')), ['here']);
    assert.deepEqual(await readdir(join(root, 'tmp')), []);
  });

  it('has private kubeconfigs, and goes with the pod', async () => {
    const path = await folder.writeKubeconfig('c', 'text');
    assert.equal(await readFile(path, 'utf8'), 'text');
    assert.equal(await modeOf(path), 0o600);
    await folder.remove();
    await folder.remove();
    assert.deepEqual(await readdir(parent), []);
  });
});
