import type { Pod } from '@binnacle/api/types/core-v1';
import { evaluatePod } from './evaluate.js';
import { formatLevel, type LevelVersion } from './policy.js';

/** The number of pods to evaluate when a level changes. Upstream: `defaultNamespaceMaxPodsToCheck`. */
const MAXIMUM = 3000;

/**
 * The warnings about existing pods when a namespace begins to enforce a level, in upstream's words. Pods with an exempt
 * runtime class are left out.
 */
export function warningsOfPods(
  namespace: string,
  all: readonly Readonly<Pod>[],
  level: LevelVersion,
  exemptClasses: ReadonlySet<string>,
): string[] {
  const pods = all.filter(({ spec }) => !exemptClasses.has(spec?.runtimeClassName ?? ''));
  const checked = [...pods].sort((a, b) => Number(isCopy(a)) - Number(isCopy(b))).slice(0, MAXIMUM);
  const podsByReason = new Map<string, string[]>();
  for (const { metadata, spec } of checked) {
    const findings = spec === undefined ? [] : evaluatePod(level, metadata, spec);
    if (findings.length === 0) continue;
    const reason = findings.map((finding) => finding.reason).join(', ');
    const names = podsByReason.get(reason);
    if (names === undefined) podsByReason.set(reason, [metadata?.name ?? '']);
    else names.push(metadata?.name ?? '');
  }
  const warnings = [...podsByReason].map(([reason, names]) => `${first(names)}: ${reason}`).sort();
  return [
    ...(checked.length < pods.length
      ? [
          `new PodSecurity enforce level only checked against the first ${checked.length} of ${pods.length} existing pods`,
        ]
      : []),
    ...(warnings.length === 0
      ? []
      : [
          `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${formatLevel(level)}"`,
        ]),
    ...warnings,
  ];
}

/** Pods of one controller are alike, so pods without a controller are evaluated first. */
function isCopy({ metadata }: Readonly<Pod>): boolean {
  return (metadata?.ownerReferences ?? []).some(({ controller }) => controller === true);
}

function first(names: readonly string[]): string {
  const [name = ''] = [...names].sort();
  const others = names.length - 1;
  if (others === 0) return name;
  return `${name} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}
