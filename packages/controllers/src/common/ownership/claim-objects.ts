import { isInvalid, isNotFound } from '@binnacle/client/rest';
import type { ResourceType, TypedObject } from '@binnacle/client/typed';
import { type JsonObject } from '@binnacle/apimachinery/json';
import type { Writer } from '../writes/index.js';
import { unlessGone } from '../unless-gone.js';
import { claimsOf } from './claims.js';
import { controllerReference } from './controller-reference.js';

export interface ClaimOptions<O extends TypedObject, T extends TypedObject> {
  readonly owner: O;
  readonly ownerResource: ResourceType<O>;
  readonly resource: ResourceType<T>;
  readonly isSelected: (object: T) => boolean;
  /** From the cache: objects that the owner controls, and those of its namespace that no object controls. */
  readonly candidates: readonly T[];
  /** Added to adopted objects and removed from released ones. */
  readonly finalizers?: readonly string[];
}

/** Patches that one turn of the loop starts: a few milliseconds. */
const BATCH = 100;

/**
 * Adopts and releases objects, and returns those that the owner has afterwards. Before the first adoption it reads the owner from the server,
 * since the cache may not show its deletion yet. Rejects if a patch fails for another reason than that the object is gone.
 */
export async function claimObjects<O extends TypedObject, T extends TypedObject>(
  writer: Writer,
  options: ClaimOptions<O, T>,
): Promise<T[]> {
  const { owner, isSelected, candidates } = options;
  const { owned, adopt, release } = claimsOf(owner, isSelected, candidates);
  if (adopt.length > 0) await checkIsAlive(writer, options);
  const adopted = await inBatches(adopt, (object) => adoptObject(writer, options, object));
  await inBatches(release, (object) => releaseObject(writer, options, object));
  return [...owned, ...adopted.filter((object) => object !== undefined)];
}

/** Starts a batch when the one before has ended. Tries all items, then throws the first error. */
async function inBatches<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let refused: PromiseRejectedResult | undefined;
  for (let start = 0; start < items.length; start += BATCH) {
    for (const result of await Promise.allSettled(items.slice(start, start + BATCH).map(run))) {
      if (result.status === 'fulfilled') results.push(result.value);
      else refused ??= result;
    }
  }
  if (refused !== undefined) throw refused.reason;
  return results;
}

async function checkIsAlive<O extends TypedObject, T extends TypedObject>(
  writer: Writer,
  { owner, ownerResource }: ClaimOptions<O, T>,
): Promise<void> {
  const { kind } = ownerResource;
  const { uid, deletionTimestamp } = (await writer.read(ownerResource, owner)).metadata;
  const { namespace = '', name = '', uid: wanted = '' } = owner.metadata;
  if (uid !== wanted) {
    throw new Error(`original ${kind} ${namespace}/${name} is gone: got uid ${uid ?? ''}, wanted ${wanted}`);
  }
  if (deletionTimestamp !== undefined) {
    throw new Error(`${namespace}/${name} has just been deleted at ${deletionTimestamp}`);
  }
}

/** Resolves to undefined if the object is gone. The server refuses a second controller. */
async function adoptObject<O extends TypedObject, T extends TypedObject>(
  writer: Writer,
  { owner, resource, finalizers }: ClaimOptions<O, T>,
  object: T,
): Promise<T | undefined> {
  const { uid = '' } = object.metadata;
  const ownerReferences = [{ ...controllerReference(owner) }];
  const metadata: JsonObject = {
    uid,
    ownerReferences,
    ...(finalizers === undefined ? {} : { finalizers: [...finalizers] }),
  };
  return unlessGone(writer.patch(resource, object, { metadata }));
}

async function releaseObject<O extends TypedObject, T extends TypedObject>(
  writer: Writer,
  { owner, resource, finalizers }: ClaimOptions<O, T>,
  object: T,
): Promise<void> {
  const { uid = '' } = object.metadata;
  const ownerReferences = [{ $patch: 'delete', uid: owner.metadata.uid ?? '' }];
  const removed = finalizers === undefined ? {} : { '$deleteFromPrimitiveList/finalizers': [...finalizers] };
  try {
    await writer.patch(resource, object, { metadata: { uid, ownerReferences, ...removed } });
  } catch (error) {
    // The object is gone, or was re-created with another uid.
    if (!isNotFound(error) && !isInvalid(error)) throw error;
  }
}
