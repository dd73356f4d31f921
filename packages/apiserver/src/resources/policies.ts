import type { HorizontalPodAutoscaler } from '@binnacle/api/types/autoscaling-v2';
import type { Lease } from '@binnacle/api/types/coordination-v1';
import type { PodDisruptionBudget } from '@binnacle/api/types/policy-v1';
import type { PriorityClass } from '@binnacle/api/types/scheduling-v1';
import {
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerUpdate,
  validateLease,
  validatePodDisruptionBudget,
  validatePriorityClass,
  validatePriorityClassUpdate,
} from '@binnacle/api/validation';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { nameIsPathSegment } from '@binnacle/apimachinery/validation';
import type { Strategy } from '../registry/index.js';
import { kind, type PlainStrategy, spec } from './kind.js';

/** Upstream: `pkg/registry/{autoscaling,coordination,policy,scheduling,admissionregistration,flowcontrol}`. */
export const horizontalPodAutoscalerStrategy: Strategy = kind<HorizontalPodAutoscaler>({
  status: true,
  validate: validateHorizontalPodAutoscaler,
  validateUpdate: validateHorizontalPodAutoscalerUpdate,
});

export const leaseStrategy: Strategy = kind<Lease>(
  { anyFinalizer: true, validate: validateLease, validateUpdate: validateLease },
  { allowCreateOnUpdate: true, allowUnconditionalUpdate: false },
);

export const podDisruptionBudgetStrategy: Strategy = kind<PodDisruptionBudget>(
  {
    status: true,
    anyFinalizer: true,
    desired: spec,
    validate: validatePodDisruptionBudget,
    validateUpdate: validatePodDisruptionBudget,
  },
  { validateName: nameIsPathSegment, allowUnconditionalUpdate: false },
);

/** Its value never changes, and so its generation never rises. */
export const priorityClassStrategy: Strategy = kind<PriorityClass>({
  desired: () => undefined,
  validate: validatePriorityClass,
  validateUpdate: validatePriorityClassUpdate,
});

const conditional: PlainStrategy = { allowUnconditionalUpdate: false };

export const webhookConfigurationStrategy: Strategy = kind<KubernetesObject>(
  { anyFinalizer: true, desired: (object) => object['webhooks'] },
  conditional,
);

export const admissionPolicyStrategy: Strategy = kind<KubernetesObject>(
  { anyFinalizer: true, status: true, desired: spec },
  conditional,
);

export const admissionPolicyBindingStrategy: Strategy = kind<KubernetesObject>(
  { anyFinalizer: true, desired: spec },
  conditional,
);

export const flowControlStrategy: Strategy = kind<KubernetesObject>({ status: true, desired: spec });
