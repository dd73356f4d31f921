import { formatIpAddress, parseIpAddress } from '@binnacle/apimachinery/validation';
import type { EndpointAddress, EndpointPort, EndpointSubset, Pod, Service } from '@binnacle/client/kinds/core/v1';
import { isPodReady } from '../common/index.js';
import {
  type AddressType,
  addressTypeOf,
  findPort,
  hasAddress,
  hostnameIn,
  isHeadless,
  repackSubsets,
} from '../serviceendpoints/index.js';

/** The addresses of the pods, by port, in canonical form. */
export function subsetsOf(service: Service, pods: readonly Pod[]): readonly EndpointSubset[] {
  return repackSubsets(pods.flatMap((pod) => subsetsOfPod(service, pod)));
}

/** One subset for each port that the pod offers. A pod that is being deleted has none, unless unready addresses are published. */
function subsetsOfPod(service: Service, pod: Pod): EndpointSubset[] {
  const { publishNotReadyAddresses: publishesAll = false, ports = [] } = service.spec ?? {};
  if (!hasAddress(pod) || (pod.metadata.deletionTimestamp !== undefined && !publishesAll)) return [];
  const address = addressOf(service, pod);
  if (address === undefined) return [];
  const field = publishesAll || isPodReady(pod) ? 'addresses' : 'notReadyAddresses';
  if (ports.length === 0) return isHeadless(service) ? [{ [field]: [address] }] : [];
  return ports.flatMap((servicePort): EndpointSubset[] => {
    const port = findPort(pod, servicePort);
    if (port === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = servicePort;
    const offered: EndpointPort = {
      ...(name === '' ? {} : { name }),
      port,
      protocol,
      ...(appProtocol === undefined ? {} : { appProtocol }),
    };
    return [{ [field]: [address], ports: [offered] }];
  });
}

/** The pod's address of the service's first family; undefined if it has none. */
function addressOf(service: Service, pod: Pod): EndpointAddress | undefined {
  const wanted: AddressType = service.spec?.ipFamilies?.[0] === 'IPv6' ? 'IPv6' : 'IPv4';
  const found = (pod.status?.podIPs ?? [])
    .map(({ ip }) => parseIpAddress(ip))
    .find((ip) => ip !== undefined && addressTypeOf(ip) === wanted);
  if (found === undefined) return undefined;
  const hostname = hostnameIn(pod, service);
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  return {
    ip: formatIpAddress(found),
    ...(hostname === undefined ? {} : { hostname }),
    // Present even if empty, as upstream.
    nodeName: pod.spec?.nodeName ?? '',
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
}
