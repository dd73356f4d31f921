import type { AnyObject } from '@binnacle/client/dynamic';
import type { ResourceType, TypedObject } from '@binnacle/client/typed';

/** Whether an event's object is of the type. */
export function isOf<T extends TypedObject>(
  type: ResourceType<T>,
  object: AnyObject | undefined,
): object is T & AnyObject {
  return object !== undefined && 'kind' in object && object.kind === type.kind;
}
