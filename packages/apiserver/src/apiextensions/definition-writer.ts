import type { CustomResourceDefinition } from '@binnacle/api/types/apiextensions-v1';
import { asKind } from '@binnacle/apimachinery/meta';
import { updateOwned } from '../bootstrap/index.js';
import type { ResourceEndpoint } from '../endpoints/index.js';

/** Changes a definition's status and metadata in place, such as its finalizers, but not its spec. */
export type StatusChange = (definition: CustomResourceDefinition) => void | Promise<void>;

/**
 * Writes a definition's status as the server itself. The schemas are shared, because they are large and equal ones are
 * compared by identity.
 */
export async function writeStatus(
  endpoint: ResourceEndpoint,
  name: string,
  uid: string,
  change: StatusChange,
): Promise<void> {
  const update = { name, uid, subresource: 'status', parts: ['status'] };
  await updateOwned(endpoint, update, (object) => change(asKind<CustomResourceDefinition>(object)));
}
