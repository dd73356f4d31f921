import { counterFacts, gaugeFacts, histogramFacts, type MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { AllocationObserver, AllocationUsage } from '../allocators/index.js';

const cidr = ['cidr'] as const;
const scope = ['scope'] as const;

/** Upstream: kubernetes `pkg/registry/core/service/ipallocator/metrics.go` and `portallocator/metrics.go`, release 1.36. */
export const allocationFacts = {
  allocatedIps: gaugeFacts(
    'kube_apiserver_clusterip_allocator_allocated_ips',
    'ALPHA',
    cidr,
    'Gauge measuring the number of allocated IPs for Services',
  ),
  availableIps: gaugeFacts(
    'kube_apiserver_clusterip_allocator_available_ips',
    'ALPHA',
    cidr,
    'Gauge measuring the number of available IPs for Services',
  ),
  ips: counterFacts(
    'kube_apiserver_clusterip_allocator_allocation_total',
    'ALPHA',
    [...cidr, ...scope],
    'Number of Cluster IPs allocations',
  ),
  ipErrors: counterFacts(
    'kube_apiserver_clusterip_allocator_allocation_errors_total',
    'ALPHA',
    [...cidr, ...scope],
    'Number of errors trying to allocate Cluster IPs',
  ),
  ipDuration: histogramFacts(
    'kube_apiserver_clusterip_allocator_allocation_duration_seconds',
    'ALPHA',
    cidr,
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    'Duration in seconds to allocate a Cluster IP by ServiceCIDR',
  ),
  allocatedPorts: gaugeFacts(
    'kube_apiserver_nodeport_allocator_allocated_ports',
    'ALPHA',
    [],
    'Gauge measuring the number of allocated NodePorts for Services',
  ),
  availablePorts: gaugeFacts(
    'kube_apiserver_nodeport_allocator_available_ports',
    'ALPHA',
    [],
    'Gauge measuring the number of available NodePorts for Services',
  ),
  ports: counterFacts(
    'kube_apiserver_nodeport_allocator_allocation_total',
    'ALPHA',
    scope,
    'Number of NodePort allocations',
  ),
  portErrors: counterFacts(
    'kube_apiserver_nodeport_allocator_allocation_errors_total',
    'ALPHA',
    scope,
    'Number of errors trying to allocate NodePort',
  ),
};

export function allocationMetrics(registry: MetricRegistry): AllocationObserver {
  const ips = registry.numbers(allocationFacts.ips);
  const ipErrors = registry.numbers(allocationFacts.ipErrors);
  const ipDuration = registry.histograms(allocationFacts.ipDuration);
  const ports = registry.numbers(allocationFacts.ports);
  const portErrors = registry.numbers(allocationFacts.portErrors);
  return {
    addressClaimed: (range, by, seconds) => {
      ips.with(range, by).value++;
      ipDuration.with(range).observe(seconds);
    },
    addressRefused: (range, by) => {
      ipErrors.with(range, by).value++;
    },
    portClaimed: (by) => {
      ports.with(by).value++;
    },
    portRefused: (by) => {
      portErrors.with(by).value++;
    },
  };
}

/** Reads at each scrape how much of the ranges is allocated. */
export function readAllocations(registry: MetricRegistry, usage: () => AllocationUsage): void {
  registry.readings(allocationFacts.allocatedIps, function* () {
    for (const [range, { allocated }] of usage().addresses) yield [[range], allocated];
  });
  registry.readings(allocationFacts.availableIps, function* () {
    for (const [range, { available }] of usage().addresses) yield [[range], available];
  });
  registry.readings(allocationFacts.allocatedPorts, function* () {
    const { ports } = usage();
    if (ports !== undefined) yield [[], ports.allocated];
  });
  registry.readings(allocationFacts.availablePorts, function* () {
    const { ports } = usage();
    if (ports !== undefined) yield [[], ports.available];
  });
}
