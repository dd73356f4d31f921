import { numberOf } from '@binnacle/apimachinery/json';
import { formatGroupResource, type GroupResource } from '@binnacle/apimachinery/meta';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { ApiResource } from '@binnacle/client/discovery';
import type { DynamicClient, ResourceClient } from '@binnacle/client/dynamic';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { isMethodNotSupported, isNotFound } from '@binnacle/client/rest';
import type { TypedObject } from '@binnacle/client/typed';
import type { RemainingResource } from './pass-result.js';

/** The estimate for objects with finalizers. Upstream: `finalizerEstimateSeconds`. */
const FINALIZER_ESTIMATE_SECONDS = 15;

/** The loop deletes dependents itself, so owners need not wait for them. */
const background = { propagationPolicy: 'Background' } as const;

/** One pass over a namespace. */
export interface DeletionPass {
  readonly namespace: string;
  /** Milliseconds since the epoch. */
  readonly deletedAt: number;
  readonly signal: AbortSignal;
}

type Objects = ResourceClient<TypedObject>;

/** Deletes all objects of a resource in a namespace. Remembers for which resources the server refuses `deletecollection`. */
export class ContentDeleter {
  readonly #client: DynamicClient;
  readonly #clock: Clock;
  readonly #withoutDeleteCollection = new Set<string>();

  constructor(client: DynamicClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Resolves to the objects that remain, undefined if none. Rejects with the server's refusal. */
  async delete(
    resource: ApiResource,
    { namespace, deletedAt, signal }: DeletionPass,
  ): Promise<RemainingResource | undefined> {
    const objects = this.#client.resource<TypedObject>(resource.resource).namespace(namespace);
    const canList = resource.verbs.includes('list');
    try {
      if (canList && (await isEmpty(objects, signal))) return undefined;
      const grace = isPods(resource) ? await this.#grace(namespace, deletedAt, signal) : 0;
      if (!(await this.#deleteCollection(objects, resource, signal)) && canList) await deleteOneByOne(objects, signal);
      return canList ? await remainingOf(objects, grace, signal) : undefined;
    } catch (error) {
      // A CustomResourceDefinition may be deleted during the pass.
      if (isUnsupported(error)) return undefined;
      throw error;
    }
  }

  /** The longest grace period of the namespace's pods, in seconds; 0 once it has passed. */
  async #grace(namespace: string, deletedAt: number, signal: AbortSignal): Promise<number> {
    let longest = 0;
    for await (const { spec, status } of this.#client.resource(Pod).namespace(namespace).items({ signal })) {
      const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed';
      if (!hasEnded) longest = Math.max(longest, numberOf(spec?.terminationGracePeriodSeconds ?? 0));
    }
    return this.#clock.now() - deletedAt >= longest * 1000 ? 0 : longest;
  }

  /** Resolves to false if the server does not support `deletecollection` here. */
  async #deleteCollection(objects: Objects, { resource, verbs }: ApiResource, signal: AbortSignal): Promise<boolean> {
    const key = formatGroupResource(resource);
    if (!verbs.includes('deletecollection') || this.#withoutDeleteCollection.has(key)) return false;
    try {
      await objects.deleteCollection({ ...background, signal });
      return true;
    } catch (error) {
      if (isMethodNotSupported(error)) this.#withoutDeleteCollection.add(key);
      else if (!isNotFound(error)) throw error;
      return false;
    }
  }
}

/** Most resources are empty in most namespaces, and then this is the only request. */
async function isEmpty(objects: Objects, signal: AbortSignal): Promise<boolean> {
  const { items } = await objects.list({ metadataOnly: true, limit: 1, signal });
  return items.length === 0;
}

async function deleteOneByOne(objects: Objects, signal: AbortSignal): Promise<void> {
  for await (const { metadata } of objects.items({ metadataOnly: true, signal })) {
    try {
      await objects.delete(metadata.name ?? '', { ...background, signal });
    } catch (error) {
      if (!isUnsupported(error)) throw error;
    }
  }
}

async function remainingOf(
  objects: Objects,
  grace: number,
  signal: AbortSignal,
): Promise<RemainingResource | undefined> {
  let count = 0;
  let resourceVersion: string | undefined;
  const finalizers = new Map<string, number>();
  for await (const page of objects.pages({ metadataOnly: true, signal })) {
    resourceVersion = page.metadata.resourceVersion;
    count += page.items.length;
    for (const finalizer of page.items.flatMap(({ metadata }) => metadata.finalizers ?? [])) {
      finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
    }
  }
  if (count === 0) return undefined;
  const estimate = grace > 0 ? grace : finalizers.size > 0 ? FINALIZER_ESTIMATE_SECONDS : 0;
  return { resource: objects.resource, count, finalizers, estimate, resourceVersion };
}

/** The resource or the object does not exist, or the server does not support the method. */
function isUnsupported(error: unknown): boolean {
  return isNotFound(error) || isMethodNotSupported(error);
}

/** Only pods have a grace period, and only they are deleted before the rest. */
export function isPods({ resource: { group, resource } }: { readonly resource: GroupResource }): boolean {
  return group === Pod.group && resource === Pod.plural;
}
