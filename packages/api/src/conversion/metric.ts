import type { JsonObject } from '@binnacle/apimachinery/json';
import type {
  CrossVersionObjectReference,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '../generated/types/autoscaling-v2.js';
import type { LabelSelector } from '../generated/types/meta-v1.js';
import type { AnnotationReader } from './autoscaler-annotations.js';

/** The old form puts a prefix on its members: `targetValue` in a spec, `currentValue` in a status. */
type Prefix = 'target' | 'current';

/** The parts that a metric's spec and status have in common. */
interface Source {
  readonly describedObject?: CrossVersionObjectReference | undefined;
  readonly metric?: { readonly name: string; readonly selector?: LabelSelector | undefined } | undefined;
  readonly name?: string | undefined;
  readonly container?: string | undefined;
}

type Amount = MetricValueStatus;

const members: Readonly<Record<string, 'object' | 'pods' | 'resource' | 'containerResource' | 'external'>> = {
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
  External: 'external',
};

function memberOf(type: string) {
  return Object.hasOwn(members, type) ? members[type] : undefined;
}

/** Converts an autoscaling/v2 metric to the form in autoscaling/v1's annotations, with members in Go's order. */
export function specToAnnotation(spec: MetricSpec): JsonObject {
  const member = memberOf(spec.type);
  const source = member && spec[member];
  return source === undefined || member === undefined
    ? { type: spec.type }
    : { type: spec.type, [member]: toAnnotation(member, source, source.target ?? {}, 'target') };
}

export function statusToAnnotation(status: MetricStatus): JsonObject {
  const member = memberOf(status.type);
  const source = member && status[member];
  return source === undefined || member === undefined
    ? { type: status.type }
    : { type: status.type, [member]: toAnnotation(member, source, source.current ?? {}, 'current') };
}

function toAnnotation(member: string, source: Source, amount: Amount, prefix: Prefix): JsonObject {
  const metricName = source.metric?.name ?? '';
  const selector = selectorInOrder(source.metric?.selector);
  const { value, averageValue, averageUtilization } = amount;
  switch (member) {
    case 'object':
      return {
        target: referenceInOrder(source.describedObject),
        metricName,
        [`${prefix}Value`]: value ?? '0',
        selector,
        averageValue,
      };
    case 'pods':
      return { metricName, [`${prefix}AverageValue`]: averageValue ?? '0', selector };
    case 'external':
      return {
        metricName,
        metricSelector: selector,
        [`${prefix}Value`]: prefix === 'current' ? (value ?? '0') : value,
        [`${prefix}AverageValue`]: averageValue,
      };
    default:
      return {
        name: source.name ?? '',
        [`${prefix}AverageUtilization`]: averageUtilization,
        [`${prefix}AverageValue`]: prefix === 'current' ? (averageValue ?? '0') : averageValue,
        ...(member === 'containerResource' ? { container: source.container ?? '' } : {}),
      };
  }
}

export function specFromAnnotation(reader: AnnotationReader): MetricSpec {
  const type = reader.text('type') ?? '';
  const member = memberOf(type);
  const flat = member && reader.object(member);
  if (member === undefined || flat === undefined) return { type };
  const target = targetOf(member, amountFromAnnotation(member, flat, 'target'));
  return { type, [member]: { ...sourceFromAnnotation(member, flat), target } };
}

export function statusFromAnnotation(reader: AnnotationReader): MetricStatus {
  const type = reader.text('type') ?? '';
  const member = memberOf(type);
  const flat = member && reader.object(member);
  if (member === undefined || flat === undefined) return { type };
  const current = amountFromAnnotation(member, flat, 'current');
  return { type, [member]: { ...sourceFromAnnotation(member, flat), current } };
}

function sourceFromAnnotation(member: string, flat: AnnotationReader): Source {
  if (member === 'resource') return { name: flat.text('name') ?? '' };
  if (member === 'containerResource') return { name: flat.text('name') ?? '', container: flat.text('container') ?? '' };
  const selector = readSelector(flat.object(member === 'external' ? 'metricSelector' : 'selector'));
  const metric = { name: flat.text('metricName') ?? '', ...(selector ? { selector } : {}) };
  if (member !== 'object') return { metric };
  const reference = flat.object('target');
  const apiVersion = reference?.text('apiVersion');
  return {
    describedObject: {
      kind: reference?.text('kind') ?? '',
      name: reference?.text('name') ?? '',
      ...(apiVersion ? { apiVersion } : {}),
    },
    metric,
  };
}

/** Go writes `0` for a value that is not set. Next to an average, `0` means absent. */
function amountFromAnnotation(member: string, flat: AnnotationReader, prefix: Prefix): Amount {
  const averageValue = flat.quantity(member === 'object' ? 'averageValue' : `${prefix}AverageValue`);
  const value = member === 'pods' ? undefined : flat.quantity(`${prefix}Value`);
  const averageUtilization = flat.integer(`${prefix}AverageUtilization`);
  return {
    ...(value === undefined || (value === '0' && averageValue !== undefined) ? {} : { value }),
    ...(averageValue === undefined ? {} : { averageValue }),
    ...(averageUtilization === undefined ? {} : { averageUtilization }),
  };
}

function targetOf(member: string, amount: Amount): MetricTarget {
  const byValue =
    member === 'external' ? amount.value !== undefined : member === 'object' && amount.averageValue === undefined;
  const type = amount.averageUtilization !== undefined ? 'Utilization' : byValue ? 'Value' : 'AverageValue';
  return { type, ...amount };
}

function referenceInOrder(reference: CrossVersionObjectReference | undefined): JsonObject {
  return { kind: reference?.kind ?? '', name: reference?.name ?? '', apiVersion: reference?.apiVersion };
}

function selectorInOrder(selector: LabelSelector | undefined): JsonObject | undefined {
  if (!selector) return undefined;
  const labels = Object.entries(selector.matchLabels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    matchLabels: labels.length === 0 ? undefined : Object.fromEntries(labels),
    matchExpressions: selector.matchExpressions?.map(({ key, operator, values }) => ({ key, operator, values })),
  };
}

function readSelector(reader: AnnotationReader | undefined): LabelSelector | undefined {
  if (!reader) return undefined;
  const matchLabels = reader.textMap('matchLabels');
  const matchExpressions = reader.list('matchExpressions', (item) => {
    const values = item.texts('values');
    return { key: item.text('key') ?? '', operator: item.text('operator') ?? '', ...(values ? { values } : {}) };
  });
  return { ...(matchLabels ? { matchLabels } : {}), ...(matchExpressions ? { matchExpressions } : {}) };
}
