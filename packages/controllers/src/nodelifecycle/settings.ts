import type { LoopSettings } from '../loop/index.js';

/** Durations are milliseconds, rates are nodes a second. */
export interface NodeLifecycleSettings {
  readonly monitorPeriod: number;
  readonly monitorGrace: number;
  readonly startupGrace: number;
  readonly evictionRate: number;
  readonly secondaryEvictionRate: number;
  readonly largeClusterThreshold: number;
  readonly unhealthyZoneThreshold: number;
  readonly hasHeartbeat: (node: string) => boolean;
}

/** A pass takes time, too. */
const LEAST_PERIOD = 100;

/** Fills in upstream's defaults. Upstream: kubernetes `pkg/controller/nodelifecycle/config/v1alpha1`. */
export function settingsOf(settings: LoopSettings): NodeLifecycleSettings {
  return {
    monitorPeriod: Math.max(settings.nodeMonitorPeriodMs ?? 5000, LEAST_PERIOD),
    monitorGrace: settings.nodeMonitorGracePeriodMs ?? 50_000,
    startupGrace: settings.nodeStartupGracePeriodMs ?? 60_000,
    evictionRate: settings.nodeEvictionRate ?? 0.1,
    secondaryEvictionRate: settings.secondaryNodeEvictionRate ?? 0.01,
    largeClusterThreshold: settings.largeClusterSizeThreshold ?? 50,
    unhealthyZoneThreshold: settings.unhealthyZoneThreshold ?? 0.55,
    hasHeartbeat: settings.hasHeartbeat ?? (() => false),
  };
}
