import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection, exists, ServedProcess } from './served-process.mjs';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const TOKEN = 'the-token-of-the-test';
const limit = { timeout: 600_000 };
const skip = process.platform === 'linux' ? false : 'it finds the processes of workers in /proc';

const configMap = (name, data = {}) => ({ metadata: { name }, data });

async function until(happened) {
  while (!(await happened())) await pause(20);
}

describe('a server with two workers', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'workers-'));
  const auditLog = join(folder, 'audit.log');
  const files = {
    tokens: join(folder, 'tokens.csv'),
    policy: join(folder, 'policy.yaml'),
  };
  writeFileSync(files.tokens, `${TOKEN},admin,admin,"system:masters"\n`);
  writeFileSync(files.policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n');
  const args = (port) => [
    '--workers=2',
    `--secure-port=${port}`,
    `--data-dir=${join(folder, 'data')}`,
    `--token-auth-file=${files.tokens}`,
    `--audit-policy-file=${files.policy}`,
    `--audit-log-path=${auditLog}`,
  ];
  let server;
  let connections = [];
  const connect = (count) => {
    for (const connection of connections) connection.close();
    connections = Array.from({ length: count }, () => new Connection(server.port, TOKEN));
  };
  /** Opens the connections one by one, so that the workers get them in turn. */
  const touch = async () => {
    for (const connection of connections) assert.equal((await connection.send('GET', '/version')).status, 200);
  };
  before(async () => {
    server = await ServedProcess.start(args(0));
    connect(2);
    await touch();
  }, limit);
  after(async () => {
    for (const connection of connections) connection.close();
    await server?.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows each write to the next read, whichever workers serve them', limit, async () => {
    for (let index = 0; index < 30; index++) {
      const [writer, reader] = index % 2 === 0 ? connections : connections.toReversed();
      const name = `read-${index % 10}`;
      const path = `${CONFIG_MAPS}/${name}`;
      const written =
        index < 10
          ? await writer.send('POST', CONFIG_MAPS, configMap(name, { index: '0' }))
          : await writer.send('PUT', path, configMap(name, { index: String(index) }));
      assert.ok(written.status < 300, written.text);
      const { resourceVersion } = written.body.metadata;
      assert.equal((await reader.send('GET', path)).body.metadata.resourceVersion, resourceVersion);
      const { items } = (await reader.send('GET', `${CONFIG_MAPS}?fieldSelector=metadata.name%3D${name}`)).body;
      assert.equal(items[0]?.metadata.resourceVersion, resourceVersion);
    }
  });

  it('gives out an address once', limit, async () => {
    const service = (name) => ({ metadata: { name }, spec: { ports: [{ port: 80 }], type: 'NodePort' } });
    const created = await Promise.all(
      connections.flatMap((connection, worker) =>
        Array.from({ length: 10 }, (_, index) =>
          connection.send('POST', '/api/v1/namespaces/default/services', service(`s${worker}-${index}`)),
        ),
      ),
    );
    assert.ok(created.every(({ status }) => status === 201));
    assert.equal(new Set(created.map(({ body }) => body.spec.clusterIP)).size, 20);
    assert.equal(new Set(created.map(({ body }) => body.spec.ports[0].nodePort)).size, 20);
  });

  it('shows the writes of both workers in a watch of either, in order and once', limit, async () => {
    const { body } = await connections[0].send('GET', `${CONFIG_MAPS}?limit=1`);
    const query = `watch=true&resourceVersion=${body.metadata.resourceVersion}&timeoutSeconds=50`;
    const watches = await Promise.all(
      connections.map(async (_, index) => {
        const own = new Connection(server.port, TOKEN);
        connections.push(own);
        const response = await own.open('GET', `${CONFIG_MAPS}?${query}`);
        const seen = [];
        const reading = (async () => {
          let rest = '';
          for await (const chunk of response.setEncoding('utf8')) {
            const lines = (rest + chunk).split('\n');
            rest = lines.pop();
            seen.push(...lines.map((line) => JSON.parse(line)).filter(({ type }) => type !== 'BOOKMARK'));
            if (seen.length >= 60) return;
          }
        })();
        return { index, seen, reading };
      }),
    );
    const [one, other] = connections;
    const written = [];
    for (let index = 0; index < 30; index++) {
      const both = await Promise.all([
        one.send('POST', CONFIG_MAPS, configMap(`one-${index}`)),
        other.send('POST', CONFIG_MAPS, configMap(`other-${index}`)),
      ]);
      written.push(...both.map((answer) => Number(answer.body.metadata.resourceVersion)));
    }
    await Promise.all(watches.map(({ reading }) => reading));
    const inOrder = written.toSorted((a, b) => a - b);
    for (const { seen } of watches) {
      assert.deepEqual(
        seen.map(({ object }) => Number(object.metadata.resourceVersion)),
        inOrder,
      );
    }
    for (const watch of connections.splice(2)) watch.close();
  });

  it('shows the metrics of all processes, and one audit log', limit, async () => {
    const { text } = await connections[0].send('GET', '/metrics');
    for (const worker of ['primary', '1', '2']) {
      assert.match(text, new RegExp(`^process_resident_memory_bytes\\{worker="${worker}"\\} `, 'm'));
    }
    const served = (worker) =>
      new RegExp(`^apiserver_request_total\\{worker="${worker}".*resource="configmaps".*verb="POST"`, 'm');
    assert.match(text, served(1));
    assert.match(text, served(2));
    const lines = readFileSync(auditLog, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const creates = lines.filter(({ verb, objectRef }) => verb === 'create' && /^one-|^other-/.test(objectRef?.name));
    assert.equal(new Set(creates.map(({ auditID }) => auditID)).size, 60);
  });

  it('refuses what one process alone can do, by name', limit, async () => {
    const { status, body } = await connections[0].send('GET', '/binnacle/v1/snapshots');
    assert.equal(status, 400);
    assert.match(body.message, /--workers 1/);
    await assert.rejects(
      ServedProcess.start([...args(0), '--fault-injection']),
      /--fault-injection works in one process/,
    );
  });

  it('replaces a worker that is killed, while the other one serves', limit, async () => {
    const [killed, spared] = server.workers();
    assert.ok(spared !== undefined);
    process.kill(killed, 'SIGKILL');
    await until(() => !exists(killed));
    // One of the two connections may be gone.
    const statuses = [];
    for (let index = 0; index < 5; index++) {
      const own = new Connection(server.port, TOKEN);
      connections.push(own);
      statuses.push((await own.send('GET', `${CONFIG_MAPS}/one-1`)).status);
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
    await until(async () => (await connections.at(-1).send('GET', '/healthz/workers')).status === 200);
    const now = server.workers();
    assert.equal(now.length, 2);
    assert.ok(now.includes(spared) && !now.includes(killed));
    assert.match(server.log, /A worker has ended and is started again.*signal SIGKILL/);
    connect(2);
    await touch();
    const { text } = await connections[0].send('GET', '/metrics');
    assert.equal(text.match(/^process_resident_memory_bytes\{/gm).length, 3);
  });

  it('leaves nothing behind when the primary is killed, and serves the same data again', limit, async () => {
    const workers = server.workers();
    await connections[0].send('POST', CONFIG_MAPS, configMap('last'));
    assert.equal(await server.end('SIGKILL'), 'SIGKILL');
    await until(() => !workers.some(exists));
    server = await ServedProcess.start(args(server.port));
    connect(2);
    await touch();
    for (const connection of connections) {
      assert.equal((await connection.send('GET', `${CONFIG_MAPS}/last`)).status, 200);
    }
  });

  it('ends in order at SIGTERM, also when the workers get it too', limit, async () => {
    const workers = server.workers();
    const watch = await connections[0].open('GET', `${CONFIG_MAPS}?watch=true`);
    watch.resume();
    // A stop waits some seconds for clients that keep their connections.
    const ended = new Promise((resolve) => {
      watch.on('end', () => {
        for (const connection of connections) connection.close();
        resolve();
      });
    });
    for (const worker of workers) process.kill(worker, 'SIGTERM');
    assert.equal(await server.end('SIGTERM'), 0);
    await ended;
    assert.ok(!workers.some(exists));
    assert.doesNotMatch(server.log, /Error|failed/i);
  });
});
