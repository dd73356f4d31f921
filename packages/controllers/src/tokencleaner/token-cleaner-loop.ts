import { Controller } from '@binnacle/client/controller';
import { Secret } from '@binnacle/client/kinds/core/v1';
import { expiryOf, isBootstrapToken } from '../bootstraptokens/index.js';
import { reconcileOwner } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';

/** Upstream: kubernetes `pkg/controller/bootstrap` tokencleaner. */
export const createTokenCleanerLoop: CreateLoop = (context) =>
  new Controller({
    name: 'token_cleaner',
    for: Secret,
    predicate: ({ object }) => isBootstrapToken(object),
    reconcile: reconcileOwner(
      { resource: Secret, writes: [], informers: context.informers },
      async (secret, { writer, clock }) => {
        const left = expiryOf(secret) - clock.now();
        if (left === Infinity || !isBootstrapToken(secret)) return undefined;
        if (left > 0) return { requeueAfter: left };
        if (secret.metadata.deletionTimestamp === undefined) await writer.delete(Secret, secret);
        return undefined;
      },
    ),
  }).bind(context);
