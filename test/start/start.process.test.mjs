/** What a start loads. Node.js reads and compiles all of it, needed or not: a start is as quick as this is short. */
import { DynamicClient } from '@binnacle/client/dynamic';
import { isNotFound } from '@binnacle/client/rest';
import { testServer } from 'binnacle/testing';
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { filesLoadedBy, roomsIn } from './loaded-files.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = join(root, 'packages/binnacle');
const bundle = join(folder, 'bundle');
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const command = join(folder, manifest.bin.binnacle);
const options = { timeout: 600_000 };

/**
 * How many bytes of the bundle a start may load. The number of files says less: the bundler makes one for each set of entry points and
 * lazy parts that share modules.
 */
const MOST_BYTES = 2_755_000;

/** What only some requests need, or another store. */
const NOT_AT_START = [
  'apimachinery/cel',
  'apimachinery/schema-rules',
  'apimachinery/structural',
  'apiserver/encryption',
  'apiserver/kms',
  'apiserver/transformers',
  'apimachinery/cbor',
  'apimachinery/protobuf',
  'apimachinery/spdy',
  'apimachinery/yaml',
  'api/printers',
  'apiserver/openapi',
  'binnacle/types',
  'client/cache',
  'client/dynamic',
  'client/transport',
  'controllers/manager',
  'kv/etcd',
];

function checkLoads(files, notAtStart) {
  const own = files.filter((path) => path.startsWith(join(root, 'packages')) && path !== command);
  assert.deepEqual(
    own.filter((path) => !path.startsWith(bundle)),
    [],
    'all of our own comes out of the bundle',
  );
  const bytes = own.reduce((sum, path) => sum + statSync(path).size, 0);
  assert.ok(bytes <= MOST_BYTES, `a start loads ${bytes} bytes of the bundle, in ${own.length} files`);
  assert.deepEqual(
    files.filter((path) => /\/(re2js|yaml|ws|@grpc)\//.test(path)),
    [],
  );
  const rooms = roomsIn(own);
  assert.ok(rooms.has('apiserver/server') && rooms.size > 30, `sources are known: ${[...rooms]}`);
  assert.deepEqual(
    notAtStart.filter((room) => rooms.has(room)),
    [],
  );
}

describe('start', () => {
  let data;
  before(() => {
    data = mkdtempSync(join(tmpdir(), 'start-'));
  });
  after(() => rmSync(data, { recursive: true }));

  it('of the command, first and again: few files, and nothing that can wait', options, async () => {
    // Control loops are loaded after the start, and by chance before the end of it is seen.
    const program = [command, 'serve', '--secure-port=0', '--controllers=', '--data-dir', data];
    const first = await filesLoadedBy(program, 3);
    checkLoads(first, [...NOT_AT_START, 'kv/memory']);
    const second = await filesLoadedBy(program, 3);
    checkLoads(second, [...NOT_AT_START, 'kv/memory']);
    assert.ok(second.length <= first.length);
  });

  it('within a program, in memory: no more, and no store for disks', options, async () => {
    // It ends before control loops, which wait until whoever has started it has gone on, can be loaded.
    const code = `
      import { writeSync } from 'node:fs';
      import { start } from 'binnacle';
      await start({ inMemory: true });
      writeSync(1, 'ready\\n');
      process.kill(process.pid, 'SIGKILL');`;
    const files = await filesLoadedBy(['--input-type=module', '--eval', code], 1);
    checkLoads(files, [...NOT_AT_START, 'kv/embedded', 'binnacle/cli']);
    assert.deepEqual(
      files.filter((path) => path.includes('/lmdb/')),
      [],
    );
  });

  it('of the testing kit: out of the bundle, but for the client, which the program shares', options, async () => {
    const code = `import { testServer } from 'binnacle/testing'; await testServer({ controllers: '' }); console.log('ready');`;
    const files = await filesLoadedBy(['--input-type=module', '--eval', code], 1);
    const shared = ['apimachinery', 'client'].map((name) => join(root, 'packages', name, 'dist/'));
    checkLoads(
      files.filter((path) => !shared.some((folder) => path.startsWith(folder))),
      NOT_AT_START,
    );

    const server = await testServer({ controllers: '' });
    try {
      assert.ok(server.client instanceof DynamicClient);
      const pods = server.client.resource({ group: '', version: 'v1', resource: 'pods' }).namespace('default');
      await assert.rejects(pods.get('none'), isNotFound);
    } finally {
      await server.stop();
    }
  });

  it('finds in the bundle what is loaded later', () => {
    const rooms = roomsIn(readdirSync(bundle).map((name) => join(bundle, name)));
    assert.deepEqual(
      [...NOT_AT_START, 'kv/memory'].filter((room) => !rooms.has(room)),
      [],
    );
  });

  it('of the command, as `npx binnacle` in a clone: npm links it before there is a bundle', () => {
    assert.doesNotMatch(manifest.bin.binnacle, /bundle|dist/);
    assert.match(readFileSync(command, 'utf8'), /^#!\/usr\/bin\/env node\n/);
  });

  it('of npm start is that of the command', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const started = /exec node (\S+) serve$/.exec(scripts.start)?.[1] ?? '';
    assert.equal(resolve(root, started), command);
    assert.ok(existsSync(join(folder, manifest.exports['.'].default)));
  });
});
