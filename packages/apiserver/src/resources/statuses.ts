import {
  validateDaemonSetStatusUpdate,
  validateDeploymentStatusUpdate,
  validateHorizontalPodAutoscalerStatusUpdate,
  validateIngressStatusUpdate,
  validateJobStatusUpdate,
  validatePersistentVolumeClaimStatusUpdate,
  validatePodDisruptionBudgetStatusUpdate,
  validateReplicaSetStatusUpdate,
  validateReplicationControllerStatusUpdate,
  validateServiceStatusUpdate,
  validateStatefulSetStatusUpdate,
} from '@binnacle/api/validation';
import type { Strategy } from '../registry/index.js';
import { statusStrategy } from './status.js';
import { keepTemplateCount } from './workloads.js';

/** Status subresources with validation and the usual preparation, by name. */
export const checkedStatuses: readonly (readonly [name: string, strategy: Strategy])[] = [
  ['persistentvolumeclaims/status', statusStrategy({ validateUpdate: validatePersistentVolumeClaimStatusUpdate })],
  ['replicationcontrollers/status', statusStrategy({ validateUpdate: validateReplicationControllerStatusUpdate })],
  ['services/status', statusStrategy({ validateUpdate: validateServiceStatusUpdate })],
  [
    'daemonsets.apps/status',
    statusStrategy({ prepare: keepTemplateCount, validateUpdate: validateDaemonSetStatusUpdate }),
  ],
  ['deployments.apps/status', statusStrategy({ keeps: 'labels', validateUpdate: validateDeploymentStatusUpdate })],
  ['replicasets.apps/status', statusStrategy({ validateUpdate: validateReplicaSetStatusUpdate })],
  ['statefulsets.apps/status', statusStrategy({ validateUpdate: validateStatefulSetStatusUpdate })],
  [
    'horizontalpodautoscalers.autoscaling/status',
    statusStrategy({ validateUpdate: validateHorizontalPodAutoscalerStatusUpdate }),
  ],
  ['jobs.batch/status', statusStrategy({ validateUpdate: validateJobStatusUpdate })],
  ['ingresses.networking.k8s.io/status', statusStrategy({ validateUpdate: validateIngressStatusUpdate })],
  ['poddisruptionbudgets.policy/status', statusStrategy({ validateUpdate: validatePodDisruptionBudgetStatusUpdate })],
];
