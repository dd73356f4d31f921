import type { ApiResource } from '@binnacle/client/discovery';
import type { DynamicClient, ResourceClient } from '@binnacle/client/dynamic';
import type { Clock } from '@binnacle/client/clock';
import { isConflict, isNotFound, retryOnConflict } from '@binnacle/client/rest';
import type { ObjectMeta, TypedObject } from '@binnacle/client/typed';
import { areSameReferences, type Identity } from './identity.js';
import type { LiveObjects, RewriteOwners } from './live-objects.js';
import type { ServedKinds } from './served-kinds.js';
import type { Propagation } from './verdict.js';

/** The objects of a server. */
export class ServerObjects implements LiveObjects {
  readonly #client: DynamicClient;
  readonly #kinds: () => ServedKinds;
  readonly #clock: Clock;

  constructor(client: DynamicClient, kinds: () => ServedKinds, clock: Clock) {
    this.#client = client;
    this.#kinds = kinds;
    this.#clock = clock;
  }

  locate(meant: Identity): Identity | undefined {
    const { namespaced } = this.#resource(meant);
    if (!namespaced) return { ...meant, namespace: '' };
    return meant.namespace === '' ? undefined : meant;
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
      // Somebody who writes to it often, and not its owners, must not be able to keep it alive.
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

  /** Reads, and writes what the change makes of it, until nobody is faster. */
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
      { clock: this.#clock, signal },
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
 * Undefined when the server says that there is no object of this name. That it knows no such path says nothing of the object: its kind may be
 * on its way out or, behind a server of its own, be back in a moment. Then the error is thrown.
 */
async function unlessGone<T>(identity: Identity, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isNotFound(error) && error.status.details?.name === identity.name) return undefined;
    throw error;
  }
}

/** What is empty is not there. */
function orNull<T>(list: readonly T[]): readonly T[] | null {
  return list.length === 0 ? null : list;
}
