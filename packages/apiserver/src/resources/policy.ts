import type { PodDisruptionBudget } from '@binnacle/api/types/policy-v1';
import { validatePodDisruptionBudget } from '@binnacle/api/validation';
import { nameIsPathSegment } from '@binnacle/apimachinery/validation';
import type { Strategy } from '../registry/index.js';
import { kind, spec } from './kind.js';

/** Upstream: `pkg/registry/policy`. */
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
