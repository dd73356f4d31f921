import type { Lister } from '@binnacle/client/cache';
import type { ReconcileRequest } from '@binnacle/client/controller';
import type { EventRecorder } from '@binnacle/client/events';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { PodDisruptionBudget } from '@binnacle/client/kinds/policy/v1';
import { selectorOfBudget } from './budget-selector.js';

/** For `watches`: the budgets that select a pod. Warns of pods that have several, since none of these can be evicted. */
export function budgetRequests(
  budgets: () => Lister<PodDisruptionBudget>,
  recorder: EventRecorder,
): (pod: Pod) => ReconcileRequest[] {
  /** An update maps the pod before and after, and the first was the second of the update before. */
  const warned = new WeakSet<Pod>();
  return (pod) => {
    const { namespace = '', name = '', labels } = pod.metadata;
    const names = budgets()
      .namespace(namespace)
      .list()
      .filter((budget) => selectorOfBudget(budget).matches(labels))
      .map(({ metadata }) => metadata.name ?? '')
      .sort();
    const [first] = names;
    if (names.length > 1 && !warned.has(pod)) {
      warned.add(pod);
      const message = `Pod ${JSON.stringify(namespace)}/${JSON.stringify(name)} matches multiple PodDisruptionBudgets.  Chose ${JSON.stringify(first)} arbitrarily.`;
      recorder.event(pod, 'Warning', 'MultiplePodDisruptionBudgets', message);
    }
    return names.map((each) => ({ namespace, name: each }));
  };
}
