import assert from 'node:assert/strict';
import { it } from 'node:test';
import { nodeHealthAnswer, serviceHealthAnswer } from './health-answers.js';

it('a node with ready endpoints takes the connections of a load balancer', () => {
  const { code, headers, body } = serviceHealthAnswer({ namespace: 'n', name: 's', endpoints: 2 });
  assert.deepEqual([code, headers['x-load-balancing-endpoint-weight']], [200, '2']);
  const text =
    '{\n\t"service": {\n\t\t"namespace": "n",\n\t\t"name": "s"\n\t},\n\t"localEndpoints": 2,\n\t"serviceProxyHealthy": true\n}';
  assert.equal(body, text);
  assert.equal(serviceHealthAnswer({ namespace: 'n', name: 's', endpoints: 0 }).code, 503);
});

it('a node that leaves is not healthy, but alive', () => {
  const now = Date.UTC(2027, 0, 4);
  const codes = (path: string) => [true, false].map((isEligible) => nodeHealthAnswer(path, { isEligible }, now)?.code);
  assert.deepEqual(
    [codes('/healthz'), codes('/livez'), codes('/')],
    [
      [200, 503],
      [200, 200],
      [undefined, undefined],
    ],
  );
  const time = '2027-01-04T00:00:00.000Z';
  assert.deepEqual(JSON.parse(nodeHealthAnswer('/healthz', { isEligible: true }, now)?.body ?? ''), {
    lastUpdated: time,
    currentTime: time,
    nodeEligible: true,
    healthy: true,
    status: { IPv4: { lastUpdated: time, healthy: true } },
  });
});
