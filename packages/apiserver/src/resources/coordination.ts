import type { Lease } from '@binnacle/api/types/coordination-v1';
import { validateLease } from '@binnacle/api/validation';
import type { Strategy } from '../registry/index.js';
import { gatedFields } from './gated-fields.js';
import { kind } from './kind.js';

/** Upstream: `pkg/registry/coordination`. */
export const leaseStrategy: Strategy = kind<Lease>(
  {
    anyFinalizer: true,
    gated: ['spec.strategy', 'spec.preferredHolder'].map((field) => gatedFields('CoordinatedLeaderElection', [field])),
    validate: validateLease,
    validateUpdate: validateLease,
  },
  { allowCreateOnUpdate: true, allowUnconditionalUpdate: false },
);
