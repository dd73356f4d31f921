import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson, copyOf, type KubernetesObject } from '@binnacle/apimachinery/meta';
import type { AdmissionAttributes } from '../admission/index.js';
import type { ConfiguredWebhook } from './configured-webhook.js';

/**
 * Which webhooks the second round of mutating admission asks again: those with the reinvocation policy IfNeeded whose
 * object has changed since. It asks none for the first time. Upstream: `mutating/reinvocationcontext.go`.
 */
export class InvocationRounds {
  /** The webhooks with that policy that have seen the object as it is now. */
  readonly #upToDate = new Set<string>();
  readonly #again = new Set<string>();
  #last: KubernetesObject | undefined;

  /** Other plugins may have changed the object since the first round. */
  begin({ object, reinvocation }: AdmissionAttributes): void {
    if (!reinvocation.isSecondRound || object === undefined || this.#last === undefined) return;
    if (!deepEqual(asJson(this.#last), asJson(object))) this.#change();
  }

  includes({ id }: ConfiguredWebhook, { reinvocation }: AdmissionAttributes): boolean {
    return !reinvocation.isSecondRound || this.#again.has(id);
  }

  called({ id, isReinvoked }: ConfiguredWebhook, changed: boolean, { reinvocation }: AdmissionAttributes): void {
    if (changed) {
      this.#change();
      reinvocation.require();
    }
    if (isReinvoked) this.#upToDate.add(id);
  }

  end({ object }: AdmissionAttributes): void {
    this.#last = this.#upToDate.size > 0 && object !== undefined ? copyOf(object) : undefined;
  }

  #change(): void {
    for (const id of this.#upToDate) this.#again.add(id);
    this.#upToDate.clear();
  }
}
