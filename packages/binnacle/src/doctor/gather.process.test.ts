import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { createIssuer } from '@binnacle/client/certificates';
import { defaultParts, type StartOptions } from '../embed/index.js';
import { dataDirectoryLayout } from '../files/index.js';
import { gatherFacts } from './gather.js';

const NOW = Date.UTC(2026, 10, 28);
const LOOPBACK = '127.0.0.1';
const sources = { clock: new VirtualClock(NOW), random: defaultParts.random };
/** Any free port. */
const anyPort = { bindAddress: LOOPBACK, securePort: 0 } as const;

const gather = (options: StartOptions) => gatherFacts({ ...anyPort, ...options }, sources);

async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-doctor-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('gatherFacts', () => {
  it('describes the machine, and a server that keeps nothing on disk', async () => {
    const facts = await gather({ inMemory: true, maxMemoryBytes: 1024 ** 3 });
    assert.equal(facts.nodeVersion, process.versions.node);
    assert.equal(facts.now, NOW);
    assert.deepEqual(facts.port, { address: LOOPBACK, port: 0 });
    assert.equal(facts.memory.chosenBytes, 1024 ** 3);
    assert.ok(facts.memory.limitBytes > 0);
    assert.deepEqual(
      [facts.optionsFault, facts.directory, facts.etcd, facts.certificates],
      [undefined, undefined, undefined, []],
    );
  });

  it('says why no server can listen on the port', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, LOOPBACK, resolve));
    try {
      const address = other.address();
      assert.ok(typeof address === 'object' && address !== null);
      const { port } = await gather({ inMemory: true, securePort: address.port });
      assert.deepEqual(port, { address: LOOPBACK, port: address.port, errorCode: 'EADDRINUSE' });
    } finally {
      other.close();
    }
  });

  it('describes the data directory and its certificates, and changes nothing', async () => {
    await withFolder(async (folder) => {
      const { store, certificates } = dataDirectoryLayout(folder);
      await mkdir(store);
      await mkdir(certificates);
      for (const [name, time] of [
        ['a', NOW - 2000],
        ['b', NOW - 1000],
      ] as const) {
        await writeFile(join(store, name), 'x'.repeat(100));
        await utimes(join(store, name), time / 1000, time / 1000);
      }
      const issuer = await createIssuer('binnacle-ca', NOW);
      await writeFile(join(certificates, 'ca.crt'), issuer.authority.certificate);
      await writeFile(join(certificates, 'ca.key'), 'not a certificate');
      await chmod(folder, 0o700);
      const before = await readdir(folder, { recursive: true });
      const { directory, certificates: found } = await gather({ dataDirectory: folder });
      assert.equal(directory?.path, folder);
      assert.equal(directory.fault, undefined);
      assert.equal((directory.mode ?? 0) & 0o777, 0o700);
      assert.deepEqual([directory.newestFile, directory.storeBytes], [NOW - 1000, 200]);
      assert.ok((directory.freeBytes ?? 0) > 0);
      assert.deepEqual(
        found.map(({ source, renewed }) => ({ source, renewed })),
        [{ source: 'ca.crt', renewed: true }],
      );
      assert.deepEqual(await readdir(folder, { recursive: true }), before);
    });
  });

  it('knows the free space for a data directory that does not exist yet', async () => {
    await withFolder(async (folder) => {
      const path = join(folder, 'a', 'b');
      const { directory } = await gather({ dataDirectory: path });
      assert.equal(directory?.path, path);
      assert.ok((directory.freeBytes ?? 0) > 0);
      assert.deepEqual([directory.mode, directory.fault], [undefined, undefined]);
      assert.deepEqual(await readdir(folder), []);
    });
  });

  it('says what is wrong with a file that the options name', async () => {
    await withFolder(async (folder) => {
      const clientCAFile = join(folder, 'absent.crt');
      const { optionsFault, certificates } = await gather({ inMemory: true, clientCAFile });
      assert.match(optionsFault ?? '', /absent\.crt/);
      assert.deepEqual(certificates, []);
    });
  });

  it('says which options do not go together, and still describes the machine', async () => {
    const facts = await gather({ inMemory: true, tlsCertFile: '/cert.pem' });
    assert.match(facts.optionsFault ?? '', /tls-private-key-file/);
    assert.equal(facts.nodeVersion, process.versions.node);
  });

  it('says that no etcd answers', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => void closed.listen(0, LOOPBACK, resolve));
    const address = closed.address();
    assert.ok(typeof address === 'object' && address !== null);
    await new Promise((resolve) => closed.close(resolve));
    const etcdServers = `http://${LOOPBACK}:${address.port}`;
    const { etcd } = await gatherFacts({ ...anyPort, etcdServers }, defaultParts);
    assert.equal(etcd?.endpoints, etcdServers);
    assert.ok(etcd.fault !== undefined && etcd.fault !== '');
  });
});
