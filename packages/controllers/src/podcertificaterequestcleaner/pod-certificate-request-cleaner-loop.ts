import { Controller } from '@binnacle/client/controller';
import { PodCertificateRequest } from '@binnacle/client/kinds/certificates/v1beta1';
import { reconcileOwner, timeOf } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';

/** A kubelet has its certificate by then, or has given up. Upstream: the threshold in `cmd/kube-controller-manager/app/certificates.go`. */
const LIFETIME_MILLISECONDS = 15 * 60_000;

/** Upstream: kubernetes `pkg/controller/certificates/cleaner` PCRCleanerController, which looks at all requests every five minutes. */
export const createPodCertificateRequestCleanerLoop: CreateLoop = (context) =>
  new Controller({
    name: 'podcertificaterequestcleaner',
    for: PodCertificateRequest,
    predicate: ({ type }) => type === 'create',
    reconcile: reconcileOwner(
      { resource: PodCertificateRequest, writes: [], informers: context.informers },
      async (request, { writer, clock }) => {
        const left = (timeOf(request.metadata.creationTimestamp) ?? 0) + LIFETIME_MILLISECONDS - clock.now();
        if (left > 0) return { requeueAfter: left };
        await writer.delete(PodCertificateRequest, request);
        return undefined;
      },
    ),
  }).bind(context);
