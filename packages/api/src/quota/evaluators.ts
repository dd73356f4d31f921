import { asKind, formatGroupResource, type GroupResource, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { Quantity } from '@binnacle/apimachinery/quantity';
import type { PersistentVolumeClaim, Pod, Service } from '../generated/types/core-v1.js';
import type { ResourceClaim } from '../generated/types/resource-v1.js';
import { type Amounts, amountsOf, sumOf } from './amounts.js';
import { deviceClaimUsage, isDeviceResource } from './device-claim-usage.js';
import { podAmountsWithOverhead } from './pod-amounts.js';
import { countsForQuota, isCounted, podComputeUsage } from './pod-usage.js';

/** Computes the quota usage of one resource. Upstream: `pkg/quota/v1/evaluator/core`. */
export interface QuotaEvaluator {
  /** Whether the evaluator computes usage of this quota resource. */
  measures(resourceName: string): boolean;
  /** `now`: milliseconds since the epoch, see {@link countsForQuota}. */
  usage(object: Readonly<KubernetesObject>, now?: number): Amounts;
}

const ONE = Quantity.of(1);
const COUNT = 'count/';
const STORAGE_CLASS = '.storageclass.storage.k8s.io/';
const CLAIM_RESOURCES = ['persistentvolumeclaims', 'requests.storage'];
const CLAIM_CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** Resources whose objects quotas also count under a name without the prefix `count/`, which is newer. */
const LEGACY_NAMES: ReadonlySet<string> = new Set([
  'configmaps',
  'resourcequotas',
  'replicationcontrollers',
  'secrets',
]);

/** Events are transient, so quotas do not count them. */
const NOT_COUNTED: ReadonlySet<string> = new Set(['events', 'events.events.k8s.io']);

/** The evaluator of a resource: its own, or one that counts objects. Undefined for resources that quotas do not count. */
export function evaluatorOf(resource: GroupResource): QuotaEvaluator | undefined {
  const name = formatGroupResource(resource);
  if (NOT_COUNTED.has(name)) return undefined;
  return specialEvaluators.get(name) ?? countEvaluator(name);
}

/** The resource whose objects a quota resource counts, undefined if it counts no objects. */
export function countedResource(name: string): GroupResource | undefined {
  if (LEGACY_NAMES.has(name)) return { group: '', resource: name };
  if (!name.startsWith(COUNT)) return undefined;
  const [resource = '', ...group] = name.slice(COUNT.length).split('.');
  return { group: group.join('.'), resource };
}

function countEvaluator(name: string): QuotaEvaluator {
  const names = [`${COUNT}${name}`, ...(LEGACY_NAMES.has(name) ? [name] : [])];
  const usage = new Map(names.map((each) => [each, ONE]));
  return {
    measures: (resourceName) => usage.has(resourceName),
    usage: () => usage,
  };
}

const podEvaluator: QuotaEvaluator = {
  measures: isCounted,
  usage(object, now) {
    const pod = asKind<Pod>(object);
    const counted = new Map([['count/pods', ONE]]);
    if (pod.spec === undefined || !countsForQuota(pod, now)) return counted;
    const requests = podAmountsWithOverhead(pod.spec, 'requests', pod.status);
    return sumOf(counted, podComputeUsage(requests, podAmountsWithOverhead(pod.spec, 'limits', pod.status)));
  },
};

const serviceEvaluator: QuotaEvaluator = {
  measures: (name) => SERVICE_RESOURCES.has(name),
  usage(object) {
    const { spec } = asKind<Service>(object);
    const hasBalancer = spec?.type === 'LoadBalancer';
    const ports = spec?.ports ?? [];
    const wanted = hasBalancer && spec?.allocateLoadBalancerNodePorts === false ? ports.filter(hasNodePort) : ports;
    return new Map([
      ['count/services', ONE],
      ['services', ONE],
      ['services.loadbalancers', Quantity.of(hasBalancer ? 1 : 0)],
      ['services.nodeports', Quantity.of(hasBalancer || spec?.type === 'NodePort' ? wanted.length : 0)],
    ]);
  },
};

const SERVICE_RESOURCES: ReadonlySet<string> = new Set([
  'count/services',
  'services',
  'services.loadbalancers',
  'services.nodeports',
]);

function hasNodePort({ nodePort = 0 }: { nodePort?: number | undefined }): boolean {
  return nodePort !== 0;
}

const claimEvaluator: QuotaEvaluator = {
  measures: (name) =>
    name === 'count/persistentvolumeclaims' ||
    CLAIM_RESOURCES.some((resource) => name === resource || name.endsWith(STORAGE_CLASS + resource)),
  usage(object) {
    const { metadata, spec, status } = asKind<PersistentVolumeClaim>(object);
    const className = metadata?.annotations?.[CLAIM_CLASS_ANNOTATION] ?? spec?.storageClassName ?? '';
    const usage = new Map([
      ['count/persistentvolumeclaims', ONE],
      ['persistentvolumeclaims', ONE],
    ]);
    if (className !== '') usage.set(`${className}${STORAGE_CLASS}persistentvolumeclaims`, ONE);
    const requested = amountsOf(spec?.resources?.requests).get('storage');
    if (requested === undefined) return usage;
    const allocated = amountsOf(status?.allocatedResources).get('storage');
    const larger = allocated !== undefined && allocated.compare(requested) > 0 ? allocated : requested;
    // Quotas hold whole bytes.
    const whole = Quantity.of(larger.asInt(), larger.format);
    usage.set('requests.storage', whole);
    if (className !== '') usage.set(`${className}${STORAGE_CLASS}requests.storage`, whole);
    return usage;
  },
};

const deviceClaimEvaluator: QuotaEvaluator = {
  measures: isDeviceResource,
  usage: (object) => deviceClaimUsage(asKind<ResourceClaim>(object)),
};

const specialEvaluators: ReadonlyMap<string, QuotaEvaluator> = new Map([
  ['pods', podEvaluator],
  ['services', serviceEvaluator],
  ['persistentvolumeclaims', claimEvaluator],
  ['resourceclaims.resource.k8s.io', deviceClaimEvaluator],
]);
