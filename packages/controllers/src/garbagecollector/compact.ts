import type { OwnerReference } from '@binnacle/client/typed';
import { blocks } from './identity.js';

/** A copy of a text that was read. Else the engine may keep all that was read with it, a whole page of a list, for as long as this part of it. */
export function compactText(text: string): string {
  return Buffer.from(text).toString();
}

/** What counts of a reference, and nothing else. */
export function compactReference(reference: OwnerReference): OwnerReference {
  const own = {
    apiVersion: compactText(reference.apiVersion),
    kind: compactText(reference.kind),
    name: compactText(reference.name),
    uid: compactText(reference.uid),
  };
  return blocks(reference) ? { ...own, blockOwnerDeletion: true } : own;
}
