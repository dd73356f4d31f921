import type { Clock } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { asJson, compareResourceVersions } from '@binnacle/apimachinery/meta';
import { formatTime, parseTime } from '@binnacle/apimachinery/time';
import type { ApiResource, DiscoveryClient } from '@binnacle/client/discovery';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { CustomResourceDefinition } from '@binnacle/client/kinds/apiextensions/v1';
import type { Condition } from '@binnacle/client/kinds/meta/v1';
import { StorageVersionMigration } from '@binnacle/client/kinds/storagemigration/v1beta1';
import { findCondition, unlessGone } from '../common/index.js';
import { hasStatus, statusAtEnd, statusAtStart } from './definition-condition.js';
import { latestVersion, mayPass, rewriteObjects } from './rewrite-objects.js';
import { obstacleOf, servedResource, textOf } from './served-resource.js';

/** Upstream's name of the part that writes to definitions. */
const RUNNER = 'migration-runner-controller';
/** Discovery may not show a new resource yet. */
const UNKNOWN_MILLISECONDS = 60_000;
const DISCOVERY_MILLISECONDS = 5000;

export interface MigratorOptions {
  readonly client: DynamicClient;
  readonly discovery: DiscoveryClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with the state after each write of a migration. */
  readonly wrote: (migration: StorageVersionMigration) => void;
}

/** The object that a migration names, as the server serves it, or what to do without it. */
type Found = { readonly served: ApiResource } | { readonly wait: number } | { readonly missing: true };

/**
 * Carries out the steps of migrations. Each resolves to the milliseconds after which to repeat it, or to undefined once it has written the status.
 * Rejects with a conflict if the migration or the definition has changed.
 */
export class Migrator {
  readonly #options: MigratorOptions;

  constructor(options: MigratorOptions) {
    this.#options = options;
  }

  async start(migration: StorageVersionMigration): Promise<undefined> {
    await this.#writeDefinition(migration, statusAtStart);
    await this.#write(migration, {
      type: 'Running',
      status: 'True',
      reason: 'MigrationRunning',
      message: 'The migration is running',
    });
  }

  async finish(migration: StorageVersionMigration): Promise<undefined> {
    await this.#writeDefinition(migration, statusAtEnd);
    await this.#write(migration, {
      type: 'Running',
      status: 'False',
      reason: 'MigrationCompleted',
      message: 'Migration completed',
    });
  }

  async checkpoint(migration: StorageVersionMigration): Promise<number | undefined> {
    const found = await this.#find(migration);
    if ('wait' in found) return found.wait;
    if ('missing' in found) return this.#fail(migration, 'resource does not exist in discovery');
    const { served } = found;
    const obstacle = obstacleOf(served);
    if (obstacle !== undefined) return this.#fail(migration, obstacle);
    const version = await latestVersion(served, this.#options);
    try {
      compareResourceVersions(version, version);
    } catch (error) {
      const message = `latest resourceVersion for ${textOf(served.resource)} is not valid: ${messageOf(error)}`;
      return this.#fail(migration, message);
    }
    await this.#writeStatus({ ...migration, status: { ...migration.status, resourceVersion: version } });
    return undefined;
  }

  async migrate(migration: StorageVersionMigration): Promise<number | undefined> {
    const found = await this.#find(migration);
    if ('wait' in found) return found.wait;
    if ('missing' in found) return this.#fail(migration, unhandled('unable to obtain GVR from discovery'));
    try {
      await rewriteObjects(found.served, migration.status?.resourceVersion ?? '', this.#options);
    } catch (error) {
      if (mayPass(error)) throw error;
      return this.#fail(migration, unhandled(messageOf(error)));
    }
    const reason = 'StorageVersionMigrationSucceeded';
    return this.#write(migration, { type: 'Succeeded', status: 'True', reason, message: '' });
  }

  async #find({ metadata, spec }: StorageVersionMigration): Promise<Found> {
    const { discovery, clock, signal } = this.#options;
    const resource = { resource: '', ...spec?.resource, group: spec?.resource.group ?? '' };
    const served = await servedResource(resource, discovery, signal);
    if (served !== undefined) return { served };
    const age = clock.now() - (parseTime(metadata.creationTimestamp ?? '') ?? 0);
    return age < UNKNOWN_MILLISECONDS ? { wait: DISCOVERY_MILLISECONDS } : { missing: true };
  }

  /** Writes the status of the definition, if the resource has one. */
  async #writeDefinition(migration: StorageVersionMigration, statusOf: typeof statusAtStart): Promise<void> {
    const { client, clock, signal } = this.#options;
    const { resource = '', group = '' } = migration.spec?.resource ?? {};
    if (group === '') return;
    const definitions = client.resource(CustomResourceDefinition);
    const definition = await unlessGone(definitions.get(`${resource}.${group}`, { signal }));
    if (definition === undefined) return;
    const { name = '', resourceVersion = '' } = definition.metadata;
    const wanted = statusOf(definition, migration);
    if (hasStatus(definition, wanted)) return;
    const lastTransitionTime = formatTime(clock.now());
    const conditions = (wanted.conditions ?? []).map((each) => ({ ...each, lastTransitionTime }));
    const body = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: CustomResourceDefinition.kind,
      metadata: { name, resourceVersion },
      status: asJson({ ...wanted, conditions }),
    };
    await definitions.status.patch(name, { type: 'apply', body }, { fieldManager: RUNNER, force: true, signal });
  }

  async #fail(migration: StorageVersionMigration, message: string): Promise<undefined> {
    return this.#write(migration, { type: 'Failed', status: 'True', reason: 'StorageVersionMigrationFailed', message });
  }

  async #write(
    migration: StorageVersionMigration,
    condition: Omit<Condition, 'lastTransitionTime'>,
  ): Promise<undefined> {
    const { status } = migration;
    const present = status?.conditions ?? [];
    const before = findCondition(present, condition.type);
    const after = { ...condition, lastTransitionTime: formatTime(this.#options.clock.now()) };
    const conditions =
      before === undefined ? [...present, after] : present.map((each) => (each === before ? after : each));
    await this.#writeStatus({ ...migration, status: { ...status, conditions } });
  }

  async #writeStatus(migration: StorageVersionMigration): Promise<void> {
    const { client, signal, wrote } = this.#options;
    wrote(await client.resource(StorageVersionMigration).status.update(migration, { signal }));
  }
}

/** Upstream's text. */
function unhandled(message: string): string {
  return `migration encountered unhandled error: ${message}`;
}
