import { Pod } from '@binnacle/client/kinds/core/v1';
import { isNotFound, isTooManyRequests } from '@binnacle/client/rest';
import type { Stage } from './stage.js';

/** Asks for the eviction of a pod. A disruption budget may refuse it, and the pod may be gone. */
export async function evict(namespace: string, name: string, { client }: Stage['cluster']): Promise<void> {
  try {
    await client.resource(Pod).namespace(namespace).eviction.create(name, {});
  } catch (error) {
    if (!isTooManyRequests(error) && !isNotFound(error)) throw error;
  }
}
