import type { ServicePort, ServiceSpec } from '@binnacle/api/types/core-v1';
import { internalError, invalid, invalidValue, type StatusError, unclassified } from '@binnacle/apimachinery/status';
import { hasHealthCheckPort, hasNodePorts, nodePortsOf } from '../resources/index.js';
import type { PortChooser } from './port-chooser.js';

/** The node ports that a service needs. Planning does not modify the service. */
export interface PortPlan {
  /** By index of the service's port; 0 means none. */
  readonly nodePorts: readonly number[];
  readonly healthCheckNodePort: number | undefined;
  /** Release these after the write succeeds. */
  readonly released: readonly number[];
}

/** Whether the service needs the bitmap at all. */
export function needsPorts(spec: Readonly<ServiceSpec>, old: Readonly<ServiceSpec> | undefined): boolean {
  return hasNodePorts(spec) || (old !== undefined && hasNodePorts(old));
}

/**
 * Plans the ports of a new service. Ports that differ only in protocol share a node port.
 * Upstream: kubernetes `pkg/registry/core/service/storage/alloc.go` initNodePorts.
 */
export function planForCreate(name: string, spec: Readonly<ServiceSpec>, chooser: PortChooser): PortPlan {
  const ports = hasNodePorts(spec) ? (spec.ports ?? []) : [];
  const nodePorts = (spec.ports ?? []).map((port) => port.nodePort ?? 0);
  const byPort = new Map<number, number>();
  for (const [index, { port }] of ports.entries()) {
    const own = nodePorts[index] ?? 0;
    if (own === 0 && !wantsNodePorts(spec)) continue;
    const shared = byPort.get(port);
    if (shared === undefined) {
      const wanted = requestedFor(port, ports);
      const chosen = wanted === 0 ? any(chooser) : take(name, index, wanted, chooser);
      nodePorts[index] = chosen;
      byPort.set(port, chosen);
    } else if (own === 0) nodePorts[index] = shared;
    else if (own !== shared) take(name, index, own, chooser);
  }
  const healthCheckNodePort = hasHealthCheckPort(spec) ? healthCheckPort(spec, chooser) : undefined;
  return { nodePorts, healthCheckNodePort, released: [] };
}

/** Plans the ports of an updated service. Upstream: the same file, txnUpdateNodePorts. */
export function planForUpdate(
  name: string,
  spec: Readonly<ServiceSpec>,
  old: Readonly<ServiceSpec>,
  chooser: PortChooser,
): PortPlan {
  const before = nodePortsOf(old);
  const released: number[] = hasNodePorts(old) && !hasNodePorts(spec) ? [...before] : [];
  let nodePorts = (spec.ports ?? []).map((port) => port.nodePort ?? 0);
  if (hasNodePorts(spec)) {
    nodePorts = changedNodePorts(name, spec, before, chooser);
    released.push(...before.filter((port) => !nodePorts.includes(port)));
  }
  let healthCheckNodePort: number | undefined;
  if (hasHealthCheckPort(spec) && !hasHealthCheckPort(old)) healthCheckNodePort = healthCheckPort(spec, chooser);
  if (!hasHealthCheckPort(spec) && hasHealthCheckPort(old) && old.healthCheckNodePort)
    released.push(old.healthCheckNodePort);
  return { nodePorts, healthCheckNodePort, released };
}

export function applyPlan(spec: ServiceSpec, plan: PortPlan): void {
  for (const [index, port] of (spec.ports ?? []).entries()) {
    const nodePort = plan.nodePorts[index] ?? 0;
    if (nodePort !== 0) port.nodePort = nodePort;
  }
  if (plan.healthCheckNodePort !== undefined) spec.healthCheckNodePort = plan.healthCheckNodePort;
}

/** Every node port that a stored service holds. */
export function portsHeldBy(spec: Readonly<ServiceSpec>): number[] {
  const health = hasHealthCheckPort(spec) ? (spec.healthCheckNodePort ?? 0) : 0;
  return [...nodePortsOf(spec), ...(health === 0 ? [] : [health])];
}

function changedNodePorts(
  name: string,
  spec: Readonly<ServiceSpec>,
  before: readonly number[],
  chooser: PortChooser,
): number[] {
  const taken = new Set(before);
  const seen = new Set<string>();
  return (spec.ports ?? []).map((port, index) => {
    let nodePort = port.nodePort ?? 0;
    if (nodePort === 0 && !wantsNodePorts(spec)) return 0;
    if (nodePort === 0) nodePort = any(chooser);
    else if (!taken.has(nodePort)) {
      take(name, index, nodePort, chooser);
      taken.add(nodePort);
    }
    const use = `{${port.protocol ?? ''} ${nodePort}}`;
    if (seen.has(use)) throw unclassified(`duplicate nodePort: ${use}`);
    seen.add(use);
    return nodePort;
  });
}

/** A load balancer may opt out; then only explicitly requested ports are claimed. */
function wantsNodePorts(spec: Readonly<ServiceSpec>): boolean {
  return spec.type === 'NodePort' || spec.allocateLoadBalancerNodePorts !== false;
}

function requestedFor(port: number, ports: readonly ServicePort[]): number {
  return ports.find((candidate) => candidate.port === port && candidate.nodePort)?.nodePort ?? 0;
}

function take(name: string, index: number, nodePort: number, chooser: PortChooser): number {
  const problem = chooser.take(nodePort);
  if (problem !== undefined) throw refusal(name, index, nodePort, problem);
  return nodePort;
}

function refusal(name: string, index: number, nodePort: number, problem: string): StatusError {
  return invalid({ group: '', kind: 'Service' }, name, [
    invalidValue(`spec.ports[${index}].nodePort`, nodePort, problem),
  ]);
}

function any(chooser: PortChooser): number {
  const port = chooser.takeAny();
  if (port === undefined) throw internalError('failed to allocate a nodePort: range is full');
  return port;
}

function healthCheckPort(spec: Readonly<ServiceSpec>, chooser: PortChooser): number {
  const wanted = spec.healthCheckNodePort ?? 0;
  if (wanted === 0) {
    const port = chooser.takeAny();
    if (port === undefined) throw unclassified('failed to allocate a HealthCheck NodePort 0: range is full');
    return port;
  }
  const problem = chooser.take(wanted);
  if (problem !== undefined)
    throw unclassified(`failed to allocate requested HealthCheck NodePort ${wanted}: ${problem}`);
  return wanted;
}
