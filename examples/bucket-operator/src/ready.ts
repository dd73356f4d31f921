import { type Condition, type ReconcileContext, type ResourceClient, withCondition } from '@binnacle/client';
import type { TypedObject } from '@binnacle/client/typed';

interface WithConditions extends TypedObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Writes the condition `Ready` if it changes. An unchanged status causes no write, and so no further reconcile. */
export async function reportReady<T extends WithConditions>(
  client: ResourceClient<T>,
  object: T,
  condition: Pick<Condition, 'status' | 'reason' | 'message'>,
  { clock, signal }: ReconcileContext,
): Promise<void> {
  const before = object.status?.conditions;
  // Shows whether the condition is about the current spec.
  const { generation: observedGeneration = 0 } = object.metadata;
  const conditions = withCondition(before, { type: 'Ready', observedGeneration, ...condition }, clock);
  if (conditions === before) return;
  const { namespace = '', name = '' } = object.metadata;
  const status = client.namespace(namespace).status;
  await status.patch(name, { type: 'merge', body: { status: { conditions } } }, { signal });
}

/** Runs the work. Reports a failure in the condition and rethrows it, so that the reconcile is retried. */
export async function reportingFailure<T extends WithConditions, R>(
  client: ResourceClient<T>,
  object: T,
  context: ReconcileContext,
  work: () => Promise<R>,
): Promise<R> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await reportReady(client, object, { status: 'False', reason: 'StoreFailed', message }, context);
    throw error;
  }
}
