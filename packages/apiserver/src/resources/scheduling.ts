import type { PriorityClass } from '@binnacle/api/types/scheduling-v1';
import { SYSTEM_PRIORITY_CLASSES, validatePriorityClass, validatePriorityClassUpdate } from '@binnacle/api/validation';
import type { Strategy } from '../registry/index.js';
import { kind } from './kind.js';

/** Its value never changes, so neither does its generation. Upstream: `pkg/registry/scheduling`. */
export const priorityClassStrategy: Strategy = kind<PriorityClass>(
  {
    desired: () => ({}),
    validate: validatePriorityClass,
    validateUpdate: validatePriorityClassUpdate,
  },
  {
    deletionRefusal: (name) =>
      SYSTEM_PRIORITY_CLASSES.has(name) ? 'this is a system priority class and cannot be deleted' : undefined,
  },
);
