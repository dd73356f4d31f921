import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { Allocator, Claim } from '../registry/index.js';

const NOTHING: Claim = { commit: () => undefined, rollback: () => undefined };

/**
 * Counts the creates that have passed their last check of the definition and have not ended. The objects of a deleted
 * definition are gone only when none is left: such a create may store its object after the others were deleted.
 */
export class CreatesInProgress {
  readonly #counts = new Map<string, number>();

  /** How many creates of a definition's objects are in progress. */
  of(definition: string): number {
    return this.#counts.get(definition) ?? 0;
  }

  /** Claims a place for each create. `check` throws the Status of a create that the definition no longer allows. */
  allocator(definition: string, check: (object: Readonly<KubernetesObject>) => void): Allocator {
    return {
      claimForCreate: (object) => {
        check(object);
        return Promise.resolve(this.#claim(definition));
      },
      claimForUpdate: () => Promise.resolve(NOTHING),
      release: () => Promise.resolve(),
    };
  }

  #claim(definition: string): Claim {
    this.#counts.set(definition, this.of(definition) + 1);
    const end = (): void => {
      const left = this.of(definition) - 1;
      if (left > 0) this.#counts.set(definition, left);
      else this.#counts.delete(definition);
    };
    return { commit: end, rollback: end };
  }
}
