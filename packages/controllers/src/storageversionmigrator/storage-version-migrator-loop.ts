import { Controller, type ReconcileResult } from '@binnacle/client/controller';
import { StorageVersionMigration } from '@binnacle/client/kinds/storagemigration/v1beta1';
import { isConflict, isNotFound } from '@binnacle/client/rest';
import { LatestObjects } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { Migrator } from './migrator.js';
import { nextStep } from './plan.js';

/** Upstream migrates as many resources at once. */
const CONCURRENCY = 5;
/** The event of the other write usually ends this wait. */
const CONFLICT_MILLISECONDS = 1000;
const BY_RESOURCE = 'resource';
const indexes = { [BY_RESOURCE]: (migration: StorageVersionMigration) => [resourceOf(migration)] };

/** A request names a resource, `plural.group`, so that one worker decides on all of its migrations. */
export const createStorageVersionMigratorLoop: CreateLoop = (context) => {
  const migrations = new LatestObjects(context.informers.informer(StorageVersionMigration, { indexes }));
  return new Controller({
    name: 'storage-version-migrator-controller',
    watches: [
      {
        resource: StorageVersionMigration,
        predicate: ({ type, object }) => migrations.observe(object, type === 'delete'),
        map: (migration) => [{ namespace: undefined, name: resourceOf(migration) }],
      },
    ],
    reads: [{ resource: StorageVersionMigration, indexes }],
    concurrency: CONCURRENCY,
    reconcile: async ({ name }, { client, signal, clock }) => {
      const { discovery } = context;
      const migrator = new Migrator({ client, signal, clock, discovery, wrote: (each) => migrations.wrote(each) });
      const seen = () => migrations.candidates(BY_RESOURCE, name).filter((each) => resourceOf(each) === name);
      try {
        return await runSteps(migrator, seen);
      } catch (error) {
        if (isConflict(error)) return { requeueAfter: CONFLICT_MILLISECONDS };
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
  }).bind(context);
};

/** Each step writes, so that the next one sees another state. A step that has to wait says how long. */
async function runSteps(
  migrator: Migrator,
  seen: () => readonly StorageVersionMigration[],
): Promise<ReconcileResult | void> {
  for (let next = nextStep(seen()); next !== undefined; next = nextStep(seen())) {
    const requeueAfter = await migrator[next.step](next.migration);
    if (requeueAfter !== undefined) return { requeueAfter };
  }
}

function resourceOf({ spec }: StorageVersionMigration): string {
  return `${spec?.resource.resource ?? ''}.${spec?.resource.group ?? ''}`;
}
