import { formatTime } from '@binnacle/apimachinery/time';
import { type Signer, signerOf } from '@binnacle/client/certificates';
import { Controller } from '@binnacle/client/controller';
import { CertificateSigningRequest } from '@binnacle/client/kinds/certificates/v1';
import { ExponentialLimiter } from '@binnacle/client/workqueue';
import { type OwnerContext, reconcileOwner } from '../common/index.js';
import { type ControlLoop, idleLoop, type LoopContext } from '../loop/index.js';
import { planSigning } from './plan.js';
import { validityOf } from './validity.js';

/** Upstream: `--cluster-signing-duration`. */
const A_YEAR = 365 * 24 * 3_600_000;

/** Upstream: kubernetes `pkg/controller/certificates/signer`. Rejects for an authority that cannot sign. */
export async function createCsrSigningLoop(context: LoopContext): Promise<ControlLoop> {
  const { clusterSigning, clusterSigningDurationMs: longest = A_YEAR } = context.settings;
  if (clusterSigning === undefined) return idleLoop;
  const signer = await signerOf(clusterSigning);
  return new Controller({
    name: 'csrsigning',
    for: CertificateSigningRequest,
    concurrency: 5,
    rateLimiter: () => new ExponentialLimiter<string>({ initial: 200, maximum: 1_000_000 }),
    reconcile: reconcileOwner(
      { resource: CertificateSigningRequest, writes: [], informers: context.informers },
      (request, owner) => sign(request, owner, signer, longest),
    ),
  }).bind(context);
}

async function sign(
  request: CertificateSigningRequest,
  { writer, clock }: OwnerContext,
  signer: Signer,
  longest: number,
): Promise<void> {
  const plan = planSigning(request);
  if (plan === undefined) return;
  const now = clock.now();
  const { status, spec } = request;
  if ('failure' in plan) {
    const failed = {
      type: 'Failed',
      status: 'True',
      reason: 'SignerValidationFailure',
      message: plan.failure,
      lastUpdateTime: formatTime(now),
    };
    const conditions = [...(status?.conditions ?? []), failed];
    await writer.updateStatus(CertificateSigningRequest, { ...request, status: { ...status, conditions } });
    return;
  }
  const validity = validityOf(spec.expirationSeconds, longest, signer.expiresAt, now);
  const certificate = signer.sign(plan.sign, { usages: spec.usages ?? [], ...validity });
  await writer.updateStatus(CertificateSigningRequest, {
    ...request,
    status: { ...status, certificate: Buffer.from(certificate).toString('base64') },
  });
}
