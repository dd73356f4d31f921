import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { RangeUsage } from '../allocators/index.js';
import { allocationMetrics, readAllocations } from './allocation-metrics.js';

it('the metrics of cluster IPs and node ports', async () => {
  const registry = new MetricRegistry();
  const observer = allocationMetrics(registry);
  observer.addressClaimed('10.0.0.0/24', 'dynamic', 0.02);
  observer.addressClaimed('10.0.0.0/24', 'static', 0.02);
  observer.addressRefused('10.0.0.0/24', 'static');
  observer.portClaimed('static');
  observer.portRefused('dynamic');
  const addresses = new Map([['10.0.0.0/24', { allocated: 2, available: 252 }]]);
  const usage: { addresses: typeof addresses; ports: RangeUsage | undefined } = { addresses, ports: undefined };
  readAllocations(registry, () => usage);
  assert.doesNotMatch(formatText(await registry.gather()), /_ports/);
  usage.ports = { allocated: 1, available: 2767 };
  const text = formatText(await registry.gather());
  for (const line of [
    'clusterip_allocator_allocated_ips{cidr="10.0.0.0/24"} 2',
    'clusterip_allocator_available_ips{cidr="10.0.0.0/24"} 252',
    'clusterip_allocator_allocation_total{cidr="10.0.0.0/24",scope="dynamic"} 1',
    'clusterip_allocator_allocation_total{cidr="10.0.0.0/24",scope="static"} 1',
    'clusterip_allocator_allocation_errors_total{cidr="10.0.0.0/24",scope="static"} 1',
    'clusterip_allocator_allocation_duration_seconds_bucket{cidr="10.0.0.0/24",le="0.025"} 2',
    'nodeport_allocator_allocated_ports 1',
    'nodeport_allocator_available_ports 2767',
    'nodeport_allocator_allocation_total{scope="static"} 1',
    'nodeport_allocator_allocation_errors_total{scope="dynamic"} 1',
  ]) {
    assert.ok(text.includes(`kube_apiserver_${line}\n`), line);
  }
});
