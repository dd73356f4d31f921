import type { LoopSettings } from '@binnacle/controllers';
import type { StartOptions } from './options.js';

/** The options that the control loops know. */
export function loopSettingsOf(options: StartOptions): LoopSettings {
  return {
    nodeMonitorPeriodMs: options.nodeMonitorPeriodMs,
    nodeMonitorGracePeriodMs: options.nodeMonitorGracePeriodMs,
    nodeStartupGracePeriodMs: options.nodeStartupGracePeriodMs,
    kubeApiQps: options.kubeApiQps,
    kubeApiBurst: options.kubeApiBurst,
    horizontalPodAutoscalerSyncPeriodMs: options.horizontalPodAutoscalerSyncPeriodMs,
    enableHostPathProvisioner: options.enableHostPathProvisioner,
  };
}
