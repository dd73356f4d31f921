import type { LabelSelector } from '@binnacle/apimachinery/labels';
import type { ReconcileRequest } from '@binnacle/client/controller';
import type { HorizontalPodAutoscaler } from '@binnacle/client/kinds/autoscaling/v2';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { ScaleHistory } from './scale-history.js';

interface Remembered {
  readonly namespace: string;
  readonly history: ScaleHistory;
  /** Of its target, once a round has read it. */
  selector: LabelSelector | undefined;
}

/** What the loop knows of each autoscaler beyond its object. It is lost with the process; the next one starts with the sizes it finds. */
export class AutoscalerMemory {
  /** By `namespace/name`. */
  readonly #byKey = new Map<string, Remembered>();

  /** A request for the autoscaler. */
  register(hpa: HorizontalPodAutoscaler): ReconcileRequest {
    const { namespace = '', name = '' } = hpa.metadata;
    this.#entry(hpa);
    return { namespace, name };
  }

  historyOf(hpa: HorizontalPodAutoscaler): ScaleHistory {
    return this.#entry(hpa).history;
  }

  forget(request: ReconcileRequest): void {
    this.#byKey.delete(keyOf(request));
  }

  /** Remembers the selector of this autoscaler, and returns the keys of all whose selectors match any of the pods. */
  select(request: ReconcileRequest, selector: LabelSelector, pods: readonly Pod[]): string[] {
    const own = this.#byKey.get(keyOf(request));
    if (own !== undefined) own.selector = selector;
    const matching = [...this.#byKey].filter(
      ([, { namespace, selector }]) =>
        namespace === request.namespace && pods.some(({ metadata }) => selector?.matches(metadata.labels) === true),
    );
    return matching.map(([key]) => key).sort();
  }

  #entry({ metadata }: HorizontalPodAutoscaler): Remembered {
    const { namespace = '', name = '', uid = '' } = metadata;
    const key = keyOf({ namespace, name });
    let entry = this.#byKey.get(key);
    if (entry?.history.uid !== uid) {
      entry = { namespace, history: new ScaleHistory(uid), selector: undefined };
      this.#byKey.set(key, entry);
    }
    return entry;
  }
}

function keyOf({ namespace = '', name }: ReconcileRequest): string {
  return `${namespace}/${name}`;
}
