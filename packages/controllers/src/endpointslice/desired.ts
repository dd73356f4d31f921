import { Pace, type Steps } from '@binnacle/apimachinery/work';
import type { Node, Pod, Service } from '@binnacle/client/kinds/core/v1';
import type { Endpoint, EndpointPort } from '@binnacle/client/kinds/discovery/v1';
import { type AddressType, hasAddress, orderSlicePorts, podTargets, portsKey } from '../serviceendpoints/index.js';
import { endpointOf, portsOf } from './endpoint.js';

const PODS_PER_STEP = 500;

/** Endpoints that share their ports. */
export interface Group {
  /** In the order of slices. */
  readonly ports: readonly EndpointPort[];
  readonly endpoints: Endpoint[];
}

export interface DesiredView {
  readonly service: Service;
  /** Those that the service selects. */
  readonly pods: readonly Pod[];
  readonly nodeOf: (name: string) => Node | undefined;
}

export interface Desired {
  /** By the key of their ports. */
  readonly groups: ReadonlyMap<string, Group>;
  /** Pods whose node is missing. Their endpoints are left out. */
  readonly problems: readonly string[];
}

/** The endpoints of one type of addresses. */
export function* desiredGroups(view: DesiredView, addressType: AddressType): Steps<Desired> {
  const { service, pods, nodeOf } = view;
  const { namespace = '', name = '' } = service.metadata;
  const targetsOf = podTargets(service.spec?.ports ?? []);
  const groups = new Map<string, Group>();
  const byTargets = new Map<string, Group>();
  const problems: string[] = [];
  const pace = new Pace(PODS_PER_STEP);
  for (const pod of pods) {
    if (pace.endsStep()) yield;
    if (!hasAddress(pod)) continue;
    const targets = targetsOf(pod);
    if (pace.endsStep(targets.cost)) yield;
    let group = byTargets.get(targets.key);
    if (group === undefined) {
      const ports = yield* orderSlicePorts(portsOf(service, targets));
      const key = portsKey(ports);
      group = groups.get(key) ?? { ports, endpoints: [] };
      groups.set(key, group);
      byTargets.set(targets.key, group);
      if (pace.endsStep(ports.length)) yield;
    }
    const { nodeName = '' } = pod.spec ?? {};
    const node = nodeOf(nodeName);
    if (node === undefined && service.spec?.publishNotReadyAddresses !== true) {
      problems.push(
        `skipping Pod ${pod.metadata.name ?? ''} for Service ${namespace}/${name}: Node ${nodeName} Not Found`,
      );
      continue;
    }
    const endpoint = endpointOf(pod, node, service, addressType);
    if (endpoint !== undefined) group.endpoints.push(endpoint);
  }
  return { groups, problems };
}
