import { quoteGo } from '@binnacle/apimachinery/status';
import { requestUriOf } from '@binnacle/apimachinery/validation';

export const APPROVED_ANNOTATION = 'api-approved.kubernetes.io';

/** The state of the API review that a definition in a Kubernetes group needs. */
export interface ApiApproval {
  readonly state: 'missing' | 'bypassed' | 'approved' | 'invalid';
  readonly reason: string;
}

/** Whether the group belongs to Kubernetes, so that its definitions need an API review. */
export function isProtectedGroup(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

/** Upstream: apiextensions `pkg/apihelpers`. */
export function apiApproval(annotations: Readonly<Record<string, string>> | undefined): ApiApproval {
  const annotation = annotations?.[APPROVED_ANNOTATION] ?? '';
  const needed = `protected groups must have approval annotation ${quoteGo(APPROVED_ANNOTATION)}`;
  const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
  if (annotation === '') return { state: 'missing', reason: `${needed}, ${see}` };
  if (annotation.startsWith('unapproved')) {
    return { state: 'bypassed', reason: `not approved: ${quoteGo(annotation)}` };
  }
  if ((requestUriOf(annotation)?.host ?? '') !== '') {
    return { state: 'approved', reason: `approved in ${annotation}` };
  }
  const ways = 'with either a URL or a reason starting with "unapproved"';
  return { state: 'invalid', reason: `${needed} ${ways}, ${see}` };
}
