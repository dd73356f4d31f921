import type { EventLimit } from './plugins/event-rate-limit.js';
import type { PodSecuritySettings } from './plugins/pod-security/exemptions.js';
import type { TolerationSettings } from './plugins/pod-toleration-restriction.js';
import type { LimitedResource } from './plugins/quota/limited-resources.js';

/** What the administrator configures of the plugins. An absent part has upstream's default. */
export interface AdmissionSettings {
  readonly podSecurity?: PodSecuritySettings | undefined;
  /** EventRateLimit runs only with at least one. */
  readonly eventLimits?: readonly EventLimit[] | undefined;
  /** The resources that need a quota. */
  readonly limitedResources?: readonly LimitedResource[] | undefined;
  /** Label selectors by namespace, and that of all other namespaces under `clusterDefaultNodeSelector`. */
  readonly nodeSelectors?: ReadonlyMap<string, string> | undefined;
  readonly tolerations?: TolerationSettings | undefined;
}
