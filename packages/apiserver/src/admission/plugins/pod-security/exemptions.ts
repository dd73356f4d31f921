import { quoteGo } from '@binnacle/apimachinery/status';
import { formatLevel, isEquivalent, isPrivileged, labelOf, MODES, type Policy, PRIVILEGED_POLICY } from './policy.js';

/** What the administrator configures. */
export interface PodSecuritySettings {
  /** The policy of namespaces without labels. */
  readonly defaults: Policy;
  /** Whose pods are not checked: users and namespaces, and pods with a runtime class. */
  readonly exemptions: {
    readonly usernames: ReadonlySet<string>;
    readonly namespaces: ReadonlySet<string>;
    readonly runtimeClasses: ReadonlySet<string>;
  };
}

export const DEFAULT_SETTINGS: PodSecuritySettings = {
  defaults: PRIVILEGED_POLICY,
  exemptions: { usernames: new Set(), namespaces: new Set(), runtimeClasses: new Set() },
};

/**
 * The warning for an exempt namespace whose labels ask for a policy; undefined: they ask for none.
 * Upstream: `exemptNamespaceWarning`.
 */
export function exemptNamespaceWarning(
  namespace: string,
  policy: Policy,
  labels: Readonly<Record<string, string>> | undefined,
  defaults: Policy,
): string | undefined {
  if (isPrivileged(policy) || isEquivalent(policy, defaults)) return undefined;
  const asked = MODES.filter(
    (mode) =>
      policy[mode].level !== 'privileged' &&
      (labelOf(labels, mode) !== undefined || labelOf(labels, `${mode}-version`) !== undefined),
  );
  const shown = asked.map((mode) => `${mode}=${formatLevel(policy[mode])}`).join(', ');
  return `namespace ${quoteGo(namespace)} is exempt from Pod Security, and the policy (${shown}) will be ignored`;
}
