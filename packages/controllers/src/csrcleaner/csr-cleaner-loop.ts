import { Controller } from '@binnacle/client/controller';
import { CertificateSigningRequest } from '@binnacle/client/kinds/certificates/v1';
import { reconcileOwner } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { timeToLive } from './time-to-live.js';

/** Upstream: kubernetes `pkg/controller/certificates/cleaner`. */
export const createCsrCleanerLoop: CreateLoop = (context) =>
  new Controller({
    name: 'csrcleaner',
    for: CertificateSigningRequest,
    reconcile: reconcileOwner(
      { resource: CertificateSigningRequest, writes: [], informers: context.informers },
      async (request, { writer, clock }) => {
        const left = timeToLive(request, clock.now());
        if (left === Infinity || request.metadata.deletionTimestamp !== undefined) return undefined;
        if (left >= 0) return { requeueAfter: left + 1 };
        await writer.delete(CertificateSigningRequest, request);
        return undefined;
      },
    ),
  }).bind(context);
