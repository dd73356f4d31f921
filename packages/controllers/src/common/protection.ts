import { hasFinalizer } from '@binnacle/client/controller';
import type { ResourceType, TypedObject } from '@binnacle/client/typed';
import { unlessGone } from './unless-gone.js';
import type { Writer } from './writes/index.js';

/** What an object with a protection finalizer needs: the finalizer, or a check that it is unused before the finalizer is removed. Undefined: nothing. */
export type ProtectionPlan = 'add' | 'removeIfUnused' | undefined;

export function planProtection(object: TypedObject, finalizer: string): ProtectionPlan {
  const isProtected = hasFinalizer(object, finalizer);
  if (object.metadata.deletionTimestamp === undefined) return isProtected ? undefined : 'add';
  return isProtected ? 'removeIfUnused' : undefined;
}

export interface Protection<T extends TypedObject> {
  readonly resource: ResourceType<T>;
  readonly finalizer: string;
  /** Called only for an object that is being deleted. */
  readonly isUsed: (object: T) => boolean | Promise<boolean>;
}

/** Keeps an object from going while it is in use. */
export async function protect<T extends TypedObject>(
  object: T,
  { resource, finalizer, isUsed }: Protection<T>,
  writer: Writer,
): Promise<void> {
  const plan = planProtection(object, finalizer);
  const present = object.metadata.finalizers ?? [];
  if (plan === undefined || (plan === 'removeIfUnused' && (await isUsed(object)))) return;
  const finalizers = plan === 'add' ? [...present, finalizer] : present.filter((each) => each !== finalizer);
  await unlessGone(writer.update(resource, { ...object, metadata: { ...object.metadata, finalizers } }));
}
