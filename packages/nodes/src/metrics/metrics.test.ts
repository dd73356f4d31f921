import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { StatusError } from '@binnacle/apimachinery/status';
import type { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { metricsAnswer } from './metrics-answer.js';
import { metricsTarget, rightFor } from './metrics-target.js';

const ROOT = '/apis/metrics.k8s.io/v1beta1';
const START = Date.UTC(2027, 0, 4);

interface PodParts {
  readonly annotations?: Record<string, string>;
  readonly requests?: Record<string, string>;
  readonly isRunning?: boolean;
}

function pod(
  namespace: string,
  name: string,
  nodeName: string,
  { annotations, requests, isRunning = true }: PodParts = {},
): Pod {
  const state = isRunning ? { running: { startedAt: '2027-01-04T00:00:00Z' } } : { waiting: {} };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name, labels: { app: name }, annotations: annotations ?? {} },
    spec: { nodeName, containers: [{ name: 'c', resources: requests === undefined ? {} : { requests } }] },
    status: { containerStatuses: [{ name: 'c', image: '', imageID: '', ready: true, restartCount: 0, state }] },
  };
}

const node = (name: string): Node => ({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { zone: name } } });

const source = {
  nodes: () => [node('node-0'), node('node-1')],
  pods: () => [
    pod('a', 'plain', 'node-0'),
    pod('a', 'asking', 'node-0', { requests: { cpu: '250m', memory: '64Mi' } }),
    pod('b', 'scripted', 'node-0', {
      requests: { cpu: '250m' },
      annotations: { 'binnacle.dev/cpu': '1500m', 'binnacle.dev/memory': '1Gi' },
    }),
    pod('b', 'waiting', 'node-1', { isRunning: false }),
  ],
};

/** The names of a list with the usage of each, a usage, or the error. */
function answerTo(path: string): unknown {
  const url = new URL(path, 'https://x');
  const target = metricsTarget(url.pathname);
  if (target === undefined) return undefined;
  try {
    const pieces = metricsAnswer(target, url.searchParams, source, START + 60_000);
    const { items, kind, usage } = JSON.parse([...pieces].join('')) as JsonObject;
    if (!Array.isArray(items)) return usage ?? kind;
    const list = items as { metadata: { name: string }; usage?: object; containers?: { usage: object }[] }[];
    return list.map(({ metadata, ...item }) => [metadata.name, item.usage ?? item.containers?.[0]?.usage]);
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
}

describe('the metrics of simulated pods and nodes', () => {
  const plain = ['plain', { cpu: '1000000n', memory: '10240Ki' }];
  const asking = ['asking', { cpu: '250000000n', memory: '65536Ki' }];
  const scripted = ['scripted', { cpu: '1500000000n', memory: '1048576Ki' }];
  const answers: Record<string, unknown> = {
    '/apis': 'APIGroupList',
    '/apis/metrics.k8s.io': 'APIGroup',
    [ROOT]: 'APIResourceList',
    [`${ROOT}/pods`]: [plain, asking, scripted],
    [`${ROOT}/namespaces/a/pods`]: [plain, asking],
    [`${ROOT}/namespaces/a/pods?labelSelector=app%3Dasking`]: [asking],
    [`${ROOT}/namespaces/a/pods?labelSelector=app%3D%3D%3D`]:
      "400 unable to parse requirement: found '=', expected: identifier",
    [`${ROOT}/namespaces/a/pods?fieldSelector=metadata.name%3Dasking`]: '400 simulated metrics have no field selectors',
    [`${ROOT}/namespaces/a/pods?watch=true`]: '400 metrics cannot be watched',
    [`${ROOT}/namespaces/a/pods/plain`]: 'PodMetrics',
    [`${ROOT}/namespaces/b/pods/plain`]: '404 pods.metrics.k8s.io "plain" not found',
    [`${ROOT}/namespaces/b/pods/waiting`]: '404 pods.metrics.k8s.io "waiting" not found',
    [`${ROOT}/nodes`]: [
      ['node-0', { cpu: '1751000000n', memory: '1124352Ki' }],
      ['node-1', { cpu: '0n', memory: '0Ki' }],
    ],
    [`${ROOT}/nodes/node-1`]: { cpu: '0n', memory: '0Ki' },
    [`${ROOT}/nodes/node-2`]: '404 nodes.metrics.k8s.io "node-2" not found',
    [`${ROOT}/namespaces/a/nodes`]: undefined,
    [`${ROOT}/pods/plain`]: undefined,
    '/apis/metrics.k8s.io/v1': undefined,
  };
  for (const [path, expected] of Object.entries(answers)) {
    it(`answer ${path}`, () => assert.deepEqual(answerTo(path), expected));
  }

  it('are computed in a step for each pod that is looked at', () => {
    for (const path of ['pods', 'nodes', 'pods?labelSelector=app%3Dnone']) {
      const url = new URL(`${ROOT}/${path}`, 'https://x');
      const target = metricsTarget(url.pathname);
      assert.ok(target);
      const many = { ...source, pods: () => Array.from({ length: 50 }, (_, index) => pod('a', `p${index}`, 'node-0')) };
      const pieces = [...metricsAnswer(target, url.searchParams, many, START)];
      assert.ok(pieces.length >= 50, `${pieces.length} pieces`);
    }
  });

  it('require the right that the path names', () => {
    const user = { name: 'u', uid: '', groups: [], extra: {} };
    const rights = Object.keys(answers).flatMap((path) => {
      const { pathname } = new URL(path, 'https://x');
      const target = metricsTarget(pathname);
      if (target === undefined) return [];
      const { verb, namespace, resource, name, isResourceRequest } = rightFor(target, pathname, user);
      return isResourceRequest ? [`${verb} ${namespace}/${resource}/${name}`] : [`${verb} ${pathname}`];
    });
    assert.deepEqual(
      [...new Set(rights)],
      [
        'get /apis',
        'get /apis/metrics.k8s.io',
        `get ${ROOT}`,
        'list /pods/',
        'list a/pods/',
        'get a/pods/plain',
        'get b/pods/plain',
        'get b/pods/waiting',
        'list /nodes/',
        'get /nodes/node-1',
        'get /nodes/node-2',
      ],
    );
  });
});
