import type { Steps } from '@binnacle/apimachinery/work';
import type { ClusterEvent, EventAction, EventInterest, EventResource, PodFacts } from '../framework/index.js';

interface Noticed {
  readonly event: ClusterEvent;
  /** The uid of the pod that caused the change. The change does not concern this pod. */
  readonly cause: string | undefined;
}

/** Changes that are still to be compared with the pods that wait. */
export class NoticedChanges {
  readonly #all: Noticed[] = [];
  readonly #byKind = new Map<string, Noticed[]>();

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  add(event: ClusterEvent, cause: string | undefined): void {
    const noticed = { event, cause };
    const kind = kindOf(event.resource, event.action);
    this.#all.push(noticed);
    const others = this.#byKind.get(kind);
    if (others === undefined) this.#byKind.set(kind, [noticed]);
    else others.push(noticed);
  }

  /** Whether one of the changes may let the pod pass. Without interests every change may. Yields after each comparison. */
  *concern(facts: PodFacts, interests: readonly EventInterest[] | undefined): Steps<boolean> {
    if (interests === undefined) return this.#all.some(({ cause }) => cause !== facts.uid);
    for (const { resource, actions, isWorthTrying } of interests) {
      for (const action of actions) {
        const noticed = this.#byKind.get(kindOf(resource, action)) ?? [];
        if (yield* isOneWorthTrying(noticed, facts, isWorthTrying)) return true;
      }
    }
    return false;
  }
}

function* isOneWorthTrying(
  noticed: readonly Noticed[],
  facts: PodFacts,
  isWorthTrying: EventInterest['isWorthTrying'],
): Steps<boolean> {
  for (const { event, cause } of noticed) {
    if (cause === facts.uid) continue;
    if (isWorthTrying === undefined) return true;
    const isWorth = isWorthTrying(facts, event);
    yield;
    if (isWorth) return true;
  }
  return false;
}

function kindOf(resource: EventResource, action: EventAction): string {
  return `${action} ${resource}`;
}
