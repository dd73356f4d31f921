import { KVError } from '@binnacle/kv';

/** Whether a failure comes from a store that takes no more writes. */
export function isFull(failure: unknown): boolean {
  if (failure instanceof KVError) return failure.code === 'full';
  return failure instanceof Error && isFull(failure.cause);
}
