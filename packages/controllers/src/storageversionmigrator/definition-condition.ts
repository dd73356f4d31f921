import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import type { CustomResourceDefinition, CustomResourceDefinitionStatus } from '@binnacle/client/kinds/apiextensions/v1';
import type { StorageVersionMigration } from '@binnacle/client/kinds/storagemigration/v1beta1';
import { findCondition } from '../common/index.js';
import { hasSucceeded } from './plan.js';

const TYPE = 'StorageMigrating';

/** The status that reports a running migration. The migrator owns the stored versions from now on, so it states them. */
export function statusAtStart(
  { metadata, status }: CustomResourceDefinition,
  migration: StorageVersionMigration,
): CustomResourceDefinitionStatus {
  const message = `Migration ${migration.metadata.name ?? ''} is running`;
  const { storedVersions = [] } = status ?? {};
  return { conditions: [condition('True', 'MigrationRunning', message, metadata.generation)], storedVersions };
}

/** The status after a migration. Only the storage version is left, unless the definition has changed meanwhile. */
export function statusAtEnd(
  { metadata, spec, status }: CustomResourceDefinition,
  migration: StorageVersionMigration,
): CustomResourceDefinitionStatus {
  const { generation } = metadata;
  const isUnchanged = conditionOf(status)?.observedGeneration === generation && generation !== undefined;
  const hasWorked = hasSucceeded(migration);
  const stored = spec.versions.flatMap(({ name, storage }) => (storage ? [name] : []));
  const { storedVersions = [] } = status ?? {};
  return {
    conditions: [condition('False', ...outcome(hasWorked, isUnchanged), generation)],
    storedVersions: isUnchanged && hasWorked ? stored : storedVersions,
  };
}

/** Whether the definition has this status already, as after a restart between two writes. */
export function hasStatus({ status }: CustomResourceDefinition, wanted: CustomResourceDefinitionStatus): boolean {
  const { lastTransitionTime: _, ...present } = conditionOf(status) ?? {};
  return (
    deepEqual(asJson(present), asJson(conditionOf(wanted) ?? {})) &&
    deepEqual(asJson(status?.storedVersions ?? []), asJson(wanted.storedVersions ?? []))
  );
}

function conditionOf(status: CustomResourceDefinitionStatus | undefined) {
  return findCondition(status?.conditions, TYPE);
}

function outcome(hasSucceeded: boolean, isUnchanged: boolean): readonly [reason: string, message: string] {
  if (!hasSucceeded) return ['MigrationFailed', 'The migration has failed'];
  const versions = isUnchanged
    ? 'and the stored versions have been updated'
    : 'but the stored versions have not been updated due to a generation mismatch';
  return ['MigrationSucceeded', `The migration has succeeded ${versions}`];
}

function condition(status: string, reason: string, message: string, generation: number | undefined) {
  return { type: TYPE, status, reason, message, observedGeneration: generation ?? 0 };
}
