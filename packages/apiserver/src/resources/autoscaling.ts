import type { HorizontalPodAutoscaler } from '@binnacle/api/types/autoscaling-v2';
import { validateHorizontalPodAutoscaler, validateHorizontalPodAutoscalerUpdate } from '@binnacle/api/validation';
import type { Strategy } from '../registry/index.js';
import { kind } from './kind.js';

/** Upstream: `pkg/registry/autoscaling`. */
export const horizontalPodAutoscalerStrategy: Strategy = kind<HorizontalPodAutoscaler>({
  status: true,
  validate: validateHorizontalPodAutoscaler,
  validateUpdate: validateHorizontalPodAutoscalerUpdate,
});
