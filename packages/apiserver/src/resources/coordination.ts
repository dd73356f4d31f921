import type { Lease } from '@binnacle/api/types/coordination-v1';
import { validateLease } from '@binnacle/api/validation';
import type { Strategy } from '../registry/index.js';
import { kind } from './kind.js';

/** Upstream: `pkg/registry/coordination`. */
export const leaseStrategy: Strategy = kind<Lease>(
  { anyFinalizer: true, validate: validateLease, validateUpdate: validateLease },
  { allowCreateOnUpdate: true, allowUnconditionalUpdate: false },
);
