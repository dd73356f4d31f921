import assert from 'node:assert/strict';
import { ConfigMap, Namespace, Secret } from '@binnacle/client/kinds/core/v1';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { Simulation } from '../testing/index.js';

const controllers = 'bootstrap-signer-controller,token-cleaner-controller';
const HOUR = 3_600_000;

async function addToken({ client, clock }: Simulation, id: string, hours: number): Promise<void> {
  const expiration = new Date(clock.now() + hours * HOUR).toISOString().replace(/\.\d+/, '');
  const stringData = {
    'token-id': id,
    'token-secret': `${id}0123456789`,
    'usage-bootstrap-signing': 'true',
    expiration,
  };
  const metadata = { name: `bootstrap-token-${id}` };
  const secret: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    type: 'bootstrap.kubernetes.io/token',
    stringData,
  };
  await client.resource(Secret).namespace('kube-system').create(secret);
}

/** The server makes the namespace later. */
async function addClusterInfo({ client }: Simulation): Promise<void> {
  const namespaces = client.resource(Namespace);
  const namespace: Namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-public' } };
  await namespaces.create(namespace).catch(() => undefined);
  const metadata = { name: 'cluster-info' };
  const data = { kubeconfig: 'content', other: 'x', 'jws-kubeconfig-gonegone': 'old' };
  await client
    .resource(ConfigMap)
    .namespace('kube-public')
    .create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
}

async function dataOf({ client }: Simulation) {
  return (await client.resource(ConfigMap).namespace('kube-public').get('cluster-info')).data;
}

function signature(id: string): string {
  const encode = (text: string) => Buffer.from(text).toString('base64url');
  const header = encode(`{"alg":"HS256","kid":"${id}"}`);
  const sum = createHmac('sha256', `${id}0123456789`)
    .update(`${header}.${encode('content')}`)
    .digest('base64url');
  return `${header}..${sum}`;
}

const unsigned = { kubeconfig: 'content', other: 'x' };

describe('the loops of bootstrap tokens', () => {
  for (const [what, faults] of [
    ['by one request for each change', {}],
    ['with stale caches', { watchDelay: 5000 }],
    ['when they restart after each write', { restartAfterWrites: true }],
    ['with failures', { conflicts: 0.4, failedWrites: 0.4, lostAnswers: 0.3 }],
  ] as const) {
    it(`sign the cluster's information, and delete expired tokens, ${what}`, async () => {
      await using simulation = await Simulation.start({ controllers });
      await simulation.advance(6000);
      simulation.log.clear();
      simulation.faults = faults;
      await addToken(simulation, 'abcdef', 1);
      await addToken(simulation, 'fedcba', 2);
      await addClusterInfo(simulation);
      await simulation.advance(120_000);
      const [first, second] = ['abcdef', 'fedcba'].map(signature);
      assert.deepEqual(await dataOf(simulation), {
        ...unsigned,
        'jws-kubeconfig-abcdef': first,
        'jws-kubeconfig-fedcba': second,
      });
      await simulation.advance(HOUR);
      assert.deepEqual(await dataOf(simulation), { ...unsigned, 'jws-kubeconfig-fedcba': second });
      await simulation.advance(HOUR);
      assert.deepEqual(await dataOf(simulation), unsigned);
      if (Object.keys(faults).length === 0) {
        assert.deepEqual(simulation.log.counts(), { 'update configmaps': 3, 'delete secrets': 2 });
      }
    });
  }
});
