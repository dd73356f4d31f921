import { duplicate, type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import { invalidFor, validatePortName, validatePortNumber } from '@binnacle/apimachinery/validation';
import type { Container, ContainerPort, PodSpec } from '../../generated/types/core-v1.js';
import { each, list, requireOneOf } from '../common.js';

// Upstream: `validateContainerPorts` and related rules.

export const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

export function validateContainerPorts(ports: readonly ContainerPort[] | undefined, field: string): FieldError[] {
  const names = new Set<string>();
  return each(ports, field, (port, path) => [
    ...portName(port.name ?? '', names, `${path}.name`),
    ...(port.containerPort
      ? invalidFor(`${path}.containerPort`, port.containerPort, validatePortNumber(port.containerPort))
      : [required(`${path}.containerPort`, '')]),
    ...(port.hostPort ? invalidFor(`${path}.hostPort`, port.hostPort, validatePortNumber(port.hostPort)) : []),
    ...requireOneOf(port.protocol, PROTOCOLS, `${path}.protocol`),
  ]);
}

function portName(name: string, names: Set<string>, field: string): FieldError[] {
  if (name === '') return [];
  const messages = validatePortName(name);
  if (messages.length > 0) return invalidFor(field, name, messages);
  if (names.has(name)) return [duplicate(field, name)];
  names.add(name);
  return [];
}

/** No two containers of the list may bind the same host port. */
export function validateHostPortConflicts(containers: readonly Container[], field: string): FieldError[] {
  const taken = new Set<string>();
  return each(containers, field, (container, path) =>
    each(container.ports, `${path}.ports`, (port, portPath) => {
      if (!port.hostPort) return [];
      const binding = `${port.protocol ?? ''}/${port.hostIP ?? ''}/${port.hostPort}`;
      if (taken.has(binding)) return [duplicate(`${portPath}.hostPort`, binding)];
      taken.add(binding);
      return [];
    }),
  );
}

/**
 * On the host network a container's port is the host port. Templates may leave hostPort unset, as defaulting sets it.
 */
export function validateHostNetworkPorts(spec: PodSpec, field: string, isPod: boolean): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  return each(spec.containers, `${field}.containers`, (container, path) =>
    each(container.ports, `${path}.ports`, (port, portPath) => {
      const hostPort = port.hostPort ?? 0;
      if (hostPort === port.containerPort || (hostPort === 0 && !isPod)) return [];
      const detail = 'must match `containerPort` when `hostNetwork` is true';
      return [invalidValue(`${portPath}.hostPort`, hostPort, detail)];
    }),
  );
}

/** A port number, or the name of a container's port. */
export function validatePortReference(port: number | string | undefined, field: string): FieldError[] {
  const value = port ?? 0;
  return invalidFor(field, value, typeof value === 'string' ? validatePortName(value) : validatePortNumber(value));
}

export function containersOf(spec: PodSpec): readonly Container[] {
  return list(spec.containers);
}
