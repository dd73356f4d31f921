import type { LoopSettings } from '@binnacle/controllers';
import type { StartConfig } from './options/config.js';
import type { ServerCredentials } from './credentials.js';
import type { InputFiles } from './input-files.js';

/**
 * The settings of a server's control loops. They sign with its authority and its token key, unless the user gives
 * others.
 */
export function loopSettingsOf(
  config: StartConfig,
  { clusterSigning }: InputFiles,
  { certificates, keys }: ServerCredentials,
): LoopSettings {
  return {
    nodeMonitorPeriodMs: config.nodeMonitorPeriodMs,
    nodeMonitorGracePeriodMs: config.nodeMonitorGracePeriodMs,
    nodeStartupGracePeriodMs: config.nodeStartupGracePeriodMs,
    nodeEvictionRate: config.nodeEvictionRate,
    secondaryNodeEvictionRate: config.secondaryNodeEvictionRate,
    unhealthyZoneThreshold: config.unhealthyZoneThreshold,
    largeClusterSizeThreshold: config.largeClusterSizeThreshold,
    kubeApiQps: config.kubeApiQps,
    kubeApiBurst: config.kubeApiBurst,
    horizontalPodAutoscalerSyncPeriodMs: config.horizontalPodAutoscalerSyncPeriodMs,
    horizontalPodAutoscalerDownscaleStabilizationMs: config.horizontalPodAutoscalerDownscaleStabilizationMs,
    horizontalPodAutoscalerTolerance: config.horizontalPodAutoscalerTolerance,
    horizontalPodAutoscalerCpuInitializationPeriodMs: config.horizontalPodAutoscalerCpuInitializationPeriodMs,
    horizontalPodAutoscalerInitialReadinessDelayMs: config.horizontalPodAutoscalerInitialReadinessDelayMs,
    terminatedPodGcThreshold: config.terminatedPodGcThreshold,
    enableHostPathProvisioner: config.enableHostPathProvisioner,
    allocateNodeCidrs: config.allocateNodeCidrs,
    clusterCidr: config.clusterCidr,
    nodeCidrMaskSize: config.nodeCidrMaskSize,
    nodeCidrMaskSizeIPv4: config.nodeCidrMaskSizeIPv4,
    nodeCidrMaskSizeIPv6: config.nodeCidrMaskSizeIPv6,
    serviceClusterIPRange: config.serviceClusterIPRange,
    clusterSigning: clusterSigning ?? certificates.authority,
    clusterSigningDurationMs: config.clusterSigningDurationMs,
    legacyTokenCleanUpPeriodMs: config.legacyTokenCleanUpPeriodMs,
    signToken: async (claims) => {
      const [{ signing }, { signToken }] = await Promise.all([keys(), import('@binnacle/apiserver/serviceaccounts')]);
      return signToken(claims, signing);
    },
  };
}
