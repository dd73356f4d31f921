import type { AnyObject } from '../dynamic/index.js';

/**
 * A `transform` of informers whose clients do not read managed fields, which are a third of a pod. An update without them leaves those of the server.
 */
export function withoutManagedFields<T extends AnyObject>(object: T): T {
  const { metadata } = object;
  if (metadata === undefined || !('managedFields' in metadata)) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}
