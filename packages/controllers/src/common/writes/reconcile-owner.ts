import type { SharedInformer } from '@binnacle/client/cache';
import { objectKey } from '@binnacle/client/cache';
import type { Reconcile, ReconcileContext, ReconcileRequest, ReconcileResult } from '@binnacle/client/controller';
import { hasCause, isConflict } from '@binnacle/client/rest';
import type { ResourceType, TypedObject } from '@binnacle/client/typed';
import { Expectations } from './expectations.js';
import { Writer } from './writer.js';

/** Where a loop gets its caches. A `LoopContext` has it. */
export interface CacheSource {
  informer<T extends TypedObject>(resource: ResourceType<T>): SharedInformer<T>;
}

export interface OwnerOptions<T extends TypedObject> {
  /** The kind that is reconciled. */
  readonly resource: ResourceType<T>;
  /** The other kinds that the loop writes and reads from a cache. */
  readonly writes: readonly ResourceType[];
  readonly informers: CacheSource;
  /** Called for an owner that is not in the cache. */
  readonly gone?: (
    request: ReconcileRequest,
    context: ReconcileContext,
  ) => ReconcileResult | void | Promise<ReconcileResult | void>;
}

/** What a reconcile of an owner gets. */
export interface OwnerContext extends ReconcileContext {
  /** For all writes on behalf of the owner. */
  readonly writer: Writer;
}

/**
 * How long to wait for an event that brings the cache up to date: of the change that caused a conflict, or of the loop's own write. It usually
 * comes in milliseconds, and ends the wait, unless the loop's predicate hides it.
 */
const CATCH_UP_MILLISECONDS = 1000;

/**
 * Reconciles an owner that is in the cache, once the caches show all that the loop has written for it. Neither a
 * conflict nor a namespace that is being deleted is an error. The first means that the cache is stale, the second that
 * the owner will be deleted too.
 */
export function reconcileOwner<T extends TypedObject>(
  { resource, writes, informers, gone }: OwnerOptions<T>,
  act: (owner: T, context: OwnerContext) => Promise<ReconcileResult | void>,
): Reconcile {
  const caches = new Map([resource, ...writes].map((each) => [nameOf(each), informers.informer(each)]));
  const cacheOf = (kind: ResourceType) => caches.get(nameOf(kind));
  let expectations: Expectations | undefined;
  return async (request, context) => {
    expectations ??= new Expectations(context.clock);
    const { client, signal, lister } = context;
    const all = lister(resource);
    const owner = (request.namespace === undefined ? all : all.namespace(request.namespace)).get(request.name);
    if (owner === undefined) {
      expectations.forget(objectKey({ metadata: request }));
      return gone?.(request, context);
    }
    const writer = new Writer({ client, owner, expectations, cacheOf, signal });
    const untilCertain = expectations.remainingDoubt(owner);
    if (untilCertain > 0) return { requeueAfter: untilCertain };
    for (const [kind, doubt] of expectations.doubtsOf(owner)) await writer.confirm(kind, doubt);
    const untilMet = expectations.remainingWait(owner);
    if (untilMet > 0) return { requeueAfter: Math.min(untilMet, CATCH_UP_MILLISECONDS) };
    try {
      return await act(owner, { ...context, writer });
    } catch (error) {
      if (isConflict(error)) return { requeueAfter: CATCH_UP_MILLISECONDS };
      if (hasCause(error, 'NamespaceTerminating')) return undefined;
      throw error;
    }
  };
}

function nameOf({ group, plural }: ResourceType): string {
  return `${plural}.${group}`;
}
