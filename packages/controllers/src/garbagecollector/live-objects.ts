import type { Clock, Random } from '@binnacle/apimachinery/clock';
import type { ApiResource } from '@binnacle/client/discovery';
import type { DynamicClient, ResourceClient } from '@binnacle/client/dynamic';
import { isConflict, isNotFound, retryOnConflict } from '@binnacle/client/rest';
import type { ObjectMeta, OwnerReference, TypedObject } from '@binnacle/client/typed';
import type { LoopContext } from '../loop/index.js';
import type { Propagation } from './decisions.js';
import { areSameReferences, type Identity } from './identity.js';
import type { ServedKinds } from './served-kinds.js';

/** Reads and writes objects on the server, past all caches. Rejects with an `UnservedKindError` for kinds that the server does not serve. */
export interface LiveObjects {
  /** Undefined if the server says that no object has this name, or if the object has another uid. */
  get(identity: Identity, signal: AbortSignal): Promise<ObjectMeta | undefined>;
  /** The identity with its real namespace: none if its kind is cluster-scoped. Undefined if its kind is namespaced and it has no namespace. */
  locate(identity: Identity): Identity | undefined;
  /** Resolves if the object is already gone. Rejects with a conflict if its owners differ from those of `latest`. */
  delete(identity: Identity, latest: ObjectMeta, propagation: Propagation, signal: AbortSignal): Promise<void>;
  /** Does nothing if the object is gone or its owners stay the same. */
  rewriteOwners(identity: Identity, rewrite: RewriteOwners, signal: AbortSignal): Promise<void>;
  /** Does nothing if the object is gone or lacks the finalizer. */
  removeFinalizer(identity: Identity, finalizer: string, signal: AbortSignal): Promise<void>;
}

/** Called again after each conflict, with the owners of the latest version. */
export type RewriteOwners = (owners: readonly OwnerReference[]) => readonly OwnerReference[];

/** The live objects of a real server. */
export class ServerObjects implements LiveObjects {
  readonly #client: DynamicClient;
  readonly #kinds: () => ServedKinds;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(
    client: DynamicClient,
    kinds: () => ServedKinds,
    { clock, random }: Pick<LoopContext, 'clock' | 'random'>,
  ) {
    this.#client = client;
    this.#kinds = kinds;
    this.#clock = clock;
    this.#random = random;
  }

  locate(identity: Identity): Identity | undefined {
    const { namespaced } = this.#resource(identity);
    if (!namespaced) return { ...identity, namespace: '' };
    return identity.namespace === '' ? undefined : identity;
  }

  async get(identity: Identity, signal: AbortSignal): Promise<ObjectMeta | undefined> {
    const client = this.#clientOf(identity);
    const live = await unlessGone(identity, client.get(identity.name, { metadataOnly: true, signal }));
    return live?.metadata.uid === identity.uid ? live.metadata : undefined;
  }

  async delete(identity: Identity, latest: ObjectMeta, propagation: Propagation, signal: AbortSignal): Promise<void> {
    const { uid } = identity;
    const { resourceVersion = '' } = latest;
    try {
      await this.#delete(identity, propagation, { uid, resourceVersion }, signal);
    } catch (error) {
      if (!isConflict(error)) throw error;
      const now = await this.get(identity, signal);
      if (now === undefined) return;
      // Frequent writes to other fields must not keep the object alive: only a change of its owners counts.
      if (!areSameReferences(now.ownerReferences ?? [], latest.ownerReferences ?? [])) throw error;
      await this.#delete(identity, propagation, { uid }, signal);
    }
  }

  async rewriteOwners(identity: Identity, rewrite: RewriteOwners, signal: AbortSignal): Promise<void> {
    await this.#change(identity, signal, ({ ownerReferences = [] }) => {
      const rewritten = rewrite(ownerReferences);
      return areSameReferences(rewritten, ownerReferences) ? undefined : { ownerReferences: orNull(rewritten) };
    });
  }

  async removeFinalizer(identity: Identity, finalizer: string, signal: AbortSignal): Promise<void> {
    await this.#change(identity, signal, ({ finalizers = [] }) => {
      const others = finalizers.filter((each) => each !== finalizer);
      return others.length === finalizers.length ? undefined : { finalizers: orNull(others) };
    });
  }

  /** Reads the metadata and patches it with what `change` returns; repeats both after a conflict. */
  async #change(
    identity: Identity,
    signal: AbortSignal,
    change: (latest: ObjectMeta) => Readonly<Record<string, unknown>> | undefined,
  ): Promise<void> {
    await retryOnConflict(
      async () => {
        const latest = await this.get(identity, signal);
        const changed = latest === undefined ? undefined : change(latest);
        if (latest === undefined || changed === undefined) return;
        const { uid, resourceVersion } = latest;
        const body = { metadata: { uid, resourceVersion, ...changed } };
        await unlessGone(identity, this.#clientOf(identity).patch(identity.name, { type: 'merge', body }, { signal }));
      },
      { clock: this.#clock, random: this.#random, signal },
    );
  }

  async #delete(
    identity: Identity,
    propagationPolicy: Propagation,
    preconditions: { readonly uid: string; readonly resourceVersion?: string },
    signal: AbortSignal,
  ): Promise<void> {
    const options = { propagationPolicy, preconditions, signal };
    await unlessGone(identity, this.#clientOf(identity).delete(identity.name, options));
  }

  #clientOf(identity: Identity): ResourceClient<TypedObject> {
    const { resource, namespaced } = this.#resource(identity);
    const client = this.#client.resource<TypedObject>(resource);
    return namespaced ? client.namespace(identity.namespace) : client;
  }

  #resource({ apiVersion, kind }: Identity): ApiResource {
    return this.#kinds().resourceFor(apiVersion, kind);
  }
}

/**
 * Undefined if the server says that no object has this name. A 404 without the name is about the path, not the object.
 * The kind may have been deleted, or its extension API server may be down for a moment. Such a 404 is thrown.
 */
async function unlessGone<T>(identity: Identity, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isNotFound(error) && error.status.details?.name === identity.name) return undefined;
    throw error;
  }
}

/** In a merge patch, null removes a field. */
function orNull<T>(list: readonly T[]): readonly T[] | null {
  return list.length === 0 ? null : list;
}
