import { formatGroupResource } from '@binnacle/apimachinery/meta';
import type { Clock } from '@binnacle/client/clock';
import type { ApiResource } from '@binnacle/client/discovery';
import type { DynamicClient, ResourceClient } from '@binnacle/client/dynamic';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { isMethodNotSupported, isNotFound } from '@binnacle/client/rest';
import type { TypedObject } from '@binnacle/client/typed';
import type { Remains } from './remains.js';

/** How long those with finalizers are given. */
const FINALIZERS_SECONDS = 15;

/** The loop sees to everything in the namespace itself, so that nothing is to be kept for a collector of garbage. */
const background = { propagationPolicy: 'Background' } as const;

/** What is to be emptied. */
export interface Emptying {
  readonly namespace: string;
  /** Milliseconds since the epoch. */
  readonly deletedAt: number;
  readonly signal: AbortSignal;
}

type Objects = ResourceClient<TypedObject>;

/** Deletes all objects of a resource in a namespace. It remembers what the server turned out not to be able to do. */
export class ContentDeleter {
  readonly #client: DynamicClient;
  readonly #clock: Clock;
  readonly #onlyOneByOne = new Set<string>();

  constructor(client: DynamicClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Resolves to what is left, undefined if that is nothing; rejects with what the server refuses. */
  async delete(resource: ApiResource, { namespace, deletedAt, signal }: Emptying): Promise<Remains | undefined> {
    const objects = this.#client.resource<TypedObject>(resource.resource).namespace(namespace);
    const canList = resource.verbs.includes('list');
    try {
      if (canList && (await isEmpty(objects, signal))) return undefined;
      const grace = isPods(resource) ? await this.#grace(namespace, deletedAt, signal) : 0;
      if (!(await this.#deleteAtOnce(objects, resource, signal)) && canList) await deleteOneByOne(objects, signal);
      return canList ? await remainsOf(objects, grace, signal) : undefined;
    } catch (error) {
      // A definition may go while its objects are being deleted.
      if (isUnknown(error)) return undefined;
      throw error;
    }
  }

  /** The longest time that a pod of the namespace may take to end, seconds; 0 once they have had it. */
  async #grace(namespace: string, deletedAt: number, signal: AbortSignal): Promise<number> {
    let longest = 0;
    for await (const { spec, status } of this.#client.resource(Pod).namespace(namespace).items({ signal })) {
      const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed';
      if (!hasEnded) longest = Math.max(longest, spec?.terminationGracePeriodSeconds ?? 0);
    }
    return this.#clock.now() - deletedAt >= longest * 1000 ? 0 : longest;
  }

  /** False: the server cannot. */
  async #deleteAtOnce(objects: Objects, { resource, verbs }: ApiResource, signal: AbortSignal): Promise<boolean> {
    const key = formatGroupResource(resource);
    if (!verbs.includes('deletecollection') || this.#onlyOneByOne.has(key)) return false;
    try {
      await objects.deleteCollection({ ...background, signal });
      return true;
    } catch (error) {
      if (isMethodNotSupported(error)) this.#onlyOneByOne.add(key);
      else if (!isNotFound(error)) throw error;
      return false;
    }
  }
}

/** Most resources are, in most namespaces, and then this is the only request. */
async function isEmpty(objects: Objects, signal: AbortSignal): Promise<boolean> {
  const { items } = await objects.list({ metadataOnly: true, limit: 1, signal });
  return items.length === 0;
}

async function deleteOneByOne(objects: Objects, signal: AbortSignal): Promise<void> {
  for await (const { metadata } of objects.items({ metadataOnly: true, signal })) {
    try {
      await objects.delete(metadata.name ?? '', { ...background, signal });
    } catch (error) {
      if (!isUnknown(error)) throw error;
    }
  }
}

async function remainsOf(objects: Objects, grace: number, signal: AbortSignal): Promise<Remains | undefined> {
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
  const estimate = grace > 0 ? grace : finalizers.size > 0 ? FINALIZERS_SECONDS : 0;
  return { resource: objects.resource, count, finalizers, estimate, resourceVersion };
}

/** The server has no such thing, or cannot do this with it. */
function isUnknown(error: unknown): boolean {
  return isNotFound(error) || isMethodNotSupported(error);
}

/** Of all kinds, only pods are given time to end, and only they go before the others. */
export function isPods({ resource: { group, resource } }: ApiResource): boolean {
  return group === Pod.group && resource === Pod.plural;
}
