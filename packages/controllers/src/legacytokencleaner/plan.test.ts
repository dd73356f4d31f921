import assert from 'node:assert/strict';
import type { Pod, Secret, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { describe, it } from 'node:test';
import { planToken, secretsOf, trackedFrom } from './plan.js';

const DAY = 24 * 3_600_000;
const now = Date.parse('2027-06-30T12:00:00Z');

const LAST_USED = 'kubernetes.io/legacy-token-last-used';
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
const TYPE = 'kubernetes.io/service-account-token';

function secret(labels: Readonly<Record<string, string>> = {}, created = '2027-01-01T00:00:00Z', uid = 'u'): Secret {
  const annotations = { 'kubernetes.io/service-account.name': 'bot', 'kubernetes.io/service-account.uid': uid };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'tok', namespace: 'ns', labels, annotations, creationTimestamp: created },
    type: TYPE,
  };
}

const account = (...names: readonly string[]): ServiceAccount => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'bot', uid: 'u' },
  secrets: names.map((name) => ({ name })),
});

describe('an unused token', () => {
  for (const [what, given, of, mounted, expected] of [
    ['is marked', secret(), account('tok'), [], 'mark'],
    ['is marked after its last use', secret({ [LAST_USED]: '2027-05-30' }), account('tok'), [], 'mark'],
    ['stays while it is used', secret({ [LAST_USED]: '2027-05-31' }), account('tok'), [], undefined],
    ['stays if its use is unknown', secret({ [LAST_USED]: 'ever' }), account('tok'), [], undefined],
    ['stays while it is young', secret({}, '2027-06-01T00:00:00Z'), account('tok'), [], undefined],
    ['stays if a user made it', secret(), account('other'), [], undefined],
    ['stays without its account', secret(), undefined, [], undefined],
    ['stays for another account', secret({}, '2027-01-01T00:00:00Z', 'v'), account('tok'), [], undefined],
    ['stays while pods have it', secret(), account('tok'), ['tok'], undefined],
    ['is marked again if the mark is odd', secret({ [INVALID_SINCE]: 'x' }), account('tok'), [], 'mark'],
    ['stays for a time after the mark', secret({ [INVALID_SINCE]: '2027-05-31' }), account('tok'), [], undefined],
    ['is deleted after that', secret({ [INVALID_SINCE]: '2027-05-30' }), account('tok'), [], 'delete'],
  ] as const) {
    it(what, () => {
      const isMounted = (name: string) => mounted.some((each) => each === name);
      assert.equal(planToken({ secret: given, account: of, isMounted, period: 30 * DAY, now }), expected);
    });
  }

  it('is known a day after the tracking began', () => {
    assert.deepEqual(['2027-01-02', 'x', undefined].map(trackedFrom), [Date.UTC(2027, 0, 3), undefined, undefined]);
  });
});

it('finds the Secrets that a pod names', () => {
  const spec = {
    imagePullSecrets: [{ name: 'pull' }],
    containers: [
      {
        name: 'c',
        env: [{ name: 'E', valueFrom: { secretKeyRef: { name: 'key', key: 'k' } } }],
        envFrom: [{ secretRef: { name: 'all' } }],
      },
    ],
    volumes: [
      { name: 'v', secret: { secretName: 'volume' } },
      { name: 'p', projected: { sources: [{ secret: { name: 'projected' } }, { configMap: { name: 'none' } }] } },
      { name: 'i', csi: { driver: 'd', nodePublishSecretRef: { name: 'driver' } } },
    ],
  };
  const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec };
  assert.deepEqual([...secretsOf(pod)].toSorted(), ['all', 'driver', 'key', 'projected', 'pull', 'volume']);
});
