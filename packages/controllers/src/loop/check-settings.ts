import type { LoopSettings } from './loop-settings.js';
import { nodeBlocksOf } from './node-blocks.js';
import { SettingsError } from './settings-error.js';

/** Autoscalers that look at their metrics more often leave the server no time. */
const LEAST_SYNC_PERIOD = 100;

/** Throws a {@link SettingsError} for settings that loops cannot obey. */
export function checkSettings(settings: LoopSettings): void {
  const { nodeMonitorPeriodMs = 5000, horizontalPodAutoscalerSyncPeriodMs = 15_000 } = settings;
  if (!(nodeMonitorPeriodMs > 0)) throw new SettingsError('--node-monitor-period must be more than 0');
  if (!(horizontalPodAutoscalerSyncPeriodMs >= LEAST_SYNC_PERIOD)) {
    throw new SettingsError('--horizontal-pod-autoscaler-sync-period must be 100ms or more');
  }
  checkNumbers(settings);
  if (settings.allocateNodeCidrs === true && settings.clusterCidr === undefined) {
    throw new SettingsError('--allocate-node-cidrs needs --cluster-cidr');
  }
  if (settings.clusterCidr !== undefined) nodeBlocksOf(settings);
}

function checkNumbers(settings: LoopSettings): void {
  const atLeastZero = [
    ['node-eviction-rate', settings.nodeEvictionRate],
    ['secondary-node-eviction-rate', settings.secondaryNodeEvictionRate],
    ['horizontal-pod-autoscaler-tolerance', settings.horizontalPodAutoscalerTolerance],
    ['horizontal-pod-autoscaler-downscale-stabilization', settings.horizontalPodAutoscalerDownscaleStabilizationMs],
    ['horizontal-pod-autoscaler-cpu-initialization-period', settings.horizontalPodAutoscalerCpuInitializationPeriodMs],
    ['horizontal-pod-autoscaler-initial-readiness-delay', settings.horizontalPodAutoscalerInitialReadinessDelayMs],
  ] as const;
  for (const [flag, value = 0] of atLeastZero) {
    if (!(value >= 0 && value < Infinity)) throw new SettingsError(`--${flag} must be 0 or more`);
  }
  const counts = [
    ['large-cluster-size-threshold', settings.largeClusterSizeThreshold],
    ['terminated-pod-gc-threshold', settings.terminatedPodGcThreshold],
    ['node-cidr-mask-size', settings.nodeCidrMaskSize],
    ['node-cidr-mask-size-ipv4', settings.nodeCidrMaskSizeIPv4],
    ['node-cidr-mask-size-ipv6', settings.nodeCidrMaskSizeIPv6],
  ] as const;
  for (const [flag, value = 0] of counts) {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new SettingsError(`--${flag} must be a whole number, 0 or more`);
  }
  const { unhealthyZoneThreshold: share = 0 } = settings;
  if (!(share >= 0 && share <= 1)) throw new SettingsError('--unhealthy-zone-threshold must be from 0 to 1');
}
