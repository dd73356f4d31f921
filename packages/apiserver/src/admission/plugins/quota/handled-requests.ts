import { isTerminating } from '@binnacle/api/quota';
import { formatGroupResource, type KubernetesObject } from '@binnacle/apimachinery/meta';
import type { AdmissionAttributes } from '../../plugin.js';

type Handles = (attributes: AdmissionAttributes) => boolean;

/** Whether a request can change the usage of its resource. Upstream: `Handles` of `pkg/quota/v1/evaluator/core`. */
export function canChangeUsage(attributes: AdmissionAttributes): boolean {
  return (special.get(formatGroupResource(attributes.resource)) ?? isCreation)(attributes);
}

const isCreation: Handles = ({ operation, subresource }) => operation === 'CREATE' && subresource === '';

const special: ReadonlyMap<string, Handles> = new Map<string, Handles>([
  [
    'pods',
    ({ operation, subresource, object, oldObject }) => {
      if (operation === 'CREATE') return subresource === '';
      if (operation !== 'UPDATE' || subresource !== '') return operation === 'UPDATE' && subresource === 'resize';
      // A pod that gets a deadline moves from some quotas to others.
      return hasDeadline(object) !== hasDeadline(oldObject);
    },
  ],
  ['services', ({ operation }) => operation === 'CREATE' || operation === 'UPDATE'],
  [
    'persistentvolumeclaims',
    ({ operation, subresource }) =>
      (operation === 'CREATE' && subresource === '') ||
      (operation === 'UPDATE' && (subresource === '' || subresource === 'status')),
  ],
  [
    'resourceclaims.resource.k8s.io',
    ({ operation, subresource }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  ],
]);

function hasDeadline(pod: Readonly<KubernetesObject> | undefined): boolean {
  return pod !== undefined && isTerminating(pod);
}
