import assert from 'node:assert/strict';
import { ConfigMap, Namespace, Secret } from '@binnacle/client/kinds/core/v1';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { anyFaults, randomRuns, Simulation } from '../testing/index.js';

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

  it('sign for the tokens that are valid, through any history', async () => {
    const step = fc.record({
      hours: fc.constantFrom(1, 3, 30 * 24),
      isDeleted: fc.boolean(),
      pause: fc.constantFrom(1, 60, 5400),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 4 }),
        anyFaults,
        fc.nat(),
        async (steps, faults, seed) => {
          await using simulation = await Simulation.start({ controllers, seed });
          const { client, clock } = simulation;
          const secrets = client.resource(Secret).namespace('kube-system');
          await simulation.advance(6000);
          await addClusterInfo(simulation);
          simulation.faults = faults;
          const ends = new Map<string, number>();
          for (const [index, { hours, isDeleted, pause }] of steps.entries()) {
            const id = `token${index}`;
            ends.set(id, clock.now() + hours * HOUR);
            await addToken(simulation, id, hours);
            await simulation.advance(pause * 1000);
            const isThere = (await secrets.list()).items.some(
              ({ metadata }) => metadata.name === `bootstrap-token-${id}`,
            );
            if (isDeleted && isThere) await secrets.delete(`bootstrap-token-${id}`);
            if (isDeleted) ends.delete(id);
          }
          simulation.faults = {};
          for (const hours of [1, 4, 31 * 24]) {
            await simulation.advance(hours * HOUR);
            const valid = [...ends].filter(([, end]) => end > clock.now()).map(([id]) => id);
            const signed = Object.fromEntries(valid.map((id) => [`jws-kubeconfig-${id}`, signature(id)]));
            assert.deepEqual(await dataOf(simulation), { ...unsigned, ...signed });
            const left = (await secrets.list()).items.map(({ metadata }) => metadata.name);
            assert.deepEqual(
              left,
              valid.map((id) => `bootstrap-token-${id}`),
            );
          }
          simulation.log.clear();
          await simulation.advance(40 * 24 * HOUR);
          assert.deepEqual(simulation.log.counts(), {});
        },
      ),
      randomRuns(1),
    );
  });
});
