import { LabelSelector, labelSelectorFromMap } from '@binnacle/apimachinery/labels';
import { hasLabels, selectorOf } from '@binnacle/controllers/common';
import type { SharedInformerFactory } from '@binnacle/client/cache';
import { controllerOf } from '@binnacle/client/controller';
import { ReplicaSet, StatefulSet } from '@binnacle/client/kinds/apps/v1';
import { ReplicationController, Service } from '@binnacle/client/kinds/core/v1';
import type { PodFacts } from '../framework/index.js';

/** The caches that {@link defaultSelectorFrom} reads. */
export function defaultSelectorCaches(informers: SharedInformerFactory) {
  return [
    informers.informer(Service),
    informers.informer(ReplicationController),
    informers.informer(ReplicaSet),
    informers.informer(StatefulSet),
  ] as const;
}

/** Selects the pods of the services and of the workload that a pod belongs to. Upstream: scheduler `plugins/helper` DefaultSelector. */
export function defaultSelectorFrom(informers: SharedInformerFactory): (pod: PodFacts) => LabelSelector | undefined {
  const services = informers.informer(Service).lister;
  const controllers = informers.informer(ReplicationController).lister;
  const replicaSets = informers.informer(ReplicaSet).lister;
  const statefulSets = informers.informer(StatefulSet).lister;

  const ofOwner = ({ pod, namespace }: PodFacts): LabelSelector | undefined => {
    const owner = controllerOf(pod);
    if (owner === undefined) return undefined;
    switch (`${owner.apiVersion} ${owner.kind}`) {
      case 'v1 ReplicationController': {
        const selector = controllers.namespace(namespace).get(owner.name)?.spec?.selector;
        return selector && labelSelectorFromMap(selector);
      }
      case 'apps/v1 ReplicaSet':
        return selectorOf(replicaSets.namespace(namespace).get(owner.name)?.spec?.selector);
      case 'apps/v1 StatefulSet':
        return selectorOf(statefulSets.namespace(namespace).get(owner.name)?.spec?.selector);
      default:
        return undefined;
    }
  };

  return (pod) => {
    const own = services
      .namespace(pod.namespace)
      .list()
      .map(({ spec }) => spec?.selector ?? {})
      .filter((selector) => Object.keys(selector).length > 0 && hasLabels(pod.labels, selector));
    const owner = ofOwner(pod);
    const requirements = [
      ...labelSelectorFromMap(Object.fromEntries(own.flatMap(Object.entries<string>))).requirements,
      ...(owner?.selectable === true ? owner.requirements : []),
    ];
    return requirements.length === 0 ? undefined : new LabelSelector(requirements);
  };
}
