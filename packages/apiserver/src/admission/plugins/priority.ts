import { asKind } from '@binnacle/apimachinery/meta';
import type { Pod } from '@binnacle/api/types/core-v1';
import type { PriorityClass } from '@binnacle/api/types/scheduling-v1';
import type { Awaitable } from '@binnacle/apimachinery/work';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';
import { refusal } from '../refuse.js';

export interface PriorityClassSource {
  priorityClass(name: string): Awaitable<Readonly<PriorityClass> | undefined>;
  /** The class with globalDefault; the lowest if there are several. */
  defaultPriorityClass(): Awaitable<Readonly<PriorityClass> | undefined>;
}

/** Sets the priority and the preemption policy of a pod from its priority class. */
export function priority(source: PriorityClassSource): AdmissionPlugin {
  return {
    name: 'Priority',
    resources: ['pods', 'priorityclasses.scheduling.k8s.io'],
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    async admit(attributes) {
      const { kind, subresource, object, oldObject, operation } = attributes;
      if (kind.kind !== 'Pod' || kind.group !== '' || subresource !== '' || object === undefined) return;
      const pod = asKind<Pod>(object);
      const spec = pod.spec;
      if (spec === undefined) return;
      if (operation === 'UPDATE') {
        const old = asKind<Pod>(oldObject)?.spec;
        // An update that omits these fields keeps the values that the server set.
        if (spec.priority === undefined && old?.priority !== undefined) spec.priority = old.priority;
        if (spec.preemptionPolicy === undefined && old?.preemptionPolicy !== undefined) {
          spec.preemptionPolicy = old.preemptionPolicy;
        }
        return;
      }
      const named = spec.priorityClassName ?? '';
      const found = named === '' ? await source.defaultPriorityClass() : await source.priorityClass(named);
      if (named !== '' && found === undefined) {
        throw refusal(attributes, `no PriorityClass with name ${named} was found`);
      }
      if (found?.metadata?.name !== undefined) spec.priorityClassName = found.metadata.name;
      const value = found?.value ?? 0;
      if (spec.priority !== undefined && spec.priority !== value) {
        const problem = `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
        throw refusal(attributes, problem);
      }
      spec.priority = value;
      const policy = found?.preemptionPolicy ?? 'PreemptLowerPriority';
      if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
        const problem = `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`;
        throw refusal(attributes, problem);
      }
      spec.preemptionPolicy = policy;
    },
    validate(attributes) {
      const { resource, object } = attributes;
      if (resource.group !== 'scheduling.k8s.io' || resource.resource !== 'priorityclasses') return;
      return asKind<PriorityClass>(object)?.globalDefault === true ? checkOnlyDefault(attributes) : undefined;
    },
  };

  async function checkOnlyDefault(attributes: AdmissionAttributes): Promise<void> {
    const name = (await source.defaultPriorityClass())?.metadata?.name;
    if (name === undefined || (attributes.operation === 'UPDATE' && name === attributes.object?.metadata.name)) return;
    throw refusal(attributes, `PriorityClass ${name} is already marked as default. Only one default can exist`);
  }
}
