import type { PartialObjectMetadata } from '@binnacle/client/typed';
import { isBeingDeleted } from './deletion.js';
import type { ServedKinds } from './served-kinds.js';

export const CUSTOM_RESOURCES = 'customresourcedefinitions.apiextensions.k8s.io';
const DEFINING: ReadonlySet<string> = new Set([CUSTOM_RESOURCES, 'apiservices.apiregistration.k8s.io']);

/** Whether a change of any object of a resource, `plural.group`, may change what the server serves. */
export function defines(resource: string): boolean {
  return DEFINING.has(resource);
}

/** Custom resources that have been defined or withdrawn, and that the server does not serve yet, or still serves, as far as is known. */
export class Definitions {
  readonly #expected = new Map<string, boolean>();

  /** An object of a resource that defines others is there. */
  set(resource: string, { metadata }: PartialObjectMetadata): void {
    if (resource !== CUSTOM_RESOURCES || metadata.name === undefined) return;
    if (isBeingDeleted(metadata)) this.#expected.delete(metadata.name);
    else this.#expected.set(metadata.name, true);
  }

  delete(resource: string, { metadata }: PartialObjectMetadata): void {
    if (resource === CUSTOM_RESOURCES && metadata.name !== undefined) this.#expected.set(metadata.name, false);
  }

  /** Whether the server still has to follow. What it has done is forgotten. */
  areAheadOf(kinds: ServedKinds): boolean {
    for (const [name, isServed] of this.#expected) if (kinds.serves(name) === isServed) this.#expected.delete(name);
    return this.#expected.size > 0;
  }

  /** The server may never follow: names can be taken by others. */
  giveUp(): void {
    this.#expected.clear();
  }
}
