import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson, copyOf, type KubernetesObject } from '@binnacle/apimachinery/meta';
import type { AdmissionAttributes } from './plugin.js';

/** How a webhook or a policy was called. */
export interface InvocationResult {
  /** Whether it has changed the object. */
  readonly changed: boolean;
  /** Whether it wants to be called again when others change the object later. */
  readonly again: boolean;
}

/**
 * Which webhooks or policies the second round of mutating admission calls again: those that want it and whose object
 * has changed since. It calls none that the first round has not called. Upstream: `mutating/reinvocationcontext.go`.
 */
export class InvocationRounds {
  /** Those that want to be called again and have seen the object as it is now. */
  readonly #upToDate = new Set<string>();
  readonly #again = new Set<string>();
  #last: KubernetesObject | undefined;

  /** Other plugins may have changed the object since the first round. */
  begin({ object, reinvocation }: AdmissionAttributes): void {
    if (!reinvocation.isSecondRound || object === undefined || this.#last === undefined) return;
    if (!deepEqual(asJson(this.#last), asJson(object))) this.#change();
  }

  includes(id: string, { reinvocation }: AdmissionAttributes): boolean {
    return !reinvocation.isSecondRound || this.#again.has(id);
  }

  called(id: string, { changed, again }: InvocationResult, { reinvocation }: AdmissionAttributes): void {
    if (changed) {
      this.#change();
      reinvocation.require();
    }
    if (again) this.#upToDate.add(id);
  }

  /**
   * All webhooks or policies of this round were called. `stale`: even those that have seen the object as it is now are
   * to be called again.
   */
  end({ object, reinvocation }: AdmissionAttributes, stale = false): void {
    if (stale) {
      this.#change();
      reinvocation.require();
    }
    this.#last = this.#upToDate.size > 0 && object !== undefined ? copyOf(object) : undefined;
  }

  #change(): void {
    for (const id of this.#upToDate) this.#again.add(id);
    this.#upToDate.clear();
  }
}
