import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { ConfigMap, Namespace, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { isNotFound } from '@binnacle/client/rest';
import { anyFaults, faultCases, isFaultless, randomRuns, Simulation } from '../testing/index.js';

const controllers = 'serviceaccount-controller,root-ca-certificate-publisher-controller';
const CERTIFICATE = 'kube-root-ca.crt';

const anyHistory = fc.array(
  fc.record({
    act: fc.constantFrom('create', 'create', 'delete account', 'delete certificate', 'forge certificate'),
    namespace: fc.constantFrom('default', 'a', 'b'),
    after: fc.constantFrom(0, 10, 700, 8000),
  }),
  { minLength: 3, maxLength: 12 },
);

/** Does nothing where the object is missing. */
async function act({ client }: Simulation, name: string, namespace: string): Promise<void> {
  const certificates = client.resource(ConfigMap).namespace(namespace);
  const acts: Record<string, () => Promise<unknown>> = {
    create: () =>
      client.resource(Namespace).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }),
    'delete account': () => client.resource(ServiceAccount).namespace(namespace).delete('default'),
    'delete certificate': () => certificates.delete(CERTIFICATE),
    'forge certificate': () =>
      certificates.patch(CERTIFICATE, { type: 'merge', body: { data: { 'ca.crt': 'forged', more: 'x' } } }),
  };
  await acts[name]?.().catch((error: unknown) => {
    assert.ok(isNotFound(error) || name === 'create', String(error));
  });
}

for (const [what, faults] of faultCases) {
  it(`a namespace gets its account and certificate by one write each, and again after a deletion, ${what}`, async () => {
    await using simulation = await Simulation.start({ controllers });
    await simulation.settle();
    simulation.log.clear();
    simulation.faults = faults;
    const accounts = simulation.client.resource(ServiceAccount).namespace('a');
    const certificates = simulation.client.resource(ConfigMap).namespace('a');
    await act(simulation, 'create', 'a');
    await simulation.settle();
    for (const name of ['delete account', 'forge certificate']) await act(simulation, name, 'a');
    await simulation.settle();
    assert.deepEqual((await accounts.get('default')).metadata.name, 'default');
    assert.deepEqual((await certificates.get(CERTIFICATE)).data, { 'ca.crt': '' });
    const counts = { 'create serviceaccounts': 2, 'create configmaps': 1, 'update configmaps': 1 };
    if (isFaultless(faults)) assert.deepEqual(simulation.log.counts(), counts);
  });
}

it('each namespace has its account and certificate after any history, with any faults, and the loops are then idle', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), anyFaults, anyHistory, async (seed, faults, history) => {
      await using simulation = await Simulation.start({ controllers, seed, faults });
      const { client } = simulation;
      for (const { act: name, namespace, after } of history) {
        await simulation.advance(after);
        await act(simulation, name, namespace);
      }
      await simulation.settle();
      const namespaces = (await client.resource(Namespace).list()).items
        .map(({ metadata }) => metadata.name ?? '')
        .sort();
      const accounts = (await client.resource(ServiceAccount).list({ fieldSelector: 'metadata.name=default' })).items;
      assert.deepEqual(accounts.map(({ metadata }) => metadata.namespace ?? '').sort(), namespaces);
      const certificates = (await client.resource(ConfigMap).list({ fieldSelector: `metadata.name=${CERTIFICATE}` }))
        .items;
      assert.deepEqual(certificates.map(({ metadata }) => metadata.namespace ?? '').sort(), namespaces);
      for (const { data } of certificates) assert.deepEqual(data, { 'ca.crt': '' });
      simulation.log.clear();
      await simulation.advance(3_600_000);
      assert.deepEqual(simulation.log.counts(), {});
    }),
    randomRuns(8),
  );
});
