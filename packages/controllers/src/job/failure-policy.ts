import type {
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
} from '@binnacle/client/kinds/batch/v1';
import type { Pod } from '@binnacle/client/kinds/core/v1';

/** What a failure policy says about a pod. */
export interface FailureRuling {
  /** Undefined if no rule matches. */
  readonly action: PodFailurePolicyRule['action'] | undefined;
  /** Whether the failure counts towards back-off limits. */
  readonly counts: boolean;
  /** Why the whole Job fails; undefined if it does not. */
  readonly failsJob: string | undefined;
}

const noRuling: FailureRuling = { action: undefined, counts: true, failsJob: undefined };

/** The first rule that matches a failed pod decides. Upstream: `matchPodFailurePolicy`. */
export function rulingOn(policy: PodFailurePolicy | undefined, pod: Pod): FailureRuling {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const match = matchOf(rule, pod);
    if (match === undefined) continue;
    const { action } = rule;
    const failsJob = action === 'FailJob' ? `${match} matching ${action} rule at index ${index}` : undefined;
    return { action, counts: action !== 'Ignore', failsJob };
  }
  return noRuling;
}

/** Says what the rule has found; undefined if the rule does not match. */
function matchOf({ onExitCodes, onPodConditions }: PodFailurePolicyRule, pod: Pod): string | undefined {
  const { namespace = '', name = '' } = pod.metadata;
  if (onExitCodes !== undefined) {
    const exit = matchingExit(onExitCodes, pod);
    if (exit === undefined) return undefined;
    return `Container ${exit.container} for pod ${namespace}/${name} failed with exit code ${exit.code}`;
  }
  const condition = pod.status?.conditions?.find(({ type, status }) =>
    onPodConditions?.some((pattern) => pattern.type === type && (pattern.status ?? 'True') === status),
  );
  return condition && `Pod ${namespace}/${name} has condition ${condition.type}`;
}

function matchingExit(
  { containerName, operator, values }: PodFailurePolicyOnExitCodesRequirement,
  { status }: Pod,
): { readonly container: string; readonly code: number } | undefined {
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  for (const { name, state } of statuses) {
    const code = state?.terminated?.exitCode ?? 0;
    if (code === 0 || (containerName !== undefined && containerName !== name)) continue;
    if (values.includes(code) === (operator === 'In')) return { container: name, code };
  }
  return undefined;
}
