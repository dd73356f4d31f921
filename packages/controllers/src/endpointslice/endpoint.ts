import { formatIpAddress, parseIpAddress } from '@binnacle/apimachinery/validation';
import type { Node, Pod, Service } from '@binnacle/client/kinds/core/v1';
import type { Endpoint, EndpointPort } from '@binnacle/client/kinds/discovery/v1';
import { isPodReady } from '../common/index.js';
import { type AddressType, addressTypeOf, hostnameIn, type PodTargets } from '../serviceendpoints/index.js';

export const ZONE = 'topology.kubernetes.io/zone';

/** The types of addresses that the service has slices for. Servers before 1.20 set no families. */
export function addressTypesOf({ spec }: Service): readonly AddressType[] {
  const families = (['IPv4', 'IPv6'] as const).filter((family) => spec?.ipFamilies?.includes(family));
  if (families.length > 0) return families;
  const { clusterIP = '' } = spec ?? {};
  const address = parseIpAddress(clusterIP);
  return address === undefined ? ['IPv4', 'IPv6'] : [addressTypeOf(address)];
}

/** The endpoint of a pod; undefined if the pod has no address of this type. Upstream: `podToEndpoint`. */
export function endpointOf(
  pod: Pod,
  node: Node | undefined,
  service: Service,
  addressType: AddressType,
): Endpoint | undefined {
  const addresses = addressesOf(pod, addressType);
  if (addresses.length === 0) return undefined;
  const serving = isPodReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const hostname = hostnameIn(pod, service);
  const { nodeName = '' } = pod.spec ?? {};
  const zone = node?.metadata.labels?.[ZONE] ?? '';
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  return {
    addresses,
    conditions: { ready, serving, terminating },
    ...(hostname === undefined ? {} : { hostname }),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(nodeName === '' ? {} : { nodeName }),
    ...(zone === '' ? {} : { zone }),
  };
}

/** The ports of the service in pods with these targets, without those that the pods do not name. */
export function portsOf({ spec }: Service, targets: PodTargets): readonly EndpointPort[] {
  return (spec?.ports ?? []).flatMap((servicePort): EndpointPort[] => {
    const port = targets.numberOf(servicePort);
    if (port === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = servicePort;
    return [{ name, protocol, port, ...(appProtocol === undefined ? {} : { appProtocol }) }];
  });
}

function addressesOf({ status }: Pod, addressType: AddressType): string[] {
  const addresses = (status?.podIPs ?? []).map(({ ip }) => parseIpAddress(ip)).filter((ip) => ip !== undefined);
  return addresses.filter((address) => addressTypeOf(address) === addressType).map(formatIpAddress);
}
