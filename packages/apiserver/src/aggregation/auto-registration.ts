import type { RegisteredService } from './registered-service.js';

/** An APIService that this server wants to exist for a group and version that it serves itself. */
export interface DesiredService {
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  /** `onstart`: it is created or corrected once, after a start. `true`: it is kept as it is. */
  readonly managed: 'onstart' | 'true';
}

/** The facts about an APIService that its current state does not show. */
export interface RegistrationHistory {
  /** Whether the name has been brought to the desired state since the start. */
  readonly wasSynced: boolean;
  /** Whether the object existed at the start. */
  readonly existedAtStart: boolean;
}

export type RegistrationStep = 'create' | 'update' | 'delete' | 'nothing';

/**
 * What to do about an APIService.
 * Upstream: kube-aggregator `autoregister_controller.go`, whose table of cases it follows.
 */
export function registrationStep(
  desired: DesiredService | undefined,
  current: RegisteredService | undefined,
  { wasSynced, existedAtStart }: RegistrationHistory,
): RegistrationStep {
  if (desired?.managed === 'onstart' && wasSynced) return 'nothing';
  if (current === undefined) return desired === undefined ? 'nothing' : 'create';
  if (current.managed !== 'onstart' && current.managed !== 'true') return 'nothing';
  if (current.managed === 'onstart' && (!existedAtStart || wasSynced)) return 'nothing';
  if (desired === undefined) return 'delete';
  return isAsDesired(desired, current) ? 'nothing' : 'update';
}

function isAsDesired(desired: DesiredService, current: RegisteredService): boolean {
  return (
    current.backend === undefined &&
    current.group === desired.group &&
    current.version === desired.version &&
    current.groupPriority === desired.groupPriority &&
    current.versionPriority === desired.versionPriority
  );
}
