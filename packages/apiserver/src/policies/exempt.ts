import type { AdmissionAttributes } from '../admission/index.js';

/**
 * Resources that policies do not apply to: their own configuration, which they could lock, and the reviews that make a
 * cluster work. Upstream: `pkg/kubeapiserver/admission/exclusion`, apiserver `policy/generic/plugin.go`.
 */
const EXEMPT: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'admissionregistration.k8s.io',
    new Set([
      'mutatingadmissionpolicies',
      'mutatingadmissionpolicybindings',
      'validatingadmissionpolicies',
      'validatingadmissionpolicybindings',
    ]),
  ],
  ['authentication.k8s.io', new Set(['selfsubjectreviews', 'tokenreviews'])],
  [
    'authorization.k8s.io',
    new Set([
      'localsubjectaccessreviews',
      'selfsubjectaccessreviews',
      'selfsubjectrulesreviews',
      'subjectaccessreviews',
    ]),
  ],
]);

export function isExempt({ resource: { group, resource } }: Pick<AdmissionAttributes, 'resource'>): boolean {
  return EXEMPT.get(group)?.has(resource) === true;
}
