import { kubernetesVersion } from '@binnacle/api/table';
import { counterFacts, type MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { JudgedRequest, PodSecurityObserver } from '../admission/index.js';

const request = ['request_operation', 'resource', 'subresource'] as const;

/** Upstream: pod-security-admission `metrics`, release 1.36. */
export const podSecurityFacts = {
  evaluations: counterFacts(
    'pod_security_evaluations_total',
    'ALPHA',
    ['decision', 'policy_level', 'policy_version', 'mode', ...request],
    'Number of policy evaluations that occurred, not counting ignored or exempt requests.',
  ),
  exemptions: counterFacts(
    'pod_security_exemptions_total',
    'ALPHA',
    request,
    'Number of exempt requests, not counting ignored or out of scope requests.',
  ),
  errors: counterFacts(
    'pod_security_errors_total',
    'ALPHA',
    ['fatal', ...request],
    'Number of errors preventing normal evaluation. Non-fatal errors may result in the latest restricted profile being used for evaluation.',
  ),
};

/** Counts what PodSecurity decides. */
export function podSecurityMetrics(registry: MetricRegistry): PodSecurityObserver {
  const latest = Number(kubernetesVersion().split('.')[1]);
  const evaluations = registry.numbers(podSecurityFacts.evaluations);
  const exemptions = registry.numbers(podSecurityFacts.exemptions);
  const errors = registry.numbers(podSecurityFacts.errors);
  return {
    evaluated(written, decision, { level, minor }, mode) {
      const version = level === 'privileged' ? 'latest' : versionLabel(minor, latest);
      evaluations.with(decision, level, version, mode, ...requestLabels(written)).value++;
    },
    exempt(written) {
      exemptions.with(...requestLabels(written)).value++;
    },
    invalidLabels(written) {
      errors.with('false', ...requestLabels(written)).value++;
    },
  };
}

/** Versions after this release are counted together, so that labels of namespaces make no series. */
function versionLabel(minor: number, latest: number): string {
  if (minor === Number.POSITIVE_INFINITY) return 'latest';
  return minor > latest ? 'future' : `v1.${minor}`;
}

function requestLabels({ operation, resource, subresource }: JudgedRequest) {
  const isPod = resource.group === '' && resource.resource === 'pods';
  return [operation.toLowerCase(), isPod ? 'pod' : 'controller', subresource] as const;
}
