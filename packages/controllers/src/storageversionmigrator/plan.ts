import type { StorageVersionMigration } from '@binnacle/client/kinds/storagemigration/v1beta1';
import { findCondition } from '../common/index.js';

/** What a resource needs next. */
export interface MigrationStep {
  /**
   * `finish`: remove the condition Running from a migration that has ended. `start`: set it. `checkpoint`: note the version up to which
   * objects need a rewrite. `migrate`: rewrite them.
   */
  readonly step: 'finish' | 'start' | 'checkpoint' | 'migrate';
  readonly migration: StorageVersionMigration;
}

/**
 * The next step for one resource, of which one migration runs at a time: the oldest first. Undefined if all migrations have ended.
 * Upstream: `MigrationRunnerController`, `ResourceVersionController`, `SVMController`.
 */
export function nextStep(migrations: readonly StorageVersionMigration[]): MigrationStep | undefined {
  const ended = migrations.find((each) => isRunning(each) && hasEnded(each));
  if (ended !== undefined) return { step: 'finish', migration: ended };
  const open = migrations.filter((each) => !hasEnded(each));
  const running = open.find(isRunning);
  if (running !== undefined) {
    const isMarked = (running.status?.resourceVersion ?? '') !== '';
    return { step: isMarked ? 'migrate' : 'checkpoint', migration: running };
  }
  const [first] = open.toSorted(byAge);
  return first === undefined ? undefined : { step: 'start', migration: first };
}

export function hasSucceeded(migration: StorageVersionMigration): boolean {
  return isTrue(migration, 'Succeeded');
}

function hasEnded(migration: StorageVersionMigration): boolean {
  return hasSucceeded(migration) || isTrue(migration, 'Failed');
}

function isRunning(migration: StorageVersionMigration): boolean {
  return isTrue(migration, 'Running');
}

function isTrue({ status }: StorageVersionMigration, type: string): boolean {
  return findCondition(status?.conditions, type)?.status === 'True';
}

/** Times of creation have whole seconds. */
function byAge({ metadata: one }: StorageVersionMigration, { metadata: other }: StorageVersionMigration): number {
  const [a, b] = [one, other].map(({ creationTimestamp = '', name = '' }) => `${creationTimestamp} ${name}`);
  return (a ?? '') < (b ?? '') ? -1 : 1;
}
