import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { randomBytes } from 'node:crypto';
import { Kubectl } from '../e2e/kubectl.mjs';
import { findKubectls } from '../e2e/kubectl-clients.mjs';
import { isThorough } from '../thorough.mjs';
import { startCluster } from './cluster.mjs';
import { read } from './read.mjs';

const clients = findKubectls();
/** The oldest speaks SPDY alone, the newest WebSocket first. `npm run test:thorough` runs all of them. */
const tested = isThorough
  ? clients
  : [...new Set([clients.at(0), clients.at(-1)])].filter((client) => client !== undefined);
const MEGABYTES = 8;

describe('kubectl and a kubelet', { skip: tested.length === 0 && 'no kubectl on this machine' }, () => {
  let cluster;
  let web;
  let kubeconfig;
  before(async () => {
    const follow = async function* () {
      for (const line of ['one\n', 'two\n', 'three\n']) {
        yield line;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    cluster = await startCluster({
      logs: ({ searchParams }) =>
        searchParams.has('previous')
          ? { status: 400, pieces: ['previous terminated container "c" not found'] }
          : { pieces: searchParams.has('follow') ? follow() : ['a line\n'] },
    });
    kubeconfig = join(cluster.folder, 'kubeconfig');
    writeFileSync(kubeconfig, cluster.server.kubeconfig);
    web = createServer((request, response) => response.end(`served ${request.url}`));
    await new Promise((resolve) => web.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    web?.close();
    await cluster?.stop();
  });

  for (const client of tested) {
    describe(client.version, () => {
      let folder;
      let kubectl;
      before(() => {
        folder = mkdtempSync(join(tmpdir(), 'binnacle-kubectl-'));
        kubectl = new Kubectl({ ...client, kubeconfig, folder });
      });
      after(() => {
        kubectl.stopAll();
        rmSync(folder, { recursive: true });
      });

      it('reads and follows logs, and reports why there are none', async () => {
        assert.equal(await kubectl.run(['logs', 'p']), 'a line\n');
        assert.equal(await kubectl.run(['logs', '-f', 'p']), 'one\ntwo\nthree\n');
        assert.match(await kubectl.fails(['logs', '-p', 'p']), /previous terminated container "c" not found/);
      });

      it('runs commands with input, both outputs and an exit code', async () => {
        assert.equal(await kubectl.run(['exec', '-i', 'p', '--', 'cat'], { input: 'typed' }), 'typed');
        const script = 'echo out; echo err >&2; exit 3';
        const { code, stdout, stderr } = await kubectl.start(['exec', 'p', '--', 'sh', '-c', script]).ended;
        assert.deepEqual([code, stdout], [3, 'out\n']);
        assert.match(stderr, /^err$/m);
        assert.match(stderr, /exit code 3/);
      });

      it('attaches to a container', async () => {
        assert.match(await kubectl.run(['attach', '-i', 'p'], { input: 'typed' }), /typed/);
      });

      it('copies large files to a container and back', async () => {
        const bytes = randomBytes(MEGABYTES << 20);
        const [here, there, back] = ['here', 'there', 'back'].map((name) => join(folder, name));
        writeFileSync(here, bytes);
        mkdirSync(join(folder, 'in'));
        await kubectl.run(['cp', here, `p:${there}`]);
        assert.ok(readFileSync(there).equals(bytes));
        await kubectl.run(['cp', `p:${there}`, back]);
        assert.ok(readFileSync(back).equals(bytes));
      });

      it('forwards a port, for several connections', async () => {
        const forwarding = kubectl.start(['port-forward', 'p', `:${web.address().port}`]);
        await forwarding.printed(/Forwarding from 127\.0\.0\.1:(\d+)/);
        const [, port] = /127\.0\.0\.1:(\d+)/.exec(forwarding.stdout);
        const texts = await Promise.all(['a', 'b', 'c'].map((path) => read(`http://127.0.0.1:${port}/${path}`)));
        assert.deepEqual(texts, ['served /a', 'served /b', 'served /c']);
        forwarding.stop();
        await forwarding.ended;
      });

      it('reads from a node through its proxy', async () => {
        assert.equal(
          await kubectl.run(['get', '--raw', '/api/v1/nodes/n/proxy/stats/summary?x=1']),
          'GET /stats/summary?x=1\n',
        );
      });
    });
  }
});
