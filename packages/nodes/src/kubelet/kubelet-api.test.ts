import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { MemoryKubelet } from './memory-kubelet.testing.js';
import { podOn } from './simulated-pods.testing.js';

function kubelet(nodes: readonly string[] = ['node-0']): MemoryKubelet {
  const made = new MemoryKubelet(nodes);
  made.pods.push(podOn('node-0', 'web'), podOn('node-0', 'shell'), podOn('node-1', 'db'));
  return made;
}

describe('the API of a kubelet', () => {
  it('has pages about its node', async () => {
    const made = kubelet();
    assert.deepEqual(await made.call('/healthz'), [200, 'ok']);
    const pods = await made.send('/pods');
    assert.equal(pods.headers['content-type'], 'application/json');
    const [, text] = await made.call('/pods/');
    const { kind, items } = JSON.parse(text) as { kind: string; items: Pod[] };
    assert.deepEqual([kind, items], ['PodList', made.pods.slice(0, 2)]);
    const [, summary] = await made.call('/stats/summary');
    const stats = JSON.parse(summary) as {
      node: { nodeName: string; memory: { workingSetBytes: number } };
      pods: { podRef: { name: string }; startTime: string }[];
    };
    assert.deepEqual([stats.node.nodeName, stats.node.memory.workingSetBytes], ['node-0', 2 * 10 * 2 ** 20]);
    assert.deepEqual(
      stats.pods.map(({ podRef, startTime }) => [podRef.name, startTime]),
      [
        ['web', '2026-01-01T00:00:00Z'],
        ['shell', '2026-01-01T00:00:00Z'],
      ],
    );
  });

  it('has the metrics of its node and its pods', async () => {
    const made = kubelet(['node-1']);
    const answer = await made.send('/metrics/resource');
    assert.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    const [, metrics] = await made.call('/metrics/resource');
    const now = made.clock.now();
    for (const line of [
      `node_memory_working_set_bytes 10485760 ${now}`,
      `pod_memory_working_set_bytes{namespace="n",pod="db"} 10485760 ${now}`,
      `pod_cpu_usage_seconds_total{namespace="n",pod="db"} 0.005 ${now}`,
      'container_start_time_seconds{container="c",namespace="n",pod="db"} 1767225600',
      'resource_scrape_error 0',
    ]) {
      assert.ok(metrics.split('\n').includes(line), line);
    }
  });

  it('has no pages about a node where several share the port', async () => {
    const made = kubelet(['node-0', 'node-1']);
    const words = 'several simulated nodes share this port, and pages about a node are not served';
    for (const page of ['/pods', '/stats/summary', '/metrics/resource']) {
      assert.deepEqual(await made.call(page), [404, words]);
    }
    assert.deepEqual(await made.call('/healthz'), [200, 'ok']);
    assert.deepEqual(await made.call('/containerLogs/n/db/c?tailLines=1'), [200, 'two\n']);
    assert.equal(made.asked[0]?.name, '');
  });

  const refusals: readonly (readonly [string, string, string, number, string])[] = [
    ['GET', '/pods', 'bad', 401, 'Unauthorized'],
    ['GET', '/none', 'bad', 401, 'Unauthorized'],
    ['GET', '/pods', 'reader', 403, 'Forbidden (user=reader, verb=get, resource=nodes, subresource(s)=[pods proxy])\n'],
    [
      'DELETE',
      '/stats/summary',
      'reader',
      403,
      'Forbidden (user=reader, verb=delete, resource=nodes, subresource(s)=[stats])\n',
    ],
    ['GET', '//', 'admin', 400, 'Bad Request'],
    ['GET', '/run/n/web/c', 'admin', 404, '404: Page Not Found'],
    ['GET', '/metrics', 'admin', 404, '404: Page Not Found'],
    ['POST', '/pods', 'admin', 405, 'Method Not Allowed'],
    ['GET', '/exec/n/web/c?output=1&command=env', 'admin', 400, 'Upgrade request required'],
    ['GET', '/portForward/n/web', 'admin', 400, 'Upgrade request required'],
  ];
  for (const [method, path, token, code, message] of refusals) {
    it(`refuses ${method} ${path} of ${token} with ${code}`, async () => {
      const made = kubelet();
      assert.deepEqual(await made.call(path, { method, token }), [code, message]);
      assert.deepEqual(made.reports, []);
    });
  }

  const upgrades: readonly (readonly [string, string, string, number, string])[] = [
    ['/exec/n/web/c?output=1', 'bad', 'SPDY/3.1', 401, 'Unauthorized'],
    [
      '/exec/n/web/c?output=1',
      'reader',
      'SPDY/3.1',
      403,
      'Forbidden (user=reader, verb=get, resource=nodes, subresource(s)=[proxy])\n',
    ],
    ['/pods', 'admin', 'SPDY/3.1', 400, 'the page does not upgrade connections'],
    ['/none', 'admin', 'SPDY/3.1', 404, '404: Page Not Found'],
    ['/exec/n/web/c?output=1', 'admin', 'h2c', 400, 'the simulated kubelet upgrades to SPDY/3.1 and to WebSocket'],
    ['/exec/n/db/c?output=1', 'admin', 'SPDY/3.1', 404, 'pod does not exist'],
    ['/attach/n/web/other/c?output=1', 'admin', 'SPDY/3.1', 404, 'pod not found'],
    ['/exec/n/web/d?output=1', 'admin', 'SPDY/3.1', 404, 'container not found ("d")'],
    ['/exec/n/web/c', 'admin', 'SPDY/3.1', 400, 'you must specify at least 1 of stdin, stdout, stderr'],
  ];
  for (const [path, token, upgrade, code, message] of upgrades) {
    it(`refuses to upgrade ${path} of ${token} to ${upgrade} with ${code}`, async () => {
      const made = kubelet();
      const headers = { connection: 'Upgrade', upgrade };
      assert.deepEqual(await made.call(path, { token, headers }), [code, message]);
      assert.deepEqual(made.reports, []);
    });
  }

  it('upgrades connections to SPDY', async () => {
    const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'portforward.k8s.io' };
    const answer = await kubelet().send('/portForward/n/web', { headers });
    assert.deepEqual([answer.statusCode, answer.headers['x-stream-protocol-version']], [101, 'portforward.k8s.io']);
  });

  const silent = {
    userOf: () => Promise.reject(new Error('no connection')),
    authorize: () => Promise.reject(new Error('no connection')),
  };

  it('reports a failure, and hides it from the client', async () => {
    const made = new MemoryKubelet(['node-0'], { delegation: silent });
    assert.deepEqual(await made.call('/pods'), [500, 'Internal Server Error']);
    const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
    assert.deepEqual(await made.call('/portForward/n/web', { headers }), [500, 'Internal Server Error']);
    assert.deepEqual(made.reports, ['Error: no connection', 'Error: no connection']);
  });

  it('reports no failure while the nodes stop', async () => {
    const made = new MemoryKubelet(['node-0'], { delegation: silent });
    made.stopping.abort();
    assert.deepEqual(await made.call('/pods'), [500, 'Internal Server Error']);
    assert.deepEqual(made.reports, []);
  });

  it('breaks an answer that fails after its start', async () => {
    let looks = 0;
    const made: MemoryKubelet = new MemoryKubelet(['node-0'], {
      pods: {
        find: () => {
          if (looks++ > 0) throw new Error('no memory');
          return podOn('node-0', 'web');
        },
        ofNode: () => [],
      },
    });
    const answer = await made.send('/containerLogs/n/web/c?follow=true&tailLines=1');
    const broken = assert.rejects(answer.toArray(), /aborted/);
    await made.clock.advance(1000);
    await broken;
    assert.deepEqual(made.reports, ['Error: no memory']);
  });
});
