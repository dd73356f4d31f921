import type { Endpoint, EndpointHints, EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import type { Service } from '@binnacle/client/kinds/core/v1';

/** The values of `trafficDistribution` that slices have hints for. */
const distributions: ReadonlySet<string | undefined> = new Set(['PreferClose', 'PreferSameZone', 'PreferSameNode']);

/** Whether the service asks for hints by an annotation, the older way. */
export function asksForTopology({ metadata: { annotations = {} } }: Service): boolean {
  const value =
    annotations['service.kubernetes.io/topology-aware-hints'] ?? annotations['service.kubernetes.io/topology-mode'];
  return value === 'Auto' || value === 'auto';
}

/** How the service wants traffic to be distributed; undefined if its slices have no hints for that. */
export function distributionOf(service: Service): string | undefined {
  const { trafficDistribution } = service.spec ?? {};
  return distributions.has(trafficDistribution) && !asksForTopology(service) ? trafficDistribution : undefined;
}

/** The slice with hints for its endpoints; the same object if it has them. Upstream: `trafficdist.ReconcileHints`. */
export function withTrafficHints(slice: EndpointSlice, distribution: string): EndpointSlice {
  return withHints(slice, (endpoint) => {
    if (endpoint.conditions?.ready !== true) return endpoint.hints;
    const { zone, nodeName } = endpoint;
    const forNodes = nodeName === undefined || distribution !== 'PreferSameNode' ? undefined : [{ name: nodeName }];
    if (zone === undefined && forNodes === undefined) return undefined;
    return {
      ...(zone === undefined ? {} : { forZones: [{ name: zone }] }),
      ...(forNodes === undefined ? {} : { forNodes }),
    };
  });
}

/** The slice without hints; the same object if it has none. */
export function withoutHints(slice: EndpointSlice): EndpointSlice {
  return withHints(slice, () => undefined);
}

/** The slice with the hints that `hintsOf` gives; the same object if all endpoints have them. */
export function withHints(
  slice: EndpointSlice,
  hintsOf: (endpoint: Endpoint) => EndpointHints | undefined,
): EndpointSlice {
  const before = slice.endpoints ?? [];
  const endpoints = before.map((endpoint) => {
    const hints = hintsOf(endpoint);
    if (isSame(endpoint.hints, hints)) return endpoint;
    const { hints: _, ...rest } = endpoint;
    return hints === undefined ? rest : { ...rest, hints };
  });
  return endpoints.every((endpoint, index) => endpoint === before[index]) ? slice : { ...slice, endpoints };
}

function isSame(one: EndpointHints | undefined, other: EndpointHints | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return names(one.forZones) === names(other.forZones) && names(one.forNodes) === names(other.forNodes);
}

/** Names have no commas. */
function names(list: readonly { readonly name: string }[] | undefined): string {
  return (list ?? []).map(({ name }) => name).join(',');
}
