import type { PersistentVolumeClaim, Pod, Service } from '@binnacle/api/types/core-v1';
import type { ResourceClaim } from '@binnacle/api/types/resource-v1';
import { asKind, formatGroupResource, type GroupResource, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { Quantity } from '@binnacle/apimachinery/quantity';
import type { AdmissionAttributes } from '../../plugin.js';
import { type Amounts, amountsOf, sumOf } from '../amounts.js';
import { podAmountsWithOverhead } from '../pod-amounts.js';
import { deviceClaimUsage, isDeviceResource } from './device-claim-usage.js';
import { isCounted, podComputeUsage } from './pod-usage.js';
import { isTerminating } from './scopes.js';

type Bare = Readonly<KubernetesObject>;

/** Computes the quota usage of one resource. Upstream: `pkg/quota/v1/evaluator/core`. */
export interface QuotaEvaluator {
  /** Whether a request for this resource can change the usage. */
  handles(attributes: AdmissionAttributes): boolean;
  /** Whether the evaluator computes usage of this quota resource. */
  measures(resourceName: string): boolean;
  usage(object: Bare): Amounts;
}

const ONE = Quantity.of(1);
const STORAGE_CLASS = '.storageclass.storage.k8s.io/';
const CLAIM_RESOURCES = ['persistentvolumeclaims', 'requests.storage'];
const CLAIM_CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** Quota names of some object counts from before the prefix `count/` existed. */
const OLD_NAMES: ReadonlySet<string> = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']);

/** Events are transient, so quotas do not count them. */
const NOT_COUNTED: ReadonlySet<string> = new Set(['events', 'events.events.k8s.io']);

export function evaluatorOf(resource: GroupResource): QuotaEvaluator | undefined {
  const name = formatGroupResource(resource);
  if (NOT_COUNTED.has(name)) return undefined;
  return special.get(name) ?? countEvaluator(name);
}

function countEvaluator(name: string): QuotaEvaluator {
  const names = [`count/${name}`, ...(OLD_NAMES.has(name) ? [name] : [])];
  const usage = new Map(names.map((each) => [each, ONE]));
  return {
    handles: ({ operation, subresource }) => operation === 'CREATE' && subresource === '',
    measures: (resourceName) => usage.has(resourceName),
    usage: () => usage,
  };
}

const podEvaluator: QuotaEvaluator = {
  handles({ operation, subresource, object, oldObject }) {
    if (operation === 'CREATE') return subresource === '';
    if (operation !== 'UPDATE' || subresource !== '') return operation === 'UPDATE' && subresource === 'resize';
    // A pod that gets a deadline moves from some quotas to others.
    return hasDeadline(object) !== hasDeadline(oldObject);
  },
  measures: isCounted,
  usage(object) {
    const pod = asKind<Pod>(object);
    const counted = new Map([['count/pods', ONE]]);
    const phase = pod.status?.phase;
    // A finished pod uses no resources.
    if (pod.spec === undefined || phase === 'Failed' || phase === 'Succeeded') return counted;
    const requests = podAmountsWithOverhead(pod.spec, 'requests');
    return sumOf(counted, podComputeUsage(requests, podAmountsWithOverhead(pod.spec, 'limits')));
  },
};

function hasDeadline(pod: Bare | undefined): boolean {
  return pod !== undefined && isTerminating(pod);
}

const serviceEvaluator: QuotaEvaluator = {
  handles: ({ operation }) => operation === 'CREATE' || operation === 'UPDATE',
  measures: (name) => SERVICE_RESOURCES.has(name),
  usage(object) {
    const { spec } = asKind<Service>(object);
    const balanced = spec?.type === 'LoadBalancer';
    const ports = spec?.ports ?? [];
    const wanted = balanced && spec?.allocateLoadBalancerNodePorts === false ? ports.filter(hasNodePort) : ports;
    return new Map([
      ['count/services', ONE],
      ['services', ONE],
      ['services.loadbalancers', Quantity.of(balanced ? 1 : 0)],
      ['services.nodeports', Quantity.of(balanced || spec?.type === 'NodePort' ? wanted.length : 0)],
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
  handles: ({ operation, subresource }) =>
    (operation === 'CREATE' && subresource === '') ||
    (operation === 'UPDATE' && (subresource === '' || subresource === 'status')),
  measures: (name) =>
    name === 'count/persistentvolumeclaims' ||
    CLAIM_RESOURCES.some((own) => name === own || name.endsWith(STORAGE_CLASS + own)),
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
  handles: ({ operation, subresource }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  measures: isDeviceResource,
  usage: (object) => deviceClaimUsage(asKind<ResourceClaim>(object)),
};

const special: ReadonlyMap<string, QuotaEvaluator> = new Map([
  ['pods', podEvaluator],
  ['services', serviceEvaluator],
  ['persistentvolumeclaims', claimEvaluator],
  ['resourceclaims.resource.k8s.io', deviceClaimEvaluator],
]);
