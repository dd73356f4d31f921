import { Pace, type Steps } from '@binnacle/apimachinery/work';
import type { Endpoints, Service } from '@binnacle/client/kinds/core/v1';
import type { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { controllerReference, podPrefix } from '../common/index.js';
import {
  type AddressType,
  endpointKey,
  hasSelector,
  isSameEndpoint,
  isSameStrings,
  LEADER,
  MANAGED_BY,
  SERVICE_NAME,
  slicesByPorts,
  type Strings,
} from '../serviceendpoints/index.js';
import { desiredGroups, type Group, groupKey } from './desired.js';

/** The name of this controller in labels of slices. */
export const MANAGER = 'endpointslicemirroring-controller.k8s.io';

/** The greatest number of addresses of a subset that are mirrored. Upstream: `--mirroring-max-endpoints-per-subset`. */
const MAXIMUM = 1000;

/** A group costs as much as ten endpoints. */
const ENDPOINTS_PER_STEP = 1000;

const SKIP_MIRROR = 'endpointslice.kubernetes.io/skip-mirror';

/** Annotations that slices do not have. */
const notMirrored = [
  'endpoints.kubernetes.io/last-change-trigger-time',
  'kubectl.kubernetes.io/last-applied-configuration',
];

export interface MirrorPlan {
  readonly creates: readonly EndpointSlice[];
  readonly updates: readonly EndpointSlice[];
  readonly deletes: readonly EndpointSlice[];
  /** Warnings about the Endpoints. */
  readonly warnings: readonly { readonly reason: string; readonly message: string }[];
}

/** Whether the Endpoints may be mirrored: they have not opted out, and are not a leader's lock. */
export function allowsMirror({ metadata }: Endpoints): boolean {
  return metadata.labels?.[SKIP_MIRROR] !== 'true' && metadata.annotations?.[LEADER] === undefined;
}

/** Whether the Endpoints are mirrored: their service has no selector, so a user maintains them. */
export function isMirrored(endpoints: Endpoints, service: Service | undefined): boolean {
  return allowsMirror(endpoints) && service !== undefined && !hasSelector(service);
}

/** `slices` are those that this controller manages for the service. Upstream: `reconciler.reconcile`. */
export function* planMirror(
  endpoints: Endpoints,
  slices: readonly EndpointSlice[],
  maximum: number = MAXIMUM,
): Steps<MirrorPlan> {
  const { groups, invalid, skipped } = yield* desiredGroups(endpoints, maximum);
  const creates: EndpointSlice[] = [];
  const updates: EndpointSlice[] = [];
  const deletes: EndpointSlice[] = [];
  const existing = slicesByGroup(yield* slicesByPorts(slices));
  const pace = new Pace(ENDPOINTS_PER_STEP);
  for (const [key, group] of groups) {
    if (pace.endsStep(10 + group.endpoints.length)) yield;
    const [first, ...others] = existing.get(key) ?? [];
    for (const slice of others) deletes.push(slice);
    if (group.endpoints.length === 0) {
      if (first !== undefined) deletes.push(first);
    } else if (first === undefined) {
      creates.push(sliceOf(endpoints, group));
    } else if (!isCurrent(endpoints, first, group)) {
      updates.push(replaced(first, sliceOf(endpoints, group)));
    }
  }
  for (const [key, unwanted] of existing) for (const slice of groups.has(key) ? [] : unwanted) deletes.push(slice);
  return { ...recycled(creates, updates, deletes), warnings: warningsOf(invalid, skipped, maximum) };
}

function slicesByGroup(byPorts: ReadonlyMap<string, readonly EndpointSlice[]>): ReadonlyMap<string, EndpointSlice[]> {
  const existing = new Map<string, EndpointSlice[]>();
  for (const [ports, slices] of byPorts) {
    for (const slice of slices) {
      const key = groupKey(slice.addressType, ports);
      const known = existing.get(key);
      if (known === undefined) existing.set(key, [slice]);
      else known.push(slice);
    }
  }
  return existing;
}

function sliceOf(endpoints: Endpoints, { addressType, ports, endpoints: all }: Group): EndpointSlice {
  const { name = '', namespace, labels } = endpoints.metadata;
  const annotations = mirroredAnnotations(endpoints);
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: podPrefix(name),
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...labels, [SERVICE_NAME]: name, [MANAGED_BY]: MANAGER },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ownerReferences: [controllerReference(endpoints)],
    },
    addressType,
    endpoints: all,
    ...(ports.length === 0 ? {} : { ports }),
  };
}

function isCurrent(endpoints: Endpoints, slice: EndpointSlice, group: Group): boolean {
  const { labels, annotations, ownerReferences = [] } = slice.metadata;
  const present = slice.endpoints ?? [];
  const all = new Map(group.endpoints.map((endpoint) => [endpointKey(endpoint), endpoint]));
  const hasAll =
    present.length === all.size &&
    present.every((endpoint) => {
      const wanted = all.get(endpointKey(endpoint));
      return wanted !== undefined && isSameEndpoint(wanted, endpoint);
    });
  const { name, uid } = endpoints.metadata;
  const isOfDeleted = ownerReferences.some(
    (owner) => owner.kind === 'Endpoints' && owner.name === name && owner.uid !== uid,
  );
  return (
    hasAll &&
    !isOfDeleted &&
    isSameStrings(ownLabels(labels), ownLabels(endpoints.metadata.labels)) &&
    isSameStrings(annotations ?? {}, mirroredAnnotations(endpoints))
  );
}

/** Slices to delete become those to create, as one update costs watchers less than two writes. */
function recycled(
  creates: readonly EndpointSlice[],
  updates: readonly EndpointSlice[],
  deletes: readonly EndpointSlice[],
): Omit<MirrorPlan, 'warnings'> {
  const left = { IPv4: ofType(deletes, 'IPv4'), IPv6: ofType(deletes, 'IPv6') };
  const used = new Set<EndpointSlice>();
  const reused: EndpointSlice[] = [];
  const remaining = creates.filter((slice) => {
    const old = left[slice.addressType === 'IPv6' ? 'IPv6' : 'IPv4'].next();
    if (old.done === true) return true;
    used.add(old.value);
    reused.push(replaced(old.value, slice));
    return false;
  });
  return { creates: remaining, updates: [...updates, ...reused], deletes: deletes.filter((slice) => !used.has(slice)) };
}

function ofType(slices: readonly EndpointSlice[], type: AddressType): Iterator<EndpointSlice, undefined> {
  return slices.filter(({ addressType }) => addressType === type)[Symbol.iterator]();
}

/** The new slice under the name of the old one. */
function replaced(
  { metadata: { name = '', resourceVersion = '' } }: EndpointSlice,
  slice: EndpointSlice,
): EndpointSlice {
  const { generateName: _, ...metadata } = slice.metadata;
  return { ...slice, metadata: { ...metadata, name, resourceVersion } };
}

function warningsOf(invalid: number, skipped: number, maximum: number): MirrorPlan['warnings'] {
  const ofInvalid = `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`;
  const ofSkipped = `A max of ${maximum} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`;
  return [
    ...(invalid > 0 ? [{ reason: 'InvalidIPAddress', message: ofInvalid }] : []),
    ...(skipped > invalid ? [{ reason: 'TooManyAddressesToMirror', message: ofSkipped }] : []),
  ];
}

function mirroredAnnotations({ metadata }: Endpoints): Strings {
  return Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => !notMirrored.includes(key)));
}

function ownLabels(labels: Strings | undefined): Strings {
  const { [SERVICE_NAME]: _, [MANAGED_BY]: __, ...own } = labels ?? {};
  return own;
}
