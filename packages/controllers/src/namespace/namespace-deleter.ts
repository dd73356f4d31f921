import { formatTime, parseTime } from '@binnacle/apimachinery/time';
import type { Clock } from '@binnacle/client/clock';
import type { DiscoveryClient } from '@binnacle/client/discovery';
import type { DynamicClient, ResourceClient } from '@binnacle/client/dynamic';
import { Namespace } from '@binnacle/client/kinds/core/v1';
import { isNotFound, retryOnConflict } from '@binnacle/client/rest';
import { conditionsOf } from './conditions.js';
import { ContentDeleter, type Emptying, isPods } from './content-deleter.js';
import { FINALIZER, isWaiting } from './is-waiting.js';
import { type NamespacedContent, namespacedContent } from './namespaced-content.js';
import { isNothing, type Leftovers, type Remains, unexpectedRemains } from './remains.js';

/**
 * How often nothing must be found. What the server was about to store when the namespace was deleted may appear behind the first look; but
 * then it is there by the time that the conditions have been written.
 */
const LOOKS = 2;

export interface NamespaceDeleterOptions {
  readonly client: DynamicClient;
  /** Asked anew for every pass. */
  readonly discovery: DiscoveryClient;
  readonly clock: Clock;
  /** Told what is gone over. */
  readonly report: (error: unknown) => void;
}

/** Empties namespaces that are going away, and lets them go. Upstream: `pkg/controller/namespace/deletion`. */
export class NamespaceDeleter {
  readonly #namespaces: ResourceClient<Namespace>;
  readonly #options: NamespaceDeleterOptions;
  readonly #content: ContentDeleter;

  constructor(options: NamespaceDeleterOptions) {
    this.#namespaces = options.client.resource(Namespace);
    this.#options = options;
    this.#content = new ContentDeleter(options.client, options.clock);
  }

  /**
   * Deletes what the namespace holds, and says in its conditions what is left of it; when that is nothing, lets the namespace go. Resolves to
   * what is left, undefined when there is no more to do. To be repeated until then. It does no harm if others do the same meanwhile.
   */
  async delete(name: string, signal: AbortSignal): Promise<Leftovers | undefined> {
    const namespace = await this.#find(name, signal);
    const deletedAt = namespace?.metadata.deletionTimestamp;
    if (namespace === undefined || deletedAt === undefined || !isWaiting(namespace)) return undefined;
    const content = await this.#discover(signal);
    let told = namespace;
    for (let looks = 0; looks < LOOKS; looks++) {
      const leftovers = await this.#empty(content, { namespace: name, deletedAt: parseTime(deletedAt), signal });
      told = await this.#tell(told, leftovers, signal);
      if (!isNothing(leftovers)) return leftovers;
    }
    await this.#change(told, signal, async (latest) =>
      this.#namespaces.subresource('finalize').update(released(latest), { signal }),
    );
    return undefined;
  }

  async #find(name: string, signal: AbortSignal): Promise<Namespace | undefined> {
    try {
      return await this.#namespaces.get(name, { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Pods first, as they use the rest, and may not be left running without the policies that guard them. */
  async #empty({ resources, failure }: NamespacedContent, emptying: Emptying): Promise<Leftovers> {
    const remains: Remains[] = [];
    const contentFailures: Error[] = [];
    for (const stage of [resources.filter(isPods), resources.filter((resource) => !isPods(resource))]) {
      if (remains.length > 0 || contentFailures.length > 0) break;
      for (const resource of stage) {
        try {
          const left = await this.#content.delete(resource, emptying);
          if (left !== undefined) remains.push(left);
          if (left?.estimate === 0) contentFailures.push(unexpectedRemains(left.resource, emptying.namespace));
        } catch (error) {
          emptying.signal.throwIfAborted();
          contentFailures.push(errorOf(error));
        }
      }
    }
    return { remains, contentFailures, discoveryFailure: failure };
  }

  async #discover(signal: AbortSignal): Promise<NamespacedContent> {
    const { discovery } = this.#options;
    discovery.invalidate();
    try {
      return namespacedContent(await discovery.surface({ signal }));
    } catch (error) {
      signal.throwIfAborted();
      return { resources: [], failure: errorOf(error) };
    }
  }

  /** Conditions help people. Whether they can be written decides nothing. */
  async #tell(namespace: Namespace, leftovers: Leftovers, signal: AbortSignal): Promise<Namespace> {
    const now = formatTime(this.#options.clock.now());
    try {
      return await this.#change(namespace, signal, async (latest) => {
        const conditions = conditionsOf(leftovers, latest.status?.conditions ?? [], now);
        if (conditions === undefined && latest.status?.phase === 'Terminating') return latest;
        const changed = conditions === undefined ? {} : { conditions };
        const status = { ...latest.status, phase: 'Terminating', ...changed } as const;
        return this.#namespaces.status.update({ ...latest, status }, { signal });
      });
    } catch (error) {
      signal.throwIfAborted();
      this.#options.report(error);
      return namespace;
    }
  }

  /** Writes what `write` makes of the newest state, as long as it is the same namespace and waits for this loop. */
  async #change(
    namespace: Namespace,
    signal: AbortSignal,
    write: (latest: Namespace) => Promise<Namespace>,
  ): Promise<Namespace> {
    const { name = '', uid } = namespace.metadata;
    let latest: Namespace | undefined = namespace;
    const attempt = async (): Promise<Namespace> => {
      const current: Namespace | undefined = latest ?? (await this.#find(name, signal));
      latest = undefined;
      if (current === undefined || current.metadata.uid !== uid || !isWaiting(current)) return namespace;
      return write(current);
    };
    try {
      return await retryOnConflict(attempt, { signal, clock: this.#options.clock });
    } catch (error) {
      if (isNotFound(error)) return namespace;
      throw error;
    }
  }
}

/** Whatever others have put there stays. */
function released({ metadata, spec, ...namespace }: Namespace): Namespace {
  const finalizers = (spec?.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER);
  return { ...namespace, metadata, spec: { ...spec, finalizers } };
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
