import type { Container, PodSpec } from '@binnacle/api/types/core-v1';
import type { Level } from './policy.js';

/** A violation of one check by a pod: `hostPort (container "a" uses hostPort 80)`. */
export interface Finding {
  readonly reason: string;
  readonly detail: string;
}

export interface PodToCheck {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

export interface Check {
  /** Findings are reported in the order of ids, those of the baseline first. */
  readonly id: string;
  readonly level: Exclude<Level, 'privileged'>;
  /** Oldest first. Each rule applies from its minor version of the policy on. */
  readonly versions: readonly {
    readonly since: number;
    readonly find: (pod: PodToCheck) => Finding | undefined;
  }[];
  /** The baseline check that this one replaces. */
  readonly replaces?: string;
}

/** All containers, in the order of upstream's messages. */
export function containersOf(spec: PodSpec): readonly Container[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
}

export function namesOf(containers: readonly Container[]): readonly string[] {
  return containers.map(({ name }) => name);
}

/** `"a", "b"` */
export function quoted(items: readonly string[]): string {
  return items.map((item) => `"${item}"`).join(', ');
}

/** `"a", "b"`, sorted and without duplicates. */
export function quotedSet(items: Iterable<string>): string {
  return quoted([...new Set(items)].sort());
}

export function plural(one: string, many: string, count: number): string {
  return count === 1 ? one : many;
}

/** `container "a"`, `containers "a", "b"` */
export function named(names: readonly string[]): string {
  return `${plural('container', 'containers', names.length)} ${quoted(names)}`;
}

/** `pod and containers "a", "b"` */
export function setters(pod: boolean, containerNames: readonly string[]): string {
  return [...(pod ? ['pod'] : []), ...(containerNames.length === 0 ? [] : [named(containerNames)])].join(' and ');
}

/** Windows pods lack the fields that some checks require. */
export function unlessWindows(find: Check['versions'][number]['find']): Check['versions'][number]['find'] {
  return (pod) => (pod.spec.os?.name === 'windows' ? undefined : find(pod));
}

/** In a user namespace, the root user of a pod is unprivileged on the node. */
export function unlessUserNamespace(find: Check['versions'][number]['find']): Check['versions'][number]['find'] {
  return (pod) => (pod.spec.hostUsers === false ? undefined : find(pod));
}
