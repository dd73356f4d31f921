import { Controller } from '@binnacle/client/controller';
import { SubjectAccessReview } from '@binnacle/client/kinds/authorization/v1';
import { CertificateSigningRequest } from '@binnacle/client/kinds/certificates/v1';
import { ExponentialLimiter } from '@binnacle/client/workqueue';
import { type OwnerContext, reconcileOwner } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { approvalsFor } from './plan.js';

/** Upstream: kubernetes `pkg/controller/certificates/approver`. */
export const createCsrApprovingLoop: CreateLoop = (context) =>
  new Controller({
    name: 'csrapproving',
    for: CertificateSigningRequest,
    concurrency: 5,
    rateLimiter: () => new ExponentialLimiter<string>({ initial: 200, maximum: 1_000_000 }),
    reconcile: reconcileOwner(
      { resource: CertificateSigningRequest, writes: [], informers: context.informers },
      approve,
    ),
  }).bind(context);

/** Rejects if the user lacks the right, so that the request is approved soon after the right is granted. */
async function approve(request: CertificateSigningRequest, context: OwnerContext): Promise<void> {
  const { client, signal, writer } = context;
  const { status, metadata } = request;
  const approvals = approvalsFor(request);
  for (const { review: spec, message } of approvals) {
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {}, spec } as const;
    const answer = await client.resource(SubjectAccessReview).create(review, { signal });
    if (answer.status?.allowed !== true) continue;
    const approved = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
    const conditions = [...(status?.conditions ?? []), approved];
    await writer.updateSubresource(CertificateSigningRequest, 'approval', {
      ...request,
      status: { ...status, conditions },
    });
    return;
  }
  if (approvals.length === 0) return;
  const tried = approvals.map(({ review }) => review.resourceAttributes?.subresource ?? '').join(' ');
  throw new Error(
    `recognized csr ${JSON.stringify(metadata.name)} as [${tried}] but subject access review was not approved`,
  );
}
