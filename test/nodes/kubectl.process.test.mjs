import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { start } from 'binnacle';
import { Kubectl } from '../e2e/kubectl.mjs';
import { findKubectls } from '../e2e/kubectl-clients.mjs';
import { read } from '../connect/read.mjs';
import { isThorough } from '../thorough.mjs';

const clients = findKubectls();
/** The oldest speaks SPDY alone, the newest WebSocket first. `npm run test:thorough` runs all of them. */
const tested = isThorough
  ? clients
  : [...new Set([clients.at(0), clients.at(-1)])].filter((client) => client !== undefined);

const FIRST = 'This container is simulated: Binnacle runs no program of the image img:1\n';

const pod = (name, annotations = {}, container = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    labels: { app: name },
    annotations: Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`binnacle.dev/${key}`, value])),
  },
  spec: { containers: [{ name: 'c', image: 'img:1', ports: [{ containerPort: 80 }], ...container }] },
});

const PODS = [
  pod('web', { logs: 'one\ntwo', cpu: '250m', memory: '64Mi' }),
  pod('loop', { logs: 'tick', 'log-interval': '1s', 'run-for': '4s' }),
  pod('shell', {}, { stdin: true }),
];

describe('kubectl and simulated nodes', { skip: tested.length === 0 && 'no kubectl on this machine' }, () => {
  let server;
  let folder;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'binnacle-nodes-'));
    server = await start({ inMemory: true, nodes: 2 });
    writeFileSync(join(folder, 'kubeconfig'), server.kubeconfig);
  });
  after(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  for (const client of tested) {
    describe(client.version, () => {
      const namespace = `n${client.minor}`;
      let kubectl;
      before(async () => {
        kubectl = new Kubectl({
          ...client,
          kubeconfig: join(folder, 'kubeconfig'),
          folder: join(folder, client.version),
        });
        await kubectl.run(['create', 'namespace', namespace]);
        await kubectl.run(['config', 'set-context', '--current', `--namespace=${namespace}`]);
        // The namespace gets its service account from a controller.
        await until(async () => (await kubectl.start(['get', 'serviceaccount', 'default']).ended).code === 0);
        const list = { apiVersion: 'v1', kind: 'List', items: PODS };
        await kubectl.run(['apply', '-f', '-'], { input: JSON.stringify(list) });
        await kubectl.run(['wait', '--for=condition=Ready', 'pod/web', 'pod/shell', '--timeout=60s']);
      });
      after(() => kubectl.stopAll());

      it('reads logs, follows them to their end, and reads those of the last run', async () => {
        assert.equal(await kubectl.run(['logs', 'web']), `${FIRST}one\ntwo\n`);
        assert.equal(await kubectl.run(['logs', 'web', '--tail=1']), 'two\n');
        assert.match(await kubectl.run(['logs', 'web', '--timestamps']), /^\d{4}-.*:\d\d\.\d{9}Z This container/);
        await until(
          async () => (await kubectl.json(['get', 'pod', 'loop'])).status.containerStatuses[0].restartCount > 0,
        );
        assert.equal(await kubectl.run(['logs', 'loop', '--previous']), `${FIRST}${'tick\n'.repeat(5)}`);
        assert.match(await kubectl.run(['logs', '-f', 'loop']), /^This container.*\n(tick\n)+$/);
      });

      it('runs commands', async () => {
        const script = 'hostname; cat; cat none; exit 3';
        const ended = await kubectl.start(['exec', '-i', 'web', '--', 'sh', '-c', script], { input: 'typed\n' }).ended;
        assert.deepEqual([ended.code, ended.stdout], [3, 'web\ntyped\n']);
        assert.match(ended.stderr, /^cat: none: No such file or directory$/m);
        assert.match(
          await kubectl.fails(['exec', 'web', '--', 'nginx']),
          /"nginx": executable file not found in \$PATH/,
        );
      });

      it('attaches', async () => {
        assert.equal(await kubectl.run(['attach', '-i', 'shell'], { input: 'echo $HOSTNAME\n' }), 'shell\n');
      });

      it('copies files to a container and back', async () => {
        const [up, down] = ['up', 'down'].map((name) => join(kubectl.folder, name));
        mkdirSync(join(up, 'below'), { recursive: true });
        writeFileSync(join(up, 'a'), 'one');
        writeFileSync(join(up, 'below', 'b'), Buffer.alloc(1 << 20, 'x'));
        await kubectl.run(['cp', up, 'web:/tmp/files']);
        await kubectl.run(['cp', 'web:/tmp/files', down]);
        assert.equal(readFileSync(join(down, 'a'), 'utf8'), 'one');
        assert.equal(readFileSync(join(down, 'below', 'b')).length, 1 << 20);
        await kubectl.run(['cp', join(up, 'a'), 'web:/tmp/a']);
        await kubectl.run(['cp', 'web:/tmp/a', join(down, 'single')]);
        assert.equal(readFileSync(join(down, 'single'), 'utf8'), 'one');
      });

      it('forwards a port', async () => {
        const forwarding = kubectl.start(['port-forward', 'web', ':80']);
        await forwarding.printed(/Forwarding from 127\.0\.0\.1:(\d+)/);
        const [, port] = /127\.0\.0\.1:(\d+)/.exec(forwarding.stdout);
        const answers = await Promise.all(['a', 'b'].map((path) => read(`http://127.0.0.1:${port}/${path}`)));
        answers.forEach((answer, index) => {
          assert.match(answer, new RegExp(`^GET /${'ab'[index]}\nPod n\\d+/web, port 80, is simulated`));
        });
        forwarding.stop();
        await forwarding.ended;
      });

      it('answers through the proxies of pods and services, and refuses other ports', async () => {
        const path = `/api/v1/namespaces/${namespace}`;
        const raw = (target) => kubectl.run(['get', '--raw', `${path}/${target}`]);
        const answer = new RegExp(`^GET /b\\?c=d\nPod ${namespace}/web, port 80, is simulated`);
        assert.match(await raw('pods/web:80/proxy/b?c=d'), answer);
        await kubectl.run(['expose', 'pod', 'web', '--port=8080', '--target-port=80']);
        await until(
          async () => (await kubectl.start(['get', '--raw', `${path}/services/web:8080/proxy/`]).ended).code === 0,
        );
        assert.match(await raw('services/web:8080/proxy/b?c=d'), answer);
        assert.match(
          await kubectl.fails(['get', '--raw', `${path}/pods/web:81/proxy/`]),
          /error trying to reach service: error forwarding port 81 to pod .*: connection refused/,
        );
      });

      it('shows what pods and nodes use', async () => {
        await until(async () => (await kubectl.start(['top', 'pods']).ended).code === 0);
        await kubectl.prints(['top', 'pods'], /^web\s+250m\s+64Mi\s*$/m);
        await kubectl.prints(['top', 'nodes'], /^node-0\s/m);
      });

      it('shows that a node is simulated', async () => {
        await kubectl.prints(
          ['describe', 'node', 'node-0'],
          [/binnacle\.dev\/simulated=true/, /OS Image:\s+Simulated/],
        );
        const summary = JSON.parse(await kubectl.run(['get', '--raw', '/api/v1/nodes/node-0/proxy/stats/summary']));
        assert.equal(summary.node.nodeName, 'node-0');
        assert.equal(await kubectl.run(['get', '--raw', '/api/v1/nodes/node-0/proxy/healthz']), 'ok');
      });
    });
  }
});

const PATIENCE = 120_000;

async function until(holds) {
  for (const start = Date.now(); Date.now() - start < PATIENCE; ) {
    if (await holds()) return;
  }
  assert.fail('it did not come');
}
