import type { AdmissionAttributes } from '../../plugin.js';
import type { LevelVersion, MODES } from './policy.js';

/** A write of a pod, or of an object with a template. */
export type JudgedRequest = Pick<AdmissionAttributes, 'operation' | 'resource' | 'subresource'>;

/** Observes PodSecurity. It must not throw. */
export interface PodSecurityObserver {
  /** A level denied a pod or template, or the enforced level allowed it. Levels of other modes report no allowance, like upstream. */
  evaluated(
    request: JudgedRequest,
    decision: 'allow' | 'deny',
    level: LevelVersion,
    mode: (typeof MODES)[number],
  ): void;
  /** A pod or template was passed because its namespace, user or runtime class is exempt. */
  exempt(request: JudgedRequest): void;
  /** The labels of the namespace are invalid, so the strictest level counted. */
  invalidLabels(request: JudgedRequest): void;
}
