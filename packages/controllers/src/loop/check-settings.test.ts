import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkSettings, type LoopSettings } from './index.js';

describe('the settings of loops', () => {
  for (const settings of [
    {},
    {
      nodeEvictionRate: 0,
      unhealthyZoneThreshold: 1,
      terminatedPodGcThreshold: 0,
      horizontalPodAutoscalerTolerance: 2,
    },
    { clusterCidr: '10.1.0.0/16', nodeCidrMaskSize: 26 },
    { clusterCidr: '10.1.0.0/16', nodeCidrMaskSize: 0 },
    { clusterCidr: '10.1.0.0/16, fd00:1::/56', nodeCidrMaskSizeIPv4: 32, nodeCidrMaskSizeIPv6: 72 },
  ] satisfies LoopSettings[]) {
    it(`can be ${JSON.stringify(settings)}`, () => checkSettings(settings));
  }

  for (const [settings, fault] of [
    [{ nodeMonitorPeriodMs: 0 }, /--node-monitor-period must be more than 0/],
    [{ horizontalPodAutoscalerSyncPeriodMs: 99 }, /--horizontal-pod-autoscaler-sync-period must be 100ms or more/],
    [{ nodeEvictionRate: -1 }, /--node-eviction-rate must be 0 or more/],
    [{ secondaryNodeEvictionRate: Number.NaN }, /--secondary-node-eviction-rate must be 0 or more/],
    [{ horizontalPodAutoscalerTolerance: Infinity }, /--horizontal-pod-autoscaler-tolerance must be 0 or more/],
    [{ unhealthyZoneThreshold: 1.1 }, /--unhealthy-zone-threshold must be from 0 to 1/],
    [{ terminatedPodGcThreshold: 0.5 }, /--terminated-pod-gc-threshold must be a whole number/],
    [{ allocateNodeCidrs: true }, /--allocate-node-cidrs needs --cluster-cidr/],
    [{ clusterCidr: '' }, /--cluster-cidr "" is not a CIDR/],
    [{ clusterCidr: '10.1.0.0/16,10.2.0.0/16' }, /one range, or one of each family/],
    [{ clusterCidr: '10.1.0.0/25' }, /cannot be divided into blocks of \/24: give --node-cidr-mask-size from 25 to 32/],
    [{ clusterCidr: '10.0.0.0/8', nodeCidrMaskSize: 25 }, /from 8 to 24/],
    [{ clusterCidr: 'fd00::/32' }, /from 32 to 48/],
    [{ clusterCidr: '10.1.0.0/16,fd00:1::/48', nodeCidrMaskSize: 24 }, /not allowed with dual-stack clusters/],
    [{ clusterCidr: '10.1.0.0/16', nodeCidrMaskSize: 24, nodeCidrMaskSizeIPv4: 24 }, /if --node-cidr-mask-size is set/],
    [{ clusterCidr: '10.1.0.0/16', nodeCidrMaskSizeIPv6: 64 }, /without an IPv6 range in --cluster-cidr/],
  ] as const) {
    it(`cannot be ${JSON.stringify(settings)}`, () => assert.throws(() => checkSettings(settings), fault));
  }
});
