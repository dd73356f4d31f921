import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { promisify } from 'node:util';
import { quoted, writeAssets } from './assets.js';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-assets-'));
});
after(() => rm(folder, { recursive: true }));

it('writes programs that pass their arguments on', async () => {
  const directory = join(folder, "it's", 'here');
  const printing = [process.execPath, '-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', 'first'];
  const write = (): Promise<void> => writeAssets(directory, printing, '/bin/kubectl');
  await Promise.all([write(), write()]);
  await write();
  assert.deepEqual((await readdir(directory)).toSorted(), ['etcd', 'kube-apiserver', 'kubectl']);
  assert.equal(await readlink(join(directory, 'kubectl')), '/bin/kubectl');
  const { stdout } = await promisify(execFile)(join(directory, 'etcd'), ['--a=b c', "d'e"]);
  assert.deepEqual(JSON.parse(stdout), ['first', 'envtest', 'etcd', '--', '--a=b c', "d'e"]);
});

it('quotes a word for a shell', () => {
  assert.equal(quoted("a 'b' $c"), `'a '\\''b'\\'' $c'`);
});
