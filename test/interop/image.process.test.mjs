/**
 * The container image without a container engine: a root file system with what the last stage of deploy/Containerfile copies, and of its base
 * only the C and C++ libraries. The program runs there as the user of the image, and can write to the volume alone.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { readImage } from '../repository/containerfile.mjs';
import { inEmptyFolder, repository } from './kits.mjs';
import { run, unlessAsked } from './programs.mjs';

const canMount = () => spawnSync('unshare', ['--mount', 'true']).status === 0;
const skip = unlessAsked('image', canMount(), 'only root on Linux makes mounts of its own');
const build = join(repository, 'scripts/build-binary.mjs');
const image = readImage(readFileSync(join(repository, 'deploy/Containerfile'), 'utf8'));

/** What the kernel and the engine give a container. */
const GIVEN = ['proc', 'dev'];
/** In a namespace of mounts: `$1` is the root, `$2` the volume, `$3` the user; the rest is the command. */
const ENTER = `set -e
root=$1 volume=$2 user=$3; shift 3
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
for name in ${GIVEN.join(' ')}; do mount --rbind "/$name" "$root/$name"; done
mount --bind "$volume" "$root${image.volumes[0]}"
exec chroot --userspec="$user" "$root" "$@"`;

/** Writes what the image has to a folder. */
async function assemble(root, program, native) {
  for (const name of GIVEN) mkdirSync(join(root, name), { recursive: true });
  const libraries = execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g);
  for (const [, library] of libraries) cpSync(library, join(root, library), { dereference: true });
  const empty = join(root, '..', 'empty');
  mkdirSync(empty);
  const sources = { '/src/dist/binnacle': program, '/image/native': native, '/image/data': empty };
  for (const { source, target, owner = '0:0', mode } of image.copies) {
    assert.ok(source in sources, source);
    const path = join(root, target);
    mkdirSync(dirname(path), { recursive: true });
    cpSync(sources[source], path, { recursive: true });
    for (const each of filesOf(path)) {
      chownSync(each, ...owner.split(':').map(Number));
      if (mode !== undefined) chmodSync(each, Number.parseInt(mode, 8));
    }
  }
}

/** A path, and all below it. */
function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  return [path, ...readdirSync(path, { recursive: true }).map((name) => join(path, name))];
}

/** Runs the image until it serves, and stops it. No one has named the home of the user. */
async function serve(root, volume) {
  const command = [...image.entryPoint, ...image.command, '--secure-port=0'];
  const child = spawn('unshare', ['--mount', 'sh', '-c', ENTER, 'sh', root, volume, image.user, ...command], {
    env: { PATH: process.env.PATH, ...image.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const exited = once(child, 'close');
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(([code]) => Promise.reject(new Error(`it has ended with ${code}: ${errors}`))),
  ]);
  child.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
  assert.doesNotMatch(errors, /"err"/);
  return line;
}

describe('the container image', { skip, timeout: 10 * 60_000 }, () => {
  it('serves without root from a read-only file system', () =>
    inEmptyFolder(async (folder) => {
      const [root, program, native, volume] = ['root', 'program', 'native', 'volume'].map((name) => join(folder, name));
      await run(process.execPath, [build, '--output', program, '--unpack', native]);
      await assemble(root, program, native);
      mkdirSync(volume, { mode: 0o700 });
      const [user, group] = image.user.split(':').map(Number);
      chownSync(volume, user, group);
      chmodSync(folder, 0o755);
      const before = filesOf(root);
      for (const turn of [1, 2]) {
        assert.match(await serve(root, volume), /Serving the Kubernetes API at https:/, `turn ${turn}`);
      }
      assert.deepEqual(filesOf(root), before);
      assert.deepEqual(readdirSync(volume).toSorted(), ['kubeconfig', 'pki', 'store']);
      assert.equal(statSync(join(volume, 'kubeconfig')).uid, user);
    }));
});
