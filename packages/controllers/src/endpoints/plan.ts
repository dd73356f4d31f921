import type { Steps } from '@binnacle/apimachinery/work';
import type { Endpoints, EndpointSubset, Pod, Service } from '@binnacle/client/kinds/core/v1';
import {
  HEADLESS,
  isHeadless,
  isSameStrings,
  repackSubsets,
  type Strings,
  subsetText,
  withTriggerTime,
} from '../serviceendpoints/index.js';
import { subsetsOf } from './subsets.js';
import { addressCount, truncated } from './truncate.js';

const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
const MANAGER = 'endpoint-controller';
const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity';

export interface EndpointsView {
  readonly service: Service;
  /** Those that the service selects. */
  readonly pods: readonly Pod[];
  /** The Endpoints of the service's name. */
  readonly current: Endpoints | undefined;
  readonly triggerTime: string | undefined;
}

/** What to write; undefined if the Endpoints are as they should be. The trigger time alone is not worth a write. */
export function* planEndpoints({ service, pods, current, triggerTime }: EndpointsView): Steps<Endpoints | undefined> {
  const all = yield* subsetsOf(service, pods);
  const subsets = truncated(all);
  const isOver = subsets !== all;
  if (current !== undefined && (yield* isCurrent(current, service, subsets, isOver))) return undefined;
  const { [OVER_CAPACITY]: _, ...others } = withTriggerTime(current?.metadata.annotations, triggerTime);
  const annotations: Strings = isOver ? { ...others, [OVER_CAPACITY]: 'truncated' } : others;
  const { annotations: __, labels: ___, ...kept } = current?.metadata ?? named(service);
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      ...kept,
      labels: labelsOf(service),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    ...(subsets.length === 0 ? {} : { subsets }),
  };
}

/** Whether this controller has made the Endpoints. */
export function isOwn({ metadata }: Endpoints): boolean {
  return metadata.labels?.[MANAGED_BY] === MANAGER;
}

function* isCurrent(
  { metadata: { labels, annotations }, subsets: present = [] }: Endpoints,
  service: Service,
  subsets: readonly EndpointSubset[],
  isOver: boolean,
): Steps<boolean> {
  return (
    isOver === (annotations?.[OVER_CAPACITY] !== undefined) &&
    followsLabels(labels, service.metadata.labels) &&
    (yield* isSame(present, subsets))
  );
}

/** Compares canonical forms, so the order of the present subsets does not matter (issues.k8s.io/129652). Users may have written more addresses than fit. */
function* isSame(present: readonly EndpointSubset[], wanted: readonly EndpointSubset[]): Steps<boolean> {
  const text = textOf(wanted);
  const count = addressCount(wanted);
  if (addressCount(present) === count && textOf(present) === text) return true;
  const canonical = yield* repackSubsets(present, count);
  return canonical !== undefined && textOf(canonical) === text;
}

/** The label of headless services does not count, like upstream. */
function followsLabels(labels: Strings = {}, serviceLabels: Strings = {}): boolean {
  const { [MANAGED_BY]: manager, [HEADLESS]: _, ...own } = labels;
  return manager === MANAGER && isSameStrings(own, serviceLabels);
}

function labelsOf(service: Service): Strings {
  const { [HEADLESS]: _, ...labels } = service.metadata.labels ?? {};
  return { ...labels, ...(isHeadless(service) ? { [HEADLESS]: '' } : {}), [MANAGED_BY]: MANAGER };
}

function named({ metadata: { namespace, name = '' } }: Service): Endpoints['metadata'] {
  return { name, ...(namespace === undefined ? {} : { namespace }) };
}

/** Equal for equal subsets. Versions of targets do not count: a new one changes no endpoint. */
function textOf(subsets: readonly EndpointSubset[]): string {
  return subsets.map((subset) => subsetText(withoutVersions(subset))).join(' ');
}

function withoutVersions({ addresses, notReadyAddresses, ...rest }: EndpointSubset): EndpointSubset {
  return {
    ...rest,
    ...(addresses === undefined ? {} : { addresses: addresses.map(withoutVersion) }),
    ...(notReadyAddresses === undefined ? {} : { notReadyAddresses: notReadyAddresses.map(withoutVersion) }),
  };
}

type Address = NonNullable<EndpointSubset['addresses']>[number];

function withoutVersion(address: Address): Address {
  if (address.targetRef?.resourceVersion === undefined) return address;
  const { resourceVersion: _, ...targetRef } = address.targetRef;
  return { ...address, targetRef };
}
