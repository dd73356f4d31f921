import type { APIService } from '@binnacle/api/types/apiregistration-v1';
import type { HorizontalPodAutoscaler } from '@binnacle/api/types/autoscaling-v2';
import type { Lease } from '@binnacle/api/types/coordination-v1';
import type { FlowSchema, PriorityLevelConfiguration } from '@binnacle/api/types/flowcontrol-v1';
import type { PodDisruptionBudget } from '@binnacle/api/types/policy-v1';
import type { PriorityClass } from '@binnacle/api/types/scheduling-v1';
import {
  SYSTEM_PRIORITY_CLASSES,
  validateAPIService,
  validateAPIServiceStatusUpdate,
  validateAPIServiceUpdate,
  validateFlowSchema,
  validateFlowSchemaStatusUpdate,
  validateFlowSchemaUpdate,
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerUpdate,
  validateLease,
  validatePodDisruptionBudget,
  validatePriorityClass,
  validatePriorityClassUpdate,
  validatePriorityLevelConfiguration,
  validatePriorityLevelConfigurationStatusUpdate,
  validatePriorityLevelConfigurationUpdate,
} from '@binnacle/api/validation';
import { formatTime } from '@binnacle/apimachinery/time';
import { nameIsPathSegment } from '@binnacle/apimachinery/validation';
import type { Strategy } from '../registry/index.js';
import { kind, type PlainStrategy, spec } from './kind.js';
import { statusStrategy } from './status.js';

/** Upstream: `pkg/registry/{autoscaling,coordination,policy,scheduling,flowcontrol}`; kube-aggregator. */
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

/** Its value never changes, so neither does its generation. */
export const priorityClassStrategy: Strategy = kind<PriorityClass>(
  {
    desired: () => undefined,
    validate: validatePriorityClass,
    validateUpdate: validatePriorityClassUpdate,
  },
  {
    deletionRefusal: (name) =>
      SYSTEM_PRIORITY_CLASSES.has(name) ? 'this is a system priority class and cannot be deleted' : undefined,
  },
);

const conditional: PlainStrategy = { allowUnconditionalUpdate: false };
export const flowSchemaStrategy: Strategy = kind<FlowSchema>({
  status: true,
  desired: spec,
  validate: validateFlowSchema,
  validateUpdate: validateFlowSchemaUpdate,
});

export const flowSchemaStatusStrategy: Strategy = statusStrategy<FlowSchema>({
  keeps: 'allMetadata',
  validateUpdate: validateFlowSchemaStatusUpdate,
});

export const priorityLevelConfigurationStrategy: Strategy = kind<PriorityLevelConfiguration>({
  status: true,
  desired: spec,
  validate: validatePriorityLevelConfiguration,
  validateUpdate: validatePriorityLevelConfigurationUpdate,
});

export const priorityLevelConfigurationStatusStrategy: Strategy = statusStrategy<PriorityLevelConfiguration>({
  keeps: 'allMetadata',
  validateUpdate: validatePriorityLevelConfigurationStatusUpdate,
});

/** A group that this server serves itself is always available. */
export const apiServiceStrategy: Strategy = kind<APIService>(
  {
    status: true,
    anyFinalizer: true,
    prepareForCreate(service, { now }) {
      if (service.spec?.service !== undefined) return;
      const available = {
        type: 'Available',
        status: 'True',
        lastTransitionTime: formatTime(now),
        reason: 'Local',
        message: 'Local APIServices are always available',
      };
      service.status = { conditions: [available] };
    },
    validate: validateAPIService,
    validateUpdate: validateAPIServiceUpdate,
  },
  { ...conditional, validateName: nameIsPathSegment },
);

export const apiServiceStatusStrategy: Strategy = statusStrategy<APIService>({
  keeps: 'userMetadata',
  validateUpdate: validateAPIServiceStatusUpdate,
});
