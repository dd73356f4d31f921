import { messageOf } from '@binnacle/apimachinery/errors';
import type { EventRecorder } from '@binnacle/client/events';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { ResourceClaim, ResourceClaimTemplate } from '@binnacle/client/kinds/resource/v1';
import { controlledBy, type OwnerContext } from '../common/index.js';
import { claimsToReserve, type EntryPlan, planEntries, reservedFor, statusesToReport } from './plan-pod.js';
import { isPodDone } from './pod-resource-claims.js';

const FIELD_MANAGER = 'ResourceClaimController';

/** Makes the claims that a pod has templates for, tells the pod their names, and reserves claims for a pod that got its node by other means. */
export async function reconcilePod(pod: Pod, context: OwnerContext, recorder: EventRecorder): Promise<void> {
  // A claim that was deleted because its pod is done must not come back.
  if (pod.metadata.deletionTimestamp !== undefined || isPodDone(pod)) return;
  const { lister, indexer, writer } = context;
  const { namespace = '' } = pod.metadata;
  const claims = lister(ResourceClaim).namespace(namespace);
  const templates = lister(ResourceClaimTemplate).namespace(namespace);
  const seen = {
    pod,
    claim: (name: string) => claims.get(name),
    owned: controlledBy(indexer(ResourceClaim), pod),
    template: (name: string) => templates.get(name),
  };
  const plans = planEntries(seen);
  const created = new Map<string, string>();
  for (const plan of plans) await createClaim(plan, created, pod, context, recorder);
  const statuses = statusesToReport(plans, created);
  if (statuses !== undefined) {
    const { name = '' } = pod.metadata;
    const applied: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace },
      status: { resourceClaimStatuses: statuses },
    };
    await writer.applyStatus(Pod, applied, { fieldManager: FIELD_MANAGER, force: true });
  }
  for (const claim of claimsToReserve(seen)) await writer.updateStatus(ResourceClaim, reservedFor(claim, pod));
}

async function createClaim(
  plan: EntryPlan,
  created: Map<string, string>,
  pod: Pod,
  { writer }: OwnerContext,
  recorder: EventRecorder,
): Promise<void> {
  const fail = (message: string) =>
    recorder.event(pod, 'Warning', 'FailedResourceClaimCreation', `PodResourceClaim ${plan.entry}: ${message}`);
  if (plan.step === 'fail') {
    fail(plan.message);
    throw new Error(plan.message);
  }
  if (plan.step !== 'create') return;
  try {
    created.set(plan.entry, (await writer.create(ResourceClaim, plan.claim)).metadata.name ?? '');
  } catch (error) {
    fail(`create ResourceClaim : ${messageOf(error)}`);
    throw error;
  }
}
