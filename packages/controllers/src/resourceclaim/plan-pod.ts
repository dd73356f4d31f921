import { isControlledBy } from '@binnacle/client/controller';
import type { Pod, PodResourceClaim, PodResourceClaimStatus } from '@binnacle/client/kinds/core/v1';
import type { ResourceClaim, ResourceClaimTemplate } from '@binnacle/client/kinds/resource/v1';
import { type ClaimName, claimNamesOfEntries } from '../common/index.js';
import { claimsMadeFor, POD_CLAIM_NAME } from './pod-resource-claims.js';

export interface SeenPod {
  readonly pod: Pod;
  /** Of the pod's namespace. */
  readonly claim: (name: string) => ResourceClaim | undefined;
  /** The claims that the pod controls. */
  readonly owned: readonly ResourceClaim[];
  readonly template: (name: string) => ResourceClaimTemplate | undefined;
}

/** What happens to an entry of the pod's spec. */
export type EntryPlan =
  | { readonly entry: string; readonly step: 'keep'; readonly name: string }
  | { readonly entry: string; readonly step: 'report'; readonly name: string }
  | { readonly entry: string; readonly step: 'create'; readonly claim: ResourceClaim }
  | { readonly entry: string; readonly step: 'fail'; readonly message: string };

/**
 * The claims of a pod, in the order of its spec, up to the first that cannot be made. Entries that name claims of users, and those that need none,
 * are left out.
 */
export function planEntries(seen: SeenPod): EntryPlan[] {
  const nameOf = claimNamesOfEntries(seen.pod);
  const made = claimsMadeFor(seen.pod, seen.owned);
  const plans: EntryPlan[] = [];
  for (const entry of seen.pod.spec?.resourceClaims ?? []) {
    const plan = planEntry(entry, nameOf(entry), made.get(entry.name), seen);
    if (plan !== undefined) plans.push(plan);
    if (plan?.step === 'fail') break;
  }
  return plans;
}

function planEntry(
  { name, resourceClaimTemplateName: templateName }: PodResourceClaim,
  known: ClaimName,
  made: ResourceClaim | undefined,
  { pod, claim, template }: SeenPod,
): EntryPlan | undefined {
  if (templateName === undefined || known === 'notNeeded') return undefined;
  const present = known === 'unknown' ? undefined : claim(known.name);
  if (present !== undefined && known !== 'unknown' && isControlledBy(present, pod)) {
    return { entry: name, step: 'keep', name: known.name };
  }
  // A loop that was interrupted has made the claim, but not told the pod.
  if (made !== undefined) return { entry: name, step: 'report', name: made.metadata.name ?? '' };
  const found = template(templateName);
  if (found !== undefined) return { entry: name, step: 'create', claim: claimFrom(found, pod, name) };
  const why = `resourceclaimtemplate.resource.k8s.io "${templateName}" not found`;
  return { entry: name, step: 'fail', message: `resource claim template "${templateName}": ${why}` };
}

/** The names for the pod's status: all of them, since an applied list replaces the last one. Undefined: the status is right. */
export function statusesToReport(
  plans: readonly EntryPlan[],
  created: ReadonlyMap<string, string>,
): PodResourceClaimStatus[] | undefined {
  if (!plans.some(({ step }) => step === 'report') && created.size === 0) return undefined;
  return plans.flatMap((plan) => {
    const name = 'name' in plan ? plan.name : created.get(plan.entry);
    return name === undefined ? [] : [{ name: plan.entry, resourceClaimName: name }];
  });
}

const MAX_RESERVATIONS = 256;

/** The allocated claims that a pod on a node uses and that are not reserved for it: the scheduler was bypassed. */
export function claimsToReserve({ pod, claim }: SeenPod): ResourceClaim[] {
  if ((pod.spec?.nodeName ?? '') === '') return [];
  const nameOf = claimNamesOfEntries(pod);
  const reserve: ResourceClaim[] = [];
  for (const entry of pod.spec?.resourceClaims ?? []) {
    const known = nameOf(entry);
    if (known === 'notNeeded') continue;
    const found = known === 'unknown' ? undefined : claim(known.name);
    if (found === undefined || (entry.resourceClaimTemplateName !== undefined && !isControlledBy(found, pod))) break;
    const { allocation, reservedFor = [] } = found.status ?? {};
    const isReserved = reservedFor.some(({ uid }) => uid === pod.metadata.uid);
    if (allocation !== undefined && !isReserved && reservedFor.length < MAX_RESERVATIONS) reserve.push(found);
  }
  return reserve;
}

export function reservedFor(claim: ResourceClaim, { metadata }: Pod): ResourceClaim {
  const consumer = { resource: 'pods', name: metadata.name ?? '', uid: metadata.uid ?? '' };
  return { ...claim, status: { ...claim.status, reservedFor: [...(claim.status?.reservedFor ?? []), consumer] } };
}

function claimFrom({ spec }: ResourceClaimTemplate, pod: Pod, entry: string): ResourceClaim {
  const { name = '', namespace, uid = '' } = pod.metadata;
  const { labels, annotations } = spec.metadata ?? {};
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: {
      generateName: generatedPrefix(name, entry),
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      annotations: { ...annotations, [POD_CLAIM_NAME]: entry },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid, controller: true }],
    },
    spec: spec.spec,
  };
}

/** A generated name has 63 characters, a hyphen and five random ones among them. */
const MAX_PREFIX = 57;

/** Both names are shortened in proportion, so that neither is lost. */
export function generatedPrefix(pod: string, entry: string): string {
  const full = `${pod}-${entry}-`;
  if (full.length <= MAX_PREFIX) return full;
  const podPart = pod.slice(0, Math.floor((pod.length * MAX_PREFIX) / full.length));
  return `${podPart}-${entry.slice(0, Math.floor((entry.length * MAX_PREFIX) / full.length))}`;
}
