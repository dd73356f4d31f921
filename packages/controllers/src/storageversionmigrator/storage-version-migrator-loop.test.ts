import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { CustomResourceDefinition } from '@binnacle/client/kinds/apiextensions/v1';
import type { ConfigMap } from '@binnacle/client/kinds/core/v1';
import { StorageVersionMigration } from '@binnacle/client/kinds/storagemigration/v1beta1';
import type { ResourceType } from '@binnacle/client/typed';
import { anyFaults, randomRuns, Simulation, type SimulationFaults } from '../testing/index.js';

const controllers = 'storage-version-migrator-controller';
const runtimeConfig = 'storagemigration.k8s.io/v1beta1=true';
const HOUR = 3_600_000;

const migration = (name: string, resource: string, group = ''): StorageVersionMigration => ({
  apiVersion: 'storagemigration.k8s.io/v1beta1',
  kind: 'StorageVersionMigration',
  metadata: { name },
  spec: { resource: { group, resource } },
});

interface Boat {
  readonly apiVersion: 'sea.example.com/v1' | 'sea.example.com/v2';
  readonly kind: 'Boat';
  readonly metadata: ConfigMap['metadata'];
}

const boats: ResourceType<Boat> = {
  group: 'sea.example.com',
  version: 'v1',
  kind: 'Boat',
  plural: 'boats',
  namespaced: true,
};

function definition(storage: 'v1' | 'v2'): CustomResourceDefinition {
  const versions = (['v1', 'v2'] as const).map((name) => ({
    name,
    served: true,
    storage: name === storage,
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  }));
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boats.sea.example.com' },
    spec: { group: 'sea.example.com', names: { plural: 'boats', kind: 'Boat' }, scope: 'Namespaced', versions },
  };
}

/** Boats that are stored as v1, while v2 is the storage version. */
async function fleet({ client }: Simulation, count: number): Promise<void> {
  const definitions = client.resource(CustomResourceDefinition);
  await definitions.create(definition('v1'));
  const harbour = client.resource(boats).namespace('default');
  for (let index = 0; index < count; index++) {
    await harbour.create({ apiVersion: 'sea.example.com/v1', kind: 'Boat', metadata: { name: `boat-${index}` } });
  }
  await definitions.patch('boats.sea.example.com', {
    type: 'merge',
    body: { spec: { versions: definition('v2').spec.versions } as never },
  });
}

/** `Type=Status Reason` of each condition. */
async function conditionsOf({ client }: Simulation, name: string): Promise<string[]> {
  const { status } = await client.resource(StorageVersionMigration).get(name);
  return (status?.conditions ?? []).map(({ type, status: value, reason }) => `${type}=${value} ${reason}`);
}

const succeeded = ['Running=False MigrationCompleted', 'Succeeded=True StorageVersionMigrationSucceeded'];

describe('the loop that migrates stored versions', () => {
  for (const faults of [
    {},
    { watchDelay: 5000 },
    { restartAfterWrites: true },
    { conflicts: 0.3, failedWrites: 0.3, lostAnswers: 0.2 },
  ] as const satisfies readonly SimulationFaults[]) {
    it(`rewrites custom resources, ${Object.keys(faults).join(' and ') || 'without faults'}`, async () => {
      await using simulation = await Simulation.start({ controllers, runtimeConfig, faults });
      await fleet(simulation, 3);
      const harbour = simulation.client.resource(boats).namespace('default');
      const versions = async () => (await harbour.list()).items.map(({ metadata }) => metadata.resourceVersion);
      const before = await versions();
      await simulation.client.resource(StorageVersionMigration).create(migration('boats', 'boats', 'sea.example.com'));
      await simulation.advance(HOUR);
      assert.deepEqual(await conditionsOf(simulation, 'boats'), succeeded);
      const after = await versions();
      // An injected conflict says that another client has written the boat.
      if (!('conflicts' in faults)) assert.ok(after.every((version, index) => version !== before[index]));
      const { status } = await simulation.client.resource(CustomResourceDefinition).get('boats.sea.example.com');
      assert.deepEqual(status?.storedVersions, ['v2']);
      const told = status?.conditions?.find(({ type }) => type === 'StorageMigrating');
      assert.equal(told?.message, 'The migration has succeeded and the stored versions have been updated');
      if (Object.keys(faults).length === 0) {
        assert.deepEqual(simulation.log.counts(), {
          'patch boats': 3,
          'patch customresourcedefinitions/status': 2,
          'update storageversionmigrations/status': 4,
        });
      }
      await simulation.advance(HOUR);
      assert.deepEqual(await versions(), after);
    });
  }

  for (const [what, given, reason, message] of [
    [
      'does not exist',
      migration('m', 'submarines', 'sea.example.com'),
      'Failed=True StorageVersionMigrationFailed',
      'resource does not exist in discovery',
    ],
    [
      'cannot be listed',
      migration('m', 'tokenreviews', 'authentication.k8s.io'),
      'Failed=True StorageVersionMigrationFailed',
      'resource "authentication.k8s.io/v1, Resource=tokenreviews" does not support discovery operations: [update patch list]',
    ],
  ] as const) {
    it(`fails for a resource that ${what}`, async () => {
      await using simulation = await Simulation.start({ controllers, runtimeConfig });
      const migrations = simulation.client.resource(StorageVersionMigration);
      await migrations.create(given);
      await simulation.advance(120_000);
      assert.deepEqual(await conditionsOf(simulation, 'm'), ['Running=False MigrationCompleted', reason]);
      assert.equal((await migrations.get('m')).status?.conditions?.[1]?.message, message);
    });
  }

  it('keeps the stored versions of a definition that changes meanwhile', async () => {
    const changed: { done: boolean } = { done: false };
    await using simulation = await Simulation.start({
      controllers,
      runtimeConfig,
      check: async (client, { resource }) => {
        if (resource !== 'boats' || changed.done) return;
        changed.done = true;
        const body = { spec: { names: { shortNames: ['bo'] } } };
        await client.resource(CustomResourceDefinition).patch('boats.sea.example.com', { type: 'merge', body });
      },
    });
    await fleet(simulation, 1);
    await simulation.client.resource(StorageVersionMigration).create(migration('boats', 'boats', 'sea.example.com'));
    await simulation.advance(HOUR);
    const { status } = await simulation.client.resource(CustomResourceDefinition).get('boats.sea.example.com');
    assert.deepEqual(status?.storedVersions, ['v1', 'v2']);
    const told = status?.conditions?.find(({ type }) => type === 'StorageMigrating');
    assert.match(told?.message ?? '', /have not been updated due to a generation mismatch$/);
    assert.deepEqual(await conditionsOf(simulation, 'boats'), succeeded);
  });

  it('runs one migration of a resource at a time, and ends all, whatever goes wrong', async () => {
    const history = fc.record({
      seed: fc.nat(),
      resources: fc.array(fc.constantFrom('configmaps', 'namespaces', 'serviceaccounts'), {
        minLength: 1,
        maxLength: 5,
      }),
      // A rewrite that changes nothing counts as a write. A process that ends after each of them repeats the first one.
      faults: anyFaults.map((faults) => ({ ...faults, restartAfterWrites: false })),
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ seed, resources, faults }) => {
        await using simulation = await Simulation.start({
          controllers,
          runtimeConfig,
          seed,
          faults,
          check: async (client) => {
            const { items } = await client.resource(StorageVersionMigration).list();
            const running = items
              .filter(({ status }) =>
                status?.conditions?.some((each) => each.type === 'Running' && each.status === 'True'),
              )
              .filter(({ status }) => !status?.conditions?.some((each) => each.type === 'Succeeded'))
              .map(({ spec }) => spec?.resource.resource);
            assert.equal(new Set(running).size, running.length, `${running.join()} run`);
          },
        });
        const migrations = simulation.client.resource(StorageVersionMigration);
        for (const [index, resource] of resources.entries()) await migrations.create(migration(`m-${index}`, resource));
        await simulation.settle({ quiet: 600_000, atMost: 24 * HOUR });
        for (const index of resources.keys()) assert.deepEqual(await conditionsOf(simulation, `m-${index}`), succeeded);
      }),
      randomRuns(3),
    );
  });
});
