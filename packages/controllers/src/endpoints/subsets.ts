import { formatIpAddress, type IpAddress, parseIpAddress } from '@binnacle/apimachinery/validation';
import { Pace, type Steps } from '@binnacle/apimachinery/work';
import type {
  EndpointAddress,
  EndpointPort,
  EndpointSubset,
  Pod,
  Service,
  ServicePort,
} from '@binnacle/client/kinds/core/v1';
import { isPodReady } from '../common/index.js';
import {
  type AddressType,
  addressTypeOf,
  hasAddress,
  hostnameIn,
  isHeadless,
  type PodTargets,
  podTargets,
  repackSubsets,
} from '../serviceendpoints/index.js';

const PODS_PER_STEP = 1000;

/** Pods in which the ports of the service lead to the same numbers. */
interface Group {
  readonly ports: readonly EndpointPort[];
  readonly addresses: EndpointAddress[];
  readonly notReadyAddresses: EndpointAddress[];
}

/** The addresses of the pods, by port, in canonical form. */
export function* subsetsOf(service: Service, pods: readonly Pod[]): Steps<readonly EndpointSubset[]> {
  const { publishNotReadyAddresses: publishesAll = false, ports: servicePorts = [] } = service.spec ?? {};
  const targetsOf = podTargets(servicePorts);
  const groups = new Map<string, Group>();
  const pace = new Pace(PODS_PER_STEP);
  for (const pod of pods) {
    if (pace.endsStep()) yield;
    const address = offersAddress(pod, publishesAll) ? addressOf(service, pod) : undefined;
    if (address === undefined) continue;
    const targets = targetsOf(pod);
    const known = groups.get(targets.key);
    const group = known ?? { ports: portsOf(servicePorts, targets), addresses: [], notReadyAddresses: [] };
    groups.set(targets.key, group);
    (publishesAll || isPodReady(pod) ? group.addresses : group.notReadyAddresses).push(address);
    if (pace.endsStep(targets.cost + (known === undefined ? servicePorts.length : 0))) yield;
  }
  const offered = [...groups.values()].filter(({ ports }) => ports.length > 0);
  // A headless service may have no ports.
  const isPortless = servicePorts.length === 0 && isHeadless(service);
  return (yield* repackSubsets(isPortless ? [...groups.values()] : offered)) ?? [];
}

/** A pod that is being deleted offers none, unless unready addresses are published. */
function offersAddress(pod: Pod, publishesAll: boolean): boolean {
  return hasAddress(pod) && (pod.metadata.deletionTimestamp === undefined || publishesAll);
}

/** Without those that the pod does not name. */
function portsOf(servicePorts: readonly ServicePort[], targets: PodTargets): readonly EndpointPort[] {
  return servicePorts.flatMap((servicePort): EndpointPort[] => {
    const port = targets.numberOf(servicePort);
    if (port === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = servicePort;
    const named = name === '' ? {} : { name };
    return [{ ...named, port, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }];
  });
}

/** The pod's address of the service's first family; undefined if it has none. */
function addressOf(service: Service, pod: Pod): EndpointAddress | undefined {
  const wanted: AddressType = service.spec?.ipFamilies?.[0] === 'IPv6' ? 'IPv6' : 'IPv4';
  const found = firstAddress(pod, wanted);
  if (found === undefined) return undefined;
  const hostname = hostnameIn(pod, service);
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  return {
    ip: formatIpAddress(found),
    ...(hostname === undefined ? {} : { hostname }),
    // Present even if empty, like upstream.
    nodeName: pod.spec?.nodeName ?? '',
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
}

function firstAddress({ status }: Pod, wanted: AddressType): IpAddress | undefined {
  for (const { ip } of status?.podIPs ?? []) {
    const address = parseIpAddress(ip);
    if (address !== undefined && addressTypeOf(address) === wanted) return address;
  }
  return undefined;
}
