import type { PodSpec } from '@binnacle/api/types/core-v1';
import type { ObjectMeta } from '@binnacle/apimachinery/meta';
import { type FieldError, formatFieldErrors } from '@binnacle/apimachinery/status';
import type { AdmissionAttributes } from '../../plugin.js';
import { refusal } from '../../refuse.js';
import { describeFindings, evaluatePod } from './evaluate.js';
import type { PodSecurityObserver } from './observer.js';
import { formatLevel, type LevelVersion, type Policy } from './policy.js';

/** The prefix of its annotations of audit events. */
export const ANNOTATION_PREFIX = 'pod-security.kubernetes.io/';

/** A pod, or the template of one. */
export interface PodForm {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?: PodSpec | undefined;
}

interface AppliedPolicy {
  readonly policy: Policy;
  /** What is wrong with the labels of the namespace. */
  readonly errors: readonly FieldError[];
  /** Whether a violation is refused; templates are not. */
  readonly enforced: boolean;
  readonly exemptClasses: ReadonlySet<string>;
  readonly observer: PodSecurityObserver;
}

/** Refuses a pod, or audits it and warns about it. Upstream: `EvaluatePod` of pod-security-admission `admission`. */
export function applyPolicy(
  attributes: AdmissionAttributes,
  { policy, errors, enforced, exemptClasses, observer }: AppliedPolicy,
  { metadata, spec }: PodForm,
): void {
  if (spec === undefined) return;
  const annotate = (name: string, value: string): void => attributes.annotate(`${ANNOTATION_PREFIX}${name}`, value);
  if (exemptClasses.has(spec.runtimeClassName ?? '')) {
    annotate('exempt', 'runtimeClass');
    observer.exempt(attributes);
    return;
  }
  const problemOf = (level: LevelVersion): string | undefined => {
    const findings = evaluatePod(level, metadata, spec);
    return findings.length === 0 ? undefined : `PodSecurity "${formatLevel(level)}": ${describeFindings(findings)}`;
  };
  if (errors.length > 0) {
    annotate('error', `Failed to parse policy: ${formatFieldErrors(errors)}`);
    observer.invalidLabels(attributes);
  }
  if (enforced) annotate('enforce-policy', formatLevel(policy.enforce));
  const audited = problemOf(policy.audit);
  if (audited !== undefined) {
    annotate('audit-violations', `would violate ${audited}`);
    observer.evaluated(attributes, 'deny', policy.audit, 'audit');
  }
  const refused = enforced ? problemOf(policy.enforce) : undefined;
  if (enforced) observer.evaluated(attributes, refused === undefined ? 'allow' : 'deny', policy.enforce, 'enforce');
  if (refused !== undefined) throw refusal(attributes, `violates ${refused}`);
  const warned = problemOf(policy.warn);
  if (warned === undefined) return;
  attributes.warn(`would violate ${warned}`);
  observer.evaluated(attributes, 'deny', policy.warn, 'warn');
}
