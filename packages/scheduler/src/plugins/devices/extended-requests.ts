import { amountsOf } from '@binnacle/api/quota';
import { isExtendedResource } from '@binnacle/api/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type { Pod, PodExtendedResourceClaimStatus } from '@binnacle/client/kinds/core/v1';
import type { DeviceRequest } from '@binnacle/client/kinds/resource/v1';

type Mapping = PodExtendedResourceClaimStatus['requestMappings'][number];

/** Requests of a claim, and which containers use them for which resources. */
export interface ExtendedRequests {
  readonly requests: readonly DeviceRequest[];
  /** Computed when it is called: each init container may use the requests of all later containers. */
  readonly mappings: () => Mapping[];
}

/** The resource with this prefix and the name of a DeviceClass maps to that DeviceClass. */
export const CLASS_PREFIX = 'deviceclass.resource.kubernetes.io/';

/** Whether the resource may map to a DeviceClass. Upstream: `IsDRAExtendedResourceName`. */
export const mayHaveDevices = (resource: string): boolean =>
  isExtendedResource(resource) || resource.startsWith(CLASS_PREFIX);

/** What one container requests of one resource. */
interface Wish {
  readonly container: string;
  /** Of the container, among all of the pod. */
  readonly index: number;
  readonly count: number;
  /** The name of the request that it makes. */
  readonly request: string;
  /** An init container that ends before later containers start. */
  readonly isShort: boolean;
}

/** An init container's use of the requests of later containers. */
interface Sharing {
  readonly used: readonly Wish[];
  /** What it requests itself, because later containers have too few. */
  readonly lacked: number;
}

/** All wishes for one resource. */
interface Shares {
  readonly resource: string;
  readonly long: readonly Wish[];
  readonly short: readonly Wish[];
  /** The init container that lacks most. Its request is shared by all that lack some. */
  readonly largest: Wish | undefined;
}

/**
 * The requests for devices by which a pod gets its extended resources. `classes`: the names of their DeviceClasses. Init containers use what
 * later containers need, and share the rest. Upstream: `createRequestsAndMappings`.
 */
export function* extendedRequests(pod: Pod, classes: ReadonlyMap<string, string>): Steps<ExtendedRequests> {
  const wishes = yield* wishesOf(pod, classes);
  const requests: DeviceRequest[] = [];
  const all: Shares[] = [];
  for (const [resource, className] of [...classes].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    yield;
    const make = ({ request }: Wish, count: number): void => {
      const exactly = { deviceClassName: className, allocationMode: 'ExactCount', count } as const;
      requests.push({ name: request, exactly });
    };
    const wanted = wishes.get(resource) ?? [];
    const short = wanted.filter(({ isShort }) => isShort);
    const long = wanted.filter(({ isShort }) => !isShort);
    let largest: Wish | undefined;
    let most = 0;
    for (const wish of short) {
      yield;
      const { lacked } = sharingOf(wish, long);
      if (lacked > most) [largest, most] = [wish, lacked];
    }
    if (largest !== undefined) make(largest, most);
    for (const wish of long) make(wish, wish.count);
    all.push({ resource, long, short, largest });
  }
  return {
    requests: requests.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    mappings: () => all.flatMap(mappingsOf),
  };
}

/** By resource, in the order of the containers. What each container requests is parsed once for all of its resources. */
function* wishesOf({ spec }: Pod, classes: ReadonlyMap<string, string>): Steps<ReadonlyMap<string, readonly Wish[]>> {
  const { initContainers = [], containers = [] } = spec ?? {};
  const wishes = new Map<string, Wish[]>();
  for (const [index, { name, resources, restartPolicy }] of [...initContainers, ...containers].entries()) {
    yield;
    const amounts = amountsOf(resources?.requests);
    const isShort = index < initContainers.length && restartPolicy !== 'Always';
    for (const [place, resource] of [...amounts.keys()].toSorted().entries()) {
      const count = classes.has(resource) ? Number(amounts.get(resource)?.asInt() ?? 0n) : 0;
      if (count === 0) continue;
      const ofResource = wishes.get(resource) ?? [];
      ofResource.push({ container: name, index, count, request: `container-${index}-request-${place}`, isShort });
      wishes.set(resource, ofResource);
    }
  }
  return wishes;
}

function sharingOf(wish: Wish, long: readonly Wish[]): Sharing {
  const later = long.findIndex(({ index }) => index > wish.index);
  const start = later < 0 ? long.length : later;
  let end = start;
  let lacked = wish.count;
  for (; lacked > 0 && end < long.length; end++) lacked -= long[end]?.count ?? 0;
  return { used: long.slice(start, end), lacked: Math.max(0, lacked) };
}

function mappingsOf({ resource, long, short, largest }: Shares): Mapping[] {
  const use = (container: string, requestName: string): Mapping => {
    return { containerName: container, resourceName: resource, requestName };
  };
  return [
    ...long.map(({ container, request }) => use(container, request)),
    ...short.flatMap((wish) => {
      const { used, lacked } = sharingOf(wish, long);
      const shared = used.map(({ request }) => use(wish.container, request));
      return lacked === 0 || largest === undefined ? shared : [...shared, use(wish.container, largest.request)];
    }),
  ];
}
