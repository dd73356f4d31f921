import { amountsOf } from '@binnacle/api/quota';
import { isExtendedResource } from '@binnacle/api/validation';
import type { Quantity } from '@binnacle/apimachinery/quantity';
import type { Container, Pod, PodExtendedResourceClaimStatus } from '@binnacle/client/kinds/core/v1';
import type { DeviceRequest } from '@binnacle/client/kinds/resource/v1';

type Mapping = PodExtendedResourceClaimStatus['requestMappings'][number];

/** Requests of a claim, and which containers use them for which resources. */
export interface ExtendedRequests {
  readonly requests: readonly DeviceRequest[];
  readonly mappings: readonly Mapping[];
}

/** The resource with this prefix and the name of a DeviceClass maps to that DeviceClass. */
export const CLASS_PREFIX = 'deviceclass.resource.kubernetes.io/';

/** Whether the resource may map to a DeviceClass. Upstream: `IsDRAExtendedResourceName`. */
export const mayHaveDevices = (resource: string): boolean =>
  isExtendedResource(resource) || resource.startsWith(CLASS_PREFIX);

/** A container's own part of a resource, after what it shares with others. */
interface Part {
  readonly request: DeviceRequest | undefined;
  readonly mappings: readonly Mapping[];
}

/**
 * The requests for devices by which a pod gets its extended resources. `classes`: the names of their DeviceClasses. Init containers use what
 * later containers need, and share the rest. Upstream: `createRequestsAndMappings`.
 */
export function extendedRequests({ spec }: Pod, classes: ReadonlyMap<string, string>): ExtendedRequests {
  const { initContainers = [], containers = [] } = spec ?? {};
  const all = [...initContainers, ...containers].map(wantsOf);
  const isShort = (index: number): boolean =>
    index < initContainers.length && all[index]?.container.restartPolicy !== 'Always';
  const requests: DeviceRequest[] = [];
  const mappings: Mapping[] = [];
  for (const [resource, className] of [...classes].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const wanted = { resource, className };
    const long = all.map((wants, index) => (isShort(index) ? NOTHING : partOf(wants, index, wanted)));
    const short = all.map((wants, index) =>
      isShort(index) ? partOf(wants, index, wanted, long.slice(index)) : NOTHING,
    );
    const largest = short
      .flatMap(({ request }) => request ?? [])
      .reduce<DeviceRequest | undefined>((most, each) => (countOf(each) > countOf(most) ? each : most), undefined);
    const own = new Set(short.map(({ request }) => request?.name));
    requests.push(...(largest === undefined ? [] : [largest]), ...long.flatMap(({ request }) => request ?? []));
    mappings.push(...long.flatMap((part) => part.mappings));
    for (const mapping of short.flatMap((part) => part.mappings)) {
      const isOwn = own.has(mapping.requestName) && largest !== undefined;
      mappings.push(isOwn ? { ...mapping, requestName: largest.name } : mapping);
    }
  }
  return { requests: requests.toSorted((a, b) => (a.name < b.name ? -1 : 1)), mappings };
}

/** What a container requests, parsed once for all of its resources. */
interface Wants {
  readonly container: Container;
  readonly amounts: ReadonlyMap<string, Quantity>;
  /** The place of each resource in the order of their names. */
  readonly places: ReadonlyMap<string, number>;
}

function wantsOf(container: Container): Wants {
  const amounts = amountsOf(container.resources?.requests);
  const places = new Map([...amounts.keys()].toSorted().map((name, place) => [name, place]));
  return { container, amounts, places };
}

const NOTHING: Part = { request: undefined, mappings: [] };

const countOf = (request: DeviceRequest | undefined): number => request?.exactly?.count ?? 0;

function partOf(
  { container, amounts, places }: Wants,
  index: number,
  { resource, className }: { readonly resource: string; readonly className: string },
  shared: readonly Part[] = [],
): Part {
  const wanted = Number(amounts.get(resource)?.asInt() ?? 0n);
  if (wanted === 0) return NOTHING;
  const mappings: Mapping[] = [];
  const use = (requestName: string): void => {
    mappings.push({ containerName: container.name, resourceName: resource, requestName });
  };
  let found = 0;
  for (const { request } of shared) {
    if (request === undefined) continue;
    found += countOf(request);
    use(request.name);
    if (found >= wanted) return { request: undefined, mappings };
  }
  const name = `container-${index}-request-${places.get(resource)}`;
  use(name);
  const exactly = { deviceClassName: className, allocationMode: 'ExactCount', count: wanted - found } as const;
  return { request: { name, exactly }, mappings };
}
