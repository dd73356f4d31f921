import { Controller } from '@binnacle/client/controller';
import { PersistentVolume } from '@binnacle/client/kinds/core/v1';
import { planProtection, protect, reconcileOwner } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';

/** Admission gives it to every volume. */
const FINALIZER = 'kubernetes.io/pv-protection';

const protection = {
  resource: PersistentVolume,
  finalizer: FINALIZER,
  /** The binder writes the phase, so a volume is in use from the binding on, until its claim is gone. */
  isUsed: ({ status }: PersistentVolume) => status?.phase === 'Bound',
};

export const createPvProtectionLoop: CreateLoop = (context) =>
  new Controller({
    name: 'pvprotection',
    for: PersistentVolume,
    predicate: ({ object }) => planProtection(object, FINALIZER) !== undefined,
    reconcile: reconcileOwner(
      { resource: PersistentVolume, writes: [], informers: context.informers },
      (volume, { writer }) => protect(volume, protection, writer),
    ),
  }).bind(context);
