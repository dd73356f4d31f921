import assert from 'node:assert/strict';
import { Secret, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import { describe, it } from 'node:test';
import { Simulation, type SimulationFaults, randomRuns } from '../testing/index.js';
import { filled, isReferenced, missingParts } from './plan.js';

const controllers = 'serviceaccount-token-controller';
const settings = { signToken: (claims: object) => Promise.resolve(`signed ${JSON.stringify(claims)}`) };
const TYPE = 'kubernetes.io/service-account-token';

interface Scene {
  readonly simulation: Simulation;
  readonly addAccount: (name?: string, secrets?: readonly string[]) => Promise<ServiceAccount>;
  readonly addSecret: (account?: string) => Promise<Secret>;
  readonly secret: () => Promise<Secret | undefined>;
}

async function start(faults: SimulationFaults = {}): Promise<Scene> {
  const simulation = await Simulation.start({ controllers, settings, faults });
  await simulation.advance(6000);
  simulation.log.clear();
  const accounts = simulation.client.resource(ServiceAccount).namespace('default');
  const secrets = simulation.client.resource(Secret).namespace('default');
  return {
    simulation,
    addAccount: (name = 'bot', names = []) =>
      accounts.create({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name },
        secrets: names.map((each) => ({ name: each })),
      }),
    addSecret: (account = 'bot') => {
      const metadata = { name: 'tok', annotations: { 'kubernetes.io/service-account.name': account } };
      return secrets.create({ apiVersion: 'v1', kind: 'Secret', metadata, type: TYPE });
    },
    secret: async () => (await secrets.list()).items.find(({ metadata }) => metadata.name === 'tok'),
  };
}

const text = (secret: Secret | undefined, key: string) => Buffer.from(secret?.data?.[key] ?? '', 'base64').toString();

describe('the parts of a Secret for an account', () => {
  const account: ServiceAccount = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'bot', uid: 'u' } };
  const secret = (data?: Readonly<Record<string, string>>): Secret => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'tok', namespace: 'ns' },
    ...(data === undefined ? {} : { data }),
  });
  const [ca, namespace] = [Buffer.from('pem').toString('base64'), Buffer.from('ns').toString('base64')];
  for (const [what, data, authority, expected] of [
    ['are all missing', undefined, 'pem', { data: { 'ca.crt': ca, namespace }, token: true }],
    ['are complete', { 'ca.crt': ca, namespace, token: 't' }, 'pem', undefined],
    [
      'need another authority',
      { 'ca.crt': 'b', namespace, token: 't' },
      'pem',
      { data: { 'ca.crt': ca }, token: false },
    ],
    ['are complete without an authority', { namespace: 'other', token: 't' }, '', undefined],
    ['lack the token', { 'ca.crt': ca, namespace, token: '' }, 'pem', { data: {}, token: true }],
  ] as const) {
    it(what, () => assert.deepEqual(missingParts(secret(data), authority), expected));
  }

  it('keep what users have added', () => {
    assert.deepEqual(filled(secret({ own: 'x' }), { token: 't' }, account).data, { own: 'x', token: 't' });
  });

  it('are for the account with the uid that the Secret names, if it names one', () => {
    const meant = ['', 'u', 'v'].map((uid) => isReferenced({ name: 'bot', uid }, account));
    assert.deepEqual([...meant, isReferenced({ name: 'bot', uid: '' }, undefined)], [true, true, false, false]);
  });
});

describe('the loop of tokens', () => {
  it('fills a Secret by one request, and again when its token is removed', async () => {
    const { simulation, addAccount, addSecret, secret } = await start();
    await using _ = simulation;
    const { metadata } = await addAccount();
    await addSecret();
    await simulation.advance(1000);
    const filledSecret = await secret();
    assert.equal(text(filledSecret, 'namespace'), 'default');
    assert.equal(filledSecret?.metadata.annotations?.['kubernetes.io/service-account.uid'], metadata.uid);
    assert.deepEqual(JSON.parse(text(filledSecret, 'token').replace('signed ', '')), {
      iss: 'kubernetes/serviceaccount',
      sub: 'system:serviceaccount:default:bot',
      'kubernetes.io/serviceaccount/namespace': 'default',
      'kubernetes.io/serviceaccount/secret.name': 'tok',
      'kubernetes.io/serviceaccount/service-account.name': 'bot',
      'kubernetes.io/serviceaccount/service-account.uid': metadata.uid,
    });
    assert.deepEqual(simulation.log.counts(), { 'update secrets': 1 });
    const secrets = simulation.client.resource(Secret).namespace('default');
    await secrets.patch('tok', { type: 'merge', body: { data: { token: null } } });
    await simulation.advance(1000);
    assert.notEqual(text(await secret(), 'token'), '');
    assert.deepEqual(simulation.log.counts(), { 'update secrets': 2 });
  });

  it('deletes a Secret whose account does not exist', async () => {
    const { simulation, addSecret, secret } = await start();
    await using _ = simulation;
    await addSecret('none');
    await simulation.advance(1000);
    assert.equal(await secret(), undefined);
  });

  it('removes a deleted Secret from its account, and from no other', async () => {
    const { simulation, addAccount, addSecret } = await start();
    await using _ = simulation;
    const accounts = simulation.client.resource(ServiceAccount).namespace('default');
    await addAccount('bot', ['tok', 'own']);
    await addAccount('other', ['tok']);
    await addSecret();
    await simulation.advance(1000);
    await simulation.client.resource(Secret).namespace('default').delete('tok');
    await simulation.advance(1000);
    const names = async (name: string) => (await accounts.get(name)).secrets?.map((each) => each.name);
    assert.deepEqual([await names('bot'), await names('other')], [['own'], ['tok']]);
  });

  it('follows the account through any history', async () => {
    const history = fc.record({
      steps: fc.array(fc.constantFrom('account', 'no account', 'secret', 'wait'), { minLength: 1, maxLength: 6 }),
      faults: fc.constantFrom<SimulationFaults>(
        { watchDelay: 5000 },
        { restartAfterWrites: true },
        { conflicts: 0.3, failedWrites: 0.3, lostAnswers: 0.3 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, faults }) => {
        const { simulation, addAccount, addSecret, secret } = await start(faults);
        await using _ = simulation;
        const accounts = simulation.client.resource(ServiceAccount).namespace('default');
        for (const step of steps) {
          if (step === 'account') await addAccount().catch(() => undefined);
          if (step === 'no account') await accounts.delete('bot').catch(() => undefined);
          if (step === 'secret') await addSecret().catch(() => undefined);
          await simulation.advance(step === 'wait' ? 30_000 : 500);
        }
        await simulation.advance(60_000);
        simulation.faults = {};
        await simulation.advance(60_000);
        const account = (await accounts.list()).items.find(({ metadata }) => metadata.name === 'bot');
        const kept = await secret();
        if (kept !== undefined) assert.ok(text(kept, 'token').includes(account?.metadata.uid ?? 'no account'));
        simulation.log.clear();
        await simulation.advance(3_600_000);
        assert.deepEqual(simulation.log.counts(), {});
      }),
      randomRuns(2),
    );
  });
});
