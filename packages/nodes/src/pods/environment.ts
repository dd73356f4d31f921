import { Quantity } from '@binnacle/apimachinery/quantity';
import type { Container, EnvVar, Pod } from '@binnacle/client/kinds/core/v1';
import { type Source, sourceOf } from './sources.js';

/** What the variables of a container depend on, besides its pod. */
export interface EnvironmentParts {
  /** Set before those of the container. */
  readonly base: ReadonlyMap<string, string>;
  /** The values of a ConfigMap or Secret. Undefined: it does not exist, or it is not read, and its values are left out. */
  readonly valuesOf?: (source: Source) => ReadonlyMap<string, string> | undefined;
  /** Of services; variables of the container come first. */
  readonly services?: ReadonlyMap<string, string>;
}

/** The most text of all variables, in characters: the largest `ARG_MAX` of Linux. */
const MOST_TEXT = 6 * 1024 * 1024;

/** The variables of a container. Throws when no program could have so many. Upstream: `makeEnvironmentVariables`. */
export function environmentOf(
  pod: Pod,
  container: Container,
  { base, valuesOf = () => undefined, services = new Map() }: EnvironmentParts,
): ReadonlyMap<string, string> {
  const variables = new Map(base);
  let length = 0;
  const set = (name: string, value: string): void => {
    length += name.length + value.length;
    if (length > MOST_TEXT)
      throw new Error(`the variables of container ${container.name} are too long: no program starts`);
    variables.set(name, value);
  };
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    for (const source of [...sourceOf('ConfigMap', configMapRef?.name), ...sourceOf('Secret', secretRef?.name)]) {
      for (const [key, value] of valuesOf(source) ?? []) set(`${prefix}${key}`, value);
    }
  }
  const expand = variableExpander((name) => variables.get(name) ?? services.get(name));
  for (const each of container.env ?? []) {
    const value = valueOf(each, pod, container, { valuesOf, expand });
    if (value !== undefined) set(each.name, value);
  }
  for (const [name, value] of services) if (!variables.has(name)) variables.set(name, value);
  return variables;
}

/** The most text that references may add, in characters: Linux' usual `ARG_MAX`. */
const MOST_EXPANDED = 2 * 1024 * 1024;

/**
 * Expands the texts of a container: `$(NAME)` is the value of a variable, `$$` a dollar sign; unknown names stay. So do names beyond
 * a limit, since no program starts with so much text, and each variable may double the one before. Upstream: `expansion.Expand`.
 */
export function variableExpander(valueOf: (name: string) => string | undefined): (text: string) => string {
  let left = MOST_EXPANDED;
  const replaced = (match: string, name: string | undefined): string => {
    if (name === undefined) return '$';
    const value = valueOf(name);
    if (value === undefined || value.length > left) return match;
    left -= value.length;
    return value;
  };
  return (text) => {
    // After it, the search for the end of each `$(` would find nothing.
    const end = text.lastIndexOf(')') + 1;
    return (
      text.slice(0, end).replaceAll(/\$(?:\$|\(([^)]*)\))/g, replaced) + text.slice(end).replaceAll('$$', () => '$')
    );
  };
}

interface ValueParts extends Required<Pick<EnvironmentParts, 'valuesOf'>> {
  readonly expand: (text: string) => string;
}

function valueOf(
  { value = '', valueFrom }: EnvVar,
  pod: Pod,
  container: Container,
  { valuesOf, expand }: ValueParts,
): string | undefined {
  if (valueFrom === undefined) return expand(value);
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  if (fieldRef !== undefined) return fieldOf(pod, fieldRef.fieldPath);
  if (resourceFieldRef !== undefined) return resourceOf(pod, container, resourceFieldRef);
  const [source] = [...sourceOf('ConfigMap', configMapKeyRef?.name), ...sourceOf('Secret', secretKeyRef?.name)];
  const key = (configMapKeyRef ?? secretKeyRef)?.key ?? '';
  return source === undefined ? undefined : valuesOf(source)?.get(key);
}

/** The text of a field of a pod, as the downward API has it; undefined: it has no such field. */
export function fieldOf({ metadata, spec, status }: Pod, path: string): string | undefined {
  const [, map, key = ''] = /^metadata\.(annotations|labels)\['(.*)'\]$/.exec(path) ?? [];
  if (map === 'annotations' || map === 'labels') return metadata[map]?.[key] ?? '';
  const list = (addresses: readonly { readonly ip?: string }[] = []): string =>
    addresses.map(({ ip = '' }) => ip).join(',');
  const fields: Readonly<Record<string, () => string | undefined>> = {
    'metadata.name': () => metadata.name,
    'metadata.namespace': () => metadata.namespace,
    'metadata.uid': () => metadata.uid,
    'metadata.labels': () => linesOf(metadata.labels),
    'metadata.annotations': () => linesOf(metadata.annotations),
    'spec.nodeName': () => spec?.nodeName,
    'spec.serviceAccountName': () => spec?.serviceAccountName,
    'status.hostIP': () => status?.hostIP,
    'status.hostIPs': () => list(status?.hostIPs),
    'status.podIP': () => status?.podIP,
    'status.podIPs': () => list(status?.podIPs),
  };
  return Object.hasOwn(fields, path) ? fields[path]?.() : undefined;
}

/** Upstream: `FormatMap`. */
const linesOf = (map: Readonly<Record<string, string>> = {}): string =>
  Object.entries(map)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');

interface ResourceSelector {
  readonly containerName?: string;
  readonly resource: string;
  readonly divisor?: string;
}

/** A request or limit of a container in units of the divisor, rounded up; '0' where it has none. Upstream: `ExtractContainerResourceValue`. */
export function resourceOf({ spec }: Pod, container: Container, selector: ResourceSelector): string | undefined {
  const { containers = [], initContainers = [] } = spec ?? {};
  const { containerName = container.name, resource, divisor = '0' } = selector;
  const { resources } = [container, ...containers, ...initContainers].find(({ name }) => name === containerName) ?? {};
  const [, kind = '', name = ''] = /^(requests|limits)\.(.+)$/.exec(resource) ?? [];
  if (kind === '') return undefined;
  const amount = Quantity.parse(resources?.[kind === 'limits' ? 'limits' : 'requests']?.[name] ?? '0').milliValue();
  const unit = Quantity.parse(divisor).milliValue();
  return String(divideUp(amount, unit === 0n ? 1000n : unit));
}

const divideUp = (amount: bigint, unit: bigint): bigint => (amount + unit - 1n) / unit;
