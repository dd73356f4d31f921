import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { start } from 'binnacle';

const pods = '/api/v1/namespaces/default/pods';
const secrets = '/api/v1/namespaces/default/secrets';

/** Upstream: `requiredHealthzChecks` of kubernetes `test/e2e/apimachinery/health_handlers.go`, release 1.36. */
const requiredChecks = [
  'ping',
  'log',
  'etcd',
  ...[
    'start-apiserver-admission-initializer',
    'generic-apiserver-start-informers',
    'start-apiextensions-informers',
    'storage-readiness',
    'start-apiextensions-controllers',
    'crd-informer-synced',
    'bootstrap-controller',
    'start-system-namespaces-controller',
    'start-service-ip-repair-controllers',
    'scheduling/bootstrap-system-priority-classes',
    'start-cluster-authentication-info-controller',
    'start-kube-aggregator-informers',
    'apiservice-registration-controller',
    'apiservice-status-local-available-controller',
    'apiservice-status-remote-available-controller',
    'kube-apiserver-autoregistration',
    'apiservice-openapi-controller',
  ].map((hook) => `poststarthook/${hook}`),
  'autoregister-completion',
];

describe('metrics of a server', { timeout: 600_000 }, () => {
  let folder;
  let server;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binnacle-metrics-'));
    const tokenAuthFile = join(folder, 'tokens.csv');
    await writeFile(tokenAuthFile, 'scraper-token,scraper,1,system:monitoring\njane-token,jane,2\n');
    server = await start({ inMemory: true, controllers: '', tokenAuthFile });
  });
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const ask = (path, { method = 'GET', token = server.clientConfig.token, body } = {}) =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      const headers = {
        'content-type': 'application/json',
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      };
      const options = { hostname, port, method, path, headers, rejectUnauthorized: false, agent: false };
      const request = httpsRequest(options, async (response) => {
        const text = Buffer.concat(await response.toArray()).toString();
        resolve({ status: response.statusCode, headers: response.headers, text });
      });
      request.once('error', reject);
      request.end(body);
    });
  const scrape = async (path = '/metrics') => (await ask(path, { token: 'scraper-token' })).text.split('\n');

  it('are readable by monitoring, and only with the right', async () => {
    for (const path of ['/metrics', '/metrics/slis']) {
      assert.equal((await ask(path, { token: 'scraper-token' })).status, 200);
      assert.equal((await ask(path)).status, 200);
      assert.equal((await ask(path, { token: 'jane-token' })).status, 403);
      assert.equal((await ask(path, { token: '' })).status, 403);
      assert.equal((await ask(path, { token: 'wrong' })).status, 401);
    }
    const { paths } = JSON.parse((await ask('/')).text);
    assert.ok(paths.includes('/metrics') && paths.includes('/metrics/slis'));
  });

  it('count requests, without names that clients choose', async () => {
    assert.equal((await ask(pods)).status, 200);
    assert.equal((await ask(`${pods}/none`)).status, 404);
    const body = JSON.stringify({ metadata: { name: 'a' }, data: { k: 'dg==' } });
    assert.equal((await ask(secrets, { method: 'POST', body })).status, 201);
    assert.equal((await ask(`${secrets}/a`, { token: 'jane-token' })).status, 403);
    for (const path of ['/api/v1/made-up', '/apis/made.up/v1/things', '/made-up', `${pods}/a/made-up`])
      assert.equal((await ask(path)).status, 404, path);
    assert.equal((await ask(`${secrets}/a`, { method: 'OPTIONS' })).status, 405);
    const lines = await scrape();
    const labels = (resource, scope, verb) =>
      `component="apiserver",dry_run="",group="",resource="${resource}",scope="${scope}",subresource="",verb="${verb}",version="v1"`;
    for (const line of [
      `apiserver_request_total{code="200",${labels('pods', 'namespace', 'LIST')}} 1`,
      `apiserver_request_total{code="404",${labels('pods', 'resource', 'GET')}} 1`,
      `apiserver_request_total{code="201",${labels('secrets', 'resource', 'POST')}} 1`,
      'etcd_requests_total{group="",operation="create",resource="secrets"} 1',
      'apiserver_resource_objects{group="",resource="secrets"} 1',
    ])
      assert.ok(lines.includes(line), line);
    assert.ok(
      lines.some((line) => line.startsWith('apiserver_admission_controller_admission_duration_seconds_count{')),
    );
    assert.ok(lines.some((line) => /^authorization_attempts_total\{result="no-opinion"\} [1-9]/.test(line)));
    assert.deepEqual(
      lines.filter((line) => /made.up|OPTIONS|code="40[135]"|jane/.test(line)),
      [],
    );
  });

  it('and health checks tell of control loops', async () => {
    const other = await start({ inMemory: true, controllers: 'replicaset-controller' });
    const { token, certificateAuthority: ca } = other.clientConfig;
    const get = (path) =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}` };
        const request = httpsRequest(new URL(path, other.url), { headers, ca, agent: false }, async (response) =>
          resolve(Buffer.concat(await response.toArray()).toString()),
        );
        request.once('error', reject);
        request.end();
      });
    const untilMetric = async (pattern) => {
      while (!pattern.test(await get('/metrics'))) await new Promise((resolve) => setImmediate(resolve));
    };
    try {
      await untilMetric(/running_managed_controllers\{.*name="replicaset-controller"\} 1/);
      await untilMetric(/workqueue_depth\{name="replicaset"\} 0/);
      assert.match(await get('/healthz?verbose'), /\[\+\]replicaset-controller ok\n/);
      assert.doesNotMatch(await get('/livez?verbose'), /replicaset-controller/);
    } finally {
      await other.stop();
    }
  });

  it('have the names that the end-to-end suite of upstream wants, in all roots', async () => {
    for (const root of ['healthz', 'livez', 'readyz']) {
      const lines = new Set((await ask(`/${root}?verbose=1`)).text.split('\n'));
      for (const name of requiredChecks) assert.ok(lines.has(`[+]${name} ok`), `${root} ${name}`);
    }
  });

  it('report readiness', async () => {
    const { text } = await ask('/readyz?verbose');
    assert.match(text, /^\[\+\]informer-sync ok$/m);
    assert.match(text, /^\[\+\]poststarthook\/storage-readiness ok$/m);
    assert.ok(
      (await scrape('/metrics/slis')).includes(
        'kubernetes_healthcheck{name="poststarthook/storage-readiness",type="readyz"} 1',
      ),
    );
  });
});
