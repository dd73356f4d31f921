import type { LoopSettings } from '../loop/index.js';

/** Durations are milliseconds. */
export interface AutoscalerSettings {
  readonly syncPeriod: number;
  readonly downscaleStabilization: number;
  /** The share by which the usage may differ from its target without a change. */
  readonly tolerance: number;
  readonly cpuInitialization: number;
  readonly initialReadiness: number;
}

export function settingsOf(settings: LoopSettings): AutoscalerSettings {
  return {
    syncPeriod: settings.horizontalPodAutoscalerSyncPeriodMs ?? 15_000,
    downscaleStabilization: settings.horizontalPodAutoscalerDownscaleStabilizationMs ?? 300_000,
    tolerance: settings.horizontalPodAutoscalerTolerance ?? 0.1,
    cpuInitialization: settings.horizontalPodAutoscalerCpuInitializationPeriodMs ?? 300_000,
    initialReadiness: settings.horizontalPodAutoscalerInitialReadinessDelayMs ?? 30_000,
  };
}
