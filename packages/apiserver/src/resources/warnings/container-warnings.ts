import type { Container, ContainerPort, EphemeralContainer, PodSpec } from '@binnacle/api/types/core-v1';
import { Quantity } from '@binnacle/apimachinery/quantity';

// Upstream: kubernetes `pkg/api/pod/warnings.go`.

type AnyContainer = Container | EphemeralContainer;

/** Bounds the comparison of ports. No real pod has this many ports with one number. */
const MAXIMUM_PORT_COMPARISONS = 10_000;

const WHOLE_AMOUNTS = ['memory', 'ephemeral-storage'];

/** All containers with their paths, in upstream's order. */
export function containersOf(spec: PodSpec, field: string): [path: string, container: AnyContainer][] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((name) =>
    (spec[name] ?? []).map((each, index): [string, AnyContainer] => [`${field}.${name}[${index}]`, each]),
  );
}

/** Warnings for byte quantities that are not integers. */
export function fractionWarnings(amounts: Readonly<Record<string, string>> | undefined, field: string): string[] {
  return WHOLE_AMOUNTS.flatMap((name) => {
    const amount = amounts !== undefined && Object.hasOwn(amounts, name) ? amounts[name] : undefined;
    return amount === undefined ? [] : fractionWarning(amount, `${field}[${name}]`);
  });
}

/** The warning for one byte quantity. */
export function fractionWarning(amount: string, field: string): string[] {
  const quantity = Quantity.parse(amount);
  if (quantity.milliValue() % 1000n === 0n) return [];
  return [`${field}: fractional byte value ${JSON.stringify(quantity.toString())} is invalid, must be an integer`];
}

/** Warnings for a variable that hides an earlier one of its name without using it. */
export function environmentWarnings({ env = [] }: AnyContainer, field: string): string[] {
  const names = new Set<string>();
  return env.flatMap(({ name, value = '', valueFrom }, index) => {
    const isFirst = !names.has(name);
    names.add(name);
    const reference = `$(${name})`;
    if (isFirst || (valueFrom === undefined && value !== reference && value.includes(reference))) return [];
    const text = `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
    return [`${field}.env[${index}]: ${text}`];
  });
}

interface PlacedPort {
  readonly field: string;
  readonly port: ContainerPort;
}

/** Warnings for ports of all containers that conflict or look wrong. */
export function portWarnings(containers: readonly (readonly [path: string, container: AnyContainer])[]): string[] {
  const warnings: string[] = [];
  const placed = new Map<string, PlacedPort[]>();
  let comparisons = 0;
  for (const [path, { ports = [] }] of containers) {
    for (const [index, port] of ports.entries()) {
      const field = `${path}.ports[${index}]`;
      if (port.hostIP && !port.hostPort) warnings.push(`${field}: hostIP set without hostPort: ${goText(port)}`);
      const key = `${port.containerPort}/${port.protocol ?? ''}`;
      const others = placed.get(key) ?? [];
      comparisons += others.length;
      if (comparisons > MAXIMUM_PORT_COMPARISONS) return warnings;
      for (const other of others) {
        const clash = clashOf(port, other.port);
        if (clash !== undefined) warnings.push(`${field}: ${clash} port definition with ${other.field}`);
      }
      others.push({ field, port });
      placed.set(key, others);
    }
  }
  return warnings;
}

function clashOf(a: ContainerPort, b: ContainerPort): string | undefined {
  const [hostPort, otherPort] = [a.hostPort ?? 0, b.hostPort ?? 0];
  const [hostIp, otherIp] = [a.hostIP ?? '', b.hostIP ?? ''];
  if (hostIp === otherIp && hostPort === otherPort) return 'duplicate';
  if (hostPort === 0 || otherPort === 0) return 'overlapping';
  return hostPort === otherPort && (hostIp === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined;
}

/** The struct as Go prints it. */
function goText({ name = '', hostPort = 0, containerPort, protocol = '', hostIP = '' }: ContainerPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}
