import type { PodSpec } from '@binnacle/api/types/core-v1';
import type { ObjectMeta } from '@binnacle/apimachinery/meta';
import { baselineChecks } from './baseline-checks.js';
import type { Finding } from './check.js';
import type { LevelVersion } from './policy.js';
import { restrictedChecks } from './restricted-checks.js';

/** The violations of a level by a pod; empty when the pod is allowed. Upstream: `policy.Evaluator`. */
export function evaluatePod(
  level: LevelVersion,
  metadata: Readonly<ObjectMeta> | undefined,
  spec: PodSpec,
): readonly Finding[] {
  if (level.level === 'privileged') return [];
  const restricted = level.level === 'restricted' ? restrictedChecks : [];
  const inForce = restricted.filter(({ versions }) => (versions[0]?.since ?? 0) <= level.minor);
  const replaced = new Set(inForce.map(({ replaces }) => replaces));
  const checks = [...baselineChecks.filter(({ id }) => !replaced.has(id)), ...inForce];
  const pod = { annotations: metadata?.annotations ?? {}, spec };
  return checks.flatMap(({ versions }) => versions.findLast(({ since }) => since <= level.minor)?.find(pod) ?? []);
}

/** `hostPort (container "a" uses hostPort 80), privileged (...)` */
export function describeFindings(findings: readonly Finding[]): string {
  return findings.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}
