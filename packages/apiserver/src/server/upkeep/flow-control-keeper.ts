import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { StatusError } from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import { applyOwned, ensureObjects, serverScope, updateOwned } from '../../bootstrap/index.js';
import {
  CONSUMER,
  danglingStatus,
  keptObjects,
  levelSettings,
  obsolete,
  PRODUCER,
  revise,
  UpdateLimit,
} from '../../flowcontrol/index.js';
import { Follower, WorkQueue } from '../../loops/index.js';
import type { ServerConfig } from '../config.js';
import type { ResourceApi } from '../resource-api.js';
import { FLOW_SCHEMAS, flowSchemas, PRIORITY_LEVELS, priorityLevels } from '../server-flow-control.js';

/** How long after a change the kept objects are restored. Upstream does so every minute. */
const UPKEEP_MS = 60_000;
/** Before a status is written again that was written too often. Upstream: 30 to 75 s. */
const PAUSE_MS = 30_000;

const UPKEEP = 'upkeep';
const CONDITIONS = 'conditions';

/** Creates the missing objects of priority and fairness; settles when all are stored. Throws StatusError. */
export async function createFlowControlObjects({ endpointOf }: ResourceApi): Promise<void> {
  await ensureObjects(
    keptObjects.map(({ object }) => object),
    endpointOf,
    PRODUCER,
  );
}

type KeeperConfig = Pick<ServerConfig, 'clock' | 'report' | 'priorityAndFairness'>;

/**
 * Keeps the objects of priority and fairness as this release has them, and says in each flow schema whether its priority
 * level exists, until the result is disposed of. Settles when the stored objects are known and described. While nothing
 * changes it sets no timer.
 */
export async function keepFlowControl(api: ResourceApi, config: KeeperConfig): Promise<Disposable> {
  const keeper = new FlowControlKeeper(api, config);
  try {
    await keeper.start();
    return keeper;
  } catch (error) {
    keeper[Symbol.dispose]();
    throw error;
  }
}

/** Settles when the objects that another server keeps are known. Their caches follow them from then on. */
export async function followFlowControl(
  { stores }: ResourceApi,
  { priorityAndFairness }: KeeperConfig,
): Promise<Disposable> {
  if (priorityAndFairness) await Promise.all([flowSchemas(stores).ready(), priorityLevels(stores).ready()]);
  return { [Symbol.dispose]: () => undefined };
}

class FlowControlKeeper implements Disposable {
  readonly #api: ResourceApi;
  readonly #config: KeeperConfig;
  readonly #limit = new UpdateLimit();
  readonly #queue: WorkQueue;
  readonly #followers: Follower[] = [];
  /** Ends the wait of the start. */
  #described: () => void = () => undefined;

  constructor(api: ResourceApi, config: KeeperConfig) {
    const { clock, report } = config;
    this.#api = api;
    this.#config = config;
    this.#queue = new WorkQueue({
      work: (name) => (name === UPKEEP ? this.#restore() : this.#describe().finally(() => this.#described())),
      report: (error, name) => report(error, `priority and fairness, ${name}`),
      clock,
    });
  }

  async start(): Promise<void> {
    const { clock, report } = this.#config;
    const changed = (): void => {
      if (this.#config.priorityAndFairness) this.#queue.add(CONDITIONS);
      this.#queue.addAfter(UPKEEP, UPKEEP_MS);
    };
    for (const resource of [FLOW_SCHEMAS, PRIORITY_LEVELS]) {
      const reader = this.#api.stores.find(resource)?.reader;
      if (reader === undefined) continue;
      const failed = (error: unknown): void => report(error, `watch of ${resource.resource}`);
      this.#followers.push(new Follower({ reader, clock, changed, report: failed }));
    }
    await Promise.all(this.#followers.map((follower) => follower.start()));
    if (this.#config.priorityAndFairness) await this.#firstDescription();
  }

  [Symbol.dispose](): void {
    for (const follower of this.#followers) follower.stop();
    this.#queue.stop();
  }

  /** A failure is reported, and does not keep the server from starting. */
  #firstDescription(): Promise<void> {
    return new Promise((resolve) => {
      this.#described = resolve;
      this.#queue.add(CONDITIONS);
    });
  }

  /** Corrects the conditions of all flow schemas. */
  async #describe(): Promise<void> {
    const { catalog, stores } = this.#api;
    const endpoint = catalog.find(FLOW_SCHEMAS.group, FLOW_SCHEMAS.resource);
    if (endpoint === undefined) return;
    const { clock } = this.#config;
    const stored = { schemas: flowSchemas(stores), levels: priorityLevels(stores) };
    // A level that is not in the cache yet would count as missing.
    await Promise.all([stored.schemas.ready(), stored.levels.ready()]);
    const levels = new Set(Array.from(stored.levels.eachCached(''), (level) => levelSettings(level)?.name ?? ''));
    const schemas = [...stored.schemas.eachCached('')];
    this.#limit.retain(new Set(schemas.map(({ metadata }) => metadata.name ?? '')));
    const writes = schemas.flatMap((schema) => {
      const configuration = danglingStatus(schema, levels, formatTime(clock.now()));
      const { name = '' } = schema.metadata;
      if (configuration === undefined) return [];
      if (this.#limit.admits(name, clock.monotonic())) {
        return [applyOwned(endpoint, { name, subresource: 'status', manager: CONSUMER, configuration })];
      }
      this.#queue.addAfter(CONDITIONS, PAUSE_MS);
      return [];
    });
    await Promise.all(writes);
  }

  async #restore(): Promise<void> {
    await createFlowControlObjects(this.#api);
    for (const kept of keptObjects) {
      const current = this.#cached(kept.object);
      const endpoint = this.#endpointOf(kept.object);
      if (current === undefined || endpoint === undefined) continue;
      const { name = '', uid = '' } = current.metadata;
      const update = { name, uid, subresource: '', parts: ['spec'], manager: PRODUCER };
      await updateOwned(endpoint, update, (object) => revise(object, kept));
    }
    const { stores } = this.#api;
    for (const reader of [flowSchemas(stores), priorityLevels(stores)]) {
      for (const object of obsolete([...reader.eachCached('')])) await this.#delete(object);
    }
  }

  async #delete(object: KubernetesObject): Promise<void> {
    const { name = '', uid = '', resourceVersion = '' } = object.metadata;
    const preconditions = { uid, ...(resourceVersion === '' ? {} : { resourceVersion }) };
    try {
      await this.#endpointOf(object)?.store.delete(serverScope(''), name, { preconditions });
    } catch (error) {
      // Someone else deleted or changed it.
      if (!(error instanceof StatusError) || (error.code !== 404 && error.code !== 409)) throw error;
    }
  }

  #cached({ kind, metadata: { name = '' } }: KubernetesObject): KubernetesObject | undefined {
    const { stores } = this.#api;
    const reader = kind === 'FlowSchema' ? flowSchemas(stores) : priorityLevels(stores);
    return reader.findCached('', name);
  }

  #endpointOf({ kind }: KubernetesObject) {
    const { group, resource } = kind === 'FlowSchema' ? FLOW_SCHEMAS : PRIORITY_LEVELS;
    return this.#api.catalog.find(group, resource);
  }
}
