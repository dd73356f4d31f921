/** The single executable, built for this platform: it runs where there is no Node.js, and where the user's folders cannot be written. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { before, describe, it } from 'node:test';
import { inEmptyFolder, repository } from './kits.mjs';
import { run, unlessAsked } from './programs.mjs';

const skip = unlessAsked('binary', true);
const program = join(repository, 'dist/binnacle');

/** Starts the program without the variables of this process. Resolves with its first line of output; `stop` resolves with the exit code. */
async function started(parameters, env) {
  const child = spawn(program, parameters, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(([code]) => Promise.reject(new Error(`it has ended with ${code}`))),
  ]);
  return {
    line,
    stop: async () => {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
  };
}

describe('the single executable', { skip, timeout: 10 * 60_000 }, () => {
  before(() => run(process.execPath, [join(repository, 'scripts/build-binary.mjs')]));

  it('prints versions and help', async () => {
    assert.match(await run(program, ['version']), /^Binnacle [0-9.]+, Kubernetes API 1\.36, Node v/);
    assert.match(await run(program, ['serve', '--help']), /--data-dir/);
  });

  it('serves from a data directory twice, with native parts in a private folder', () =>
    inEmptyFolder(async (folder) => {
      const env = { HOME: folder };
      for (const turn of [1, 2]) {
        const server = await started(['serve', '--secure-port=0', `--data-dir=${folder}/data`], env);
        assert.match(server.line, /^Serving the Kubernetes API at https:/, `turn ${turn}`);
        assert.equal(await server.stop(), 0);
      }
      const native = join(folder, '.cache/binnacle/native');
      assert.equal(statSync(native).mode & 0o777, 0o700);
      assert.deepEqual(
        readdirSync(native)
          .map((name) => name.replace(/^[0-9a-f]{16}-/, ''))
          .toSorted(),
        ['fs-native-extensions.node', 'lmdb.node'],
      );
    }));

  it('unpacks nothing for a server in memory, and uses the folder that it is given', () =>
    inEmptyFolder(async (folder) => {
      const own = join(folder, 'own');
      const inMemory = await started(['serve', '--in-memory', '--secure-port=0'], { HOME: folder });
      assert.equal(await inMemory.stop(), 0);
      assert.deepEqual(readdirSync(folder), []);
      // A folder below a file cannot be made, like one on a read-only file system.
      const env = { HOME: '/dev/null', BINNACLE_NATIVE_DIR: own };
      const server = await started(['serve', '--secure-port=0', `--data-dir=${folder}/data`], env);
      assert.equal(await server.stop(), 0);
      assert.equal(readdirSync(own).length, 2);
    }));

  it('runs test servers, and writes assets that run it', () =>
    inEmptyFolder(async (folder) => {
      const child = spawn(program, ['test-servers'], { env: {}, stdio: ['pipe', 'pipe', 'inherit'] });
      const exited = once(child, 'exit');
      child.stdin.write('{"id":1,"call":"start"}\n');
      const [line] = await once(createInterface({ input: child.stdout }), 'line');
      assert.match(line, /"url":"https:/);
      child.stdin.end();
      assert.deepEqual(await exited, [0, null]);
      const assets = (await run(program, ['envtest', 'assets', folder])).trim();
      assert.match(await run(join(assets, 'etcd'), ['--help']), /^Usage: etcd/);
    }));
});
