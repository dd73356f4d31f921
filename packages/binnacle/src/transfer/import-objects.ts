import type { Clock } from '@binnacle/apimachinery/clock';
import { deepEqual, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { asJson, asObject, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { StatusError } from '@binnacle/apimachinery/status';
import { forEachConcurrently } from '@binnacle/apimachinery/work';
import { type ApiResource, type DiscoveryClient, NoMatchError, RestMapper } from '@binnacle/client/discovery';
import { DynamicClient, type ResourceClient } from '@binnacle/client/dynamic';
import { retryOnConflict } from '@binnacle/client/rest';
import type { Transport } from '@binnacle/client/transport';
import { fieldsOf, type Item, itemText, kindText } from './item.js';
import { DEFINITION, firstOf, keysOf, ownerKeys, type Plan } from './plan.js';
import { portable } from './portable.js';
import { untilServed } from './until-served.js';

/** How many objects are written at a time. */
const WRITES_AT_ONCE = 16;
const FIELD_MANAGER = 'binnacle-import';

/** Kinds whose status the server sets itself. */
const ownStatus = new Set([DEFINITION, 'APIService.apiregistration.k8s.io', 'Namespace']);

export interface ImportTarget {
  readonly transport: Transport;
  readonly discovery: DiscoveryClient;
  /** For objects that belong in a namespace and name none. */
  readonly namespace: string;
  /** Whether objects that exist are replaced. */
  readonly overwrite: boolean;
  readonly dryRun: boolean;
  readonly clock: Clock;
  readonly progress: (step: string, done: number, total: number) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface Imported {
  readonly created: number;
  /** Objects that were there already, and are replaced. */
  readonly overwritten: number;
  /** Objects that were there already, and are left as they are. */
  readonly existing: number;
  /** In a dry run: objects that need a namespace or a definition that is not stored. */
  readonly unchecked: number;
  /** References to owners that are not on the server, which are removed. */
  readonly ownersLost: number;
  readonly failed: readonly { readonly object: string; readonly message: string }[];
}

/** Creates the objects of a plan. A refusal of the server is in the result; rejects when the server cannot be reached. */
export async function importObjects(plan: Plan, target: ImportTarget): Promise<Imported> {
  const run = new Import(plan, target);
  for (const stage of plan.stages) await run.stage(stage);
  return run.result();
}

class Import {
  readonly #target: ImportTarget;
  readonly #client: DynamicClient;
  readonly #mapper: RestMapper;
  readonly #total: number;
  /** The UIDs on the new server, by {@link keysOf}. */
  readonly #uids = new Map<string, string>();
  /** In a dry run: what would exist. */
  readonly #planned = { namespaces: new Set<string>(), groups: new Set<string>() };
  readonly #counts = { created: 0, overwritten: 0, existing: 0, unchecked: 0, ownersLost: 0 };
  readonly #failed: { object: string; message: string }[] = [];
  #done = 0;

  constructor({ stages }: Plan, target: ImportTarget) {
    this.#target = target;
    this.#client = new DynamicClient(target.transport);
    this.#mapper = new RestMapper(target.discovery);
    this.#total = stages.reduce((sum, stage) => sum + stage.length, 0);
  }

  result(): Imported {
    return { ...this.#counts, failed: this.#failed };
  }

  async stage(items: readonly Item[]): Promise<void> {
    await forEachConcurrently(items, WRITES_AT_ONCE, async (item) => {
      this.#target.signal?.throwIfAborted();
      await this.#import(item);
      this.#target.progress(this.#target.dryRun ? 'checking' : 'importing', ++this.#done, this.#total);
    });
    const definitions = items.filter((item) => kindText(item) === DEFINITION);
    if (definitions.length === 0) return;
    if (!this.#target.dryRun) for (const { object } of definitions) await untilServed(object, this.#target);
    this.#target.discovery.invalidate();
  }

  async #import(item: Item): Promise<void> {
    try {
      const { group, version, kind } = item;
      const resource = await this.#mapper.resourceForKind({ group, version, kind });
      if (this.#target.dryRun && resource.namespaced && this.#planned.namespaces.has(item.namespace)) {
        this.#leaveUnchecked(item);
      } else await this.#create(item, resource);
    } catch (error) {
      if (!(error instanceof StatusError || error instanceof NoMatchError)) throw error;
      if (this.#isFromDryRun(item, error)) this.#leaveUnchecked(item);
      else this.#failed.push({ object: itemText(item), message: error.message });
    }
  }

  #leaveUnchecked(item: Item): void {
    this.#counts.unchecked += 1;
    this.#remember(item, item.uid);
  }

  async #create(item: Item, resource: ApiResource): Promise<void> {
    const { dryRun, namespace, signal } = this.#target;
    const space = resource.namespaced ? item.namespace || namespace : '';
    const { object, status, ownersLost } = portable(
      item,
      (owner) => firstOf(this.#uids, ownerKeys(owner, item.namespace)),
      this.#uids,
    );
    const all = this.#client.resource(resource.resource);
    const client = space === '' ? all : all.namespace(space);
    this.#counts.ownersLost += ownersLost;
    const sent = asObject(withNamespace(object, space));
    let stored: JsonObject = {};
    try {
      const created = await client.create(sent, { dryRun, fieldManager: FIELD_MANAGER, signal });
      this.#counts.created += 1;
      this.#remember(item, created.metadata.uid);
      stored = asJson(created);
      if (dryRun) this.#plan(item);
    } catch (error) {
      if (!(error instanceof StatusError && (await this.#exists(client, item, error)))) throw error;
      if (!(await this.#keepOrReplace(client, item, sent))) return;
    }
    if (!dryRun && hasStatus(item, resource)) await this.#writeStatus(client, item, status, stored['status']);
  }

  /**
   * Whether an object that the server refuses to create exists already. A server may check other rules before the name: the node port of
   * the object is taken, or a quota is used up.
   */
  async #exists(client: ResourceClient, { name }: Item, { status, code }: StatusError): Promise<boolean> {
    if (status.reason === 'AlreadyExists') return true;
    if (code !== 403 && code !== 422) return false;
    try {
      await client.get(name, { signal: this.#target.signal });
      return true;
    } catch (error) {
      if (error instanceof StatusError) return false;
      throw error;
    }
  }

  /** Resolves with whether the object that exists is replaced. */
  async #keepOrReplace(client: ResourceClient, item: Item, sent: KubernetesObject): Promise<boolean> {
    const { overwrite, dryRun, clock, signal } = this.#target;
    const attempt = async () => {
      const current = await client.get(item.name, { signal });
      const { uid = '', resourceVersion = '' } = current.metadata;
      this.#remember(item, uid);
      if (!overwrite) return;
      const replacement = { ...sent, metadata: { ...sent.metadata, uid, resourceVersion } };
      await client.update(replacement, { dryRun, fieldManager: FIELD_MANAGER, signal });
    };
    await retryOnConflict(attempt, { clock, ...(signal === undefined ? {} : { signal }) });
    this.#counts[overwrite ? 'overwritten' : 'existing'] += 1;
    return overwrite;
  }

  /** A merge patch, because a controller may have changed the new object already. `stored`: the status that the server has set. */
  async #writeStatus(
    client: ResourceClient,
    item: Item,
    status: JsonValue | undefined,
    stored: JsonValue | undefined,
  ): Promise<void> {
    if (!isObject(status) || Object.keys(status).length === 0 || deepEqual(status, stored)) return;
    try {
      const { signal } = this.#target;
      await client.status.patch(
        item.name,
        { type: 'merge', body: { status } },
        { fieldManager: FIELD_MANAGER, signal },
      );
    } catch (error) {
      // A controller may also have deleted it.
      if (!(error instanceof StatusError)) throw error;
      this.#failed.push({ object: `${itemText(item)} (status)`, message: error.message });
    }
  }

  #remember(item: Item, uid: string | undefined): void {
    if (uid !== undefined) for (const key of keysOf(item)) this.#uids.set(key, uid);
  }

  #plan(item: Item): void {
    if (kindText(item) === 'Namespace') this.#planned.namespaces.add(item.name);
    const group = fieldsOf(item.object['spec'])['group'];
    if (kindText(item) === DEFINITION && typeof group === 'string') this.#planned.groups.add(group);
  }

  /** Whether a kind is unknown only because the dry run has not stored its definition. */
  #isFromDryRun({ group }: Item, error: Error): boolean {
    return this.#target.dryRun && error instanceof NoMatchError && this.#planned.groups.has(group);
  }
}

function hasStatus(item: Item, { subresources }: ApiResource): boolean {
  return (
    !ownStatus.has(kindText(item)) &&
    subresources.some(({ name, verbs }) => name === 'status' && verbs.includes('patch'))
  );
}

function withNamespace(object: JsonObject, namespace: string): JsonObject {
  const { namespace: _, ...metadata } = fieldsOf(object['metadata']);
  return { ...object, metadata: namespace === '' ? metadata : { ...metadata, namespace } };
}
