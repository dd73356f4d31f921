import { asError } from '@binnacle/apimachinery/errors';
import { formatTime, parseTime } from '@binnacle/apimachinery/time';
import type { Clock, Random } from '@binnacle/apimachinery/clock';
import type { DiscoveryClient } from '@binnacle/client/discovery';
import type { DynamicClient, ResourceClient } from '@binnacle/client/dynamic';
import { Namespace } from '@binnacle/client/kinds/core/v1';
import { isNotFound, retryOnConflict } from '@binnacle/client/rest';
import { conditionsOf } from './conditions.js';
import { ContentDeleter, type DeletionPass, isPods } from './content-deleter.js';
import { type NamespacedContent, namespacedContent } from './namespaced-content.js';
import { isEmptyResult, type PassResult, type RemainingResource, unexpectedlyRemaining } from './pass-result.js';

/** The finalizer that the API server puts into `spec.finalizers` for this loop. */
const FINALIZER = 'kubernetes';

/**
 * How many passes in a row must find the namespace empty. A create that was admitted before the deletion may be stored behind the first pass,
 * but is visible once the conditions have been written.
 */
const EMPTY_PASSES = 2;

/** Whether the namespace is being deleted and waits for this loop. */
export function isTerminating({ metadata, spec }: Namespace): boolean {
  return metadata.deletionTimestamp !== undefined && (spec?.finalizers ?? []).includes(FINALIZER);
}

export interface NamespaceDeleterOptions {
  readonly client: DynamicClient;
  /** Invalidated before every pass. */
  readonly discovery: DiscoveryClient;
  readonly clock: Clock;
  readonly random: Random;
  /** Called with failures that do not stop a pass. */
  readonly report: (error: unknown) => void;
}

/** Deletes the content of terminating namespaces, then removes their finalizer. Upstream: `pkg/controller/namespace/deletion`. */
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
   * Runs a pass: deletes the content, updates the conditions, and removes the finalizer if nothing remains. Resolves to the result if the
   * caller must repeat the pass, and to undefined when nothing is left to do. Several servers may do this at once.
   */
  async delete(name: string, signal: AbortSignal): Promise<PassResult | undefined> {
    const namespace = await this.#find(name, signal);
    const deletedAt = namespace?.metadata.deletionTimestamp;
    if (namespace === undefined || deletedAt === undefined || !isTerminating(namespace)) return undefined;
    const content = await this.#discover(signal);
    let latest = namespace;
    for (let passes = 0; passes < EMPTY_PASSES; passes++) {
      const result = await this.#deleteContent(content, { namespace: name, deletedAt: parseTime(deletedAt), signal });
      latest = await this.#updateConditions(latest, result, signal);
      if (!isEmptyResult(result)) return result;
    }
    await this.#change(latest, signal, async (current) =>
      this.#namespaces.subresource('finalize').update(withoutFinalizer(current), { signal }),
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

  /** Deletes pods first: they use the rest, and must not run without the policies that restrict them. */
  async #deleteContent({ resources, failure }: NamespacedContent, pass: DeletionPass): Promise<PassResult> {
    const remaining: RemainingResource[] = [];
    const contentFailures: Error[] = [];
    for (const stage of [resources.filter(isPods), resources.filter((resource) => !isPods(resource))]) {
      if (remaining.length > 0 || contentFailures.length > 0) break;
      for (const resource of stage) {
        try {
          const left = await this.#content.delete(resource, pass);
          if (left !== undefined) remaining.push(left);
          if (left?.estimate === 0) contentFailures.push(unexpectedlyRemaining(left.resource, pass.namespace));
        } catch (error) {
          pass.signal.throwIfAborted();
          contentFailures.push(asError(error));
        }
      }
    }
    return { remaining, contentFailures, discoveryFailure: failure };
  }

  async #discover(signal: AbortSignal): Promise<NamespacedContent> {
    const { discovery } = this.#options;
    discovery.invalidate();
    try {
      return namespacedContent(await discovery.surface({ signal }));
    } catch (error) {
      signal.throwIfAborted();
      return { resources: [], failure: asError(error) };
    }
  }

  /** A failure is reported and does not stop the deletion: conditions only inform. */
  async #updateConditions(namespace: Namespace, result: PassResult, signal: AbortSignal): Promise<Namespace> {
    const now = formatTime(this.#options.clock.now());
    try {
      return await this.#change(namespace, signal, async (latest) => {
        const conditions = conditionsOf(result, latest.status?.conditions ?? [], now);
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

  /** Calls `write` with the latest version, again after a conflict, while it is the same namespace and still terminating. */
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
      if (current === undefined || current.metadata.uid !== uid || !isTerminating(current)) return namespace;
      return write(current);
    };
    try {
      const { clock, random } = this.#options;
      return await retryOnConflict(attempt, { signal, clock, random });
    } catch (error) {
      if (isNotFound(error)) return namespace;
      throw error;
    }
  }
}

/** Keeps the finalizers of others. */
function withoutFinalizer({ metadata, spec, ...namespace }: Namespace): Namespace {
  const finalizers = (spec?.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER);
  return { ...namespace, metadata, spec: { ...spec, finalizers } };
}
