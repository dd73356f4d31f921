import { counterFacts, histogramFacts } from '@binnacle/apimachinery/metrics';

const conditions = ['name', 'kind', 'type', 'operation'] as const;

/** Metrics of admission webhooks. Upstream: apiserver `pkg/admission/metrics`, release 1.36. */
export const webhookFacts = {
  duration: histogramFacts(
    'apiserver_admission_webhook_admission_duration_seconds',
    'STABLE',
    ['name', 'type', 'operation', 'rejected'],
    [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25],
    'Admission webhook latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
  ),
  requests: counterFacts(
    'apiserver_admission_webhook_request_total',
    'ALPHA',
    ['name', 'type', 'operation', 'code', 'rejected'],
    'Admission webhook request total, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify whether the request was rejected or not and an HTTP status code. Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.',
  ),
  rejections: counterFacts(
    'apiserver_admission_webhook_rejection_count',
    'ALPHA',
    ['name', 'type', 'operation', 'error_type', 'rejection_code'],
    'Admission webhook rejection count, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify an error type (calling_webhook_error or apiserver_internal_error if an error occurred; no_error otherwise) and optionally a non-zero rejection code if the webhook rejects the request with an HTTP status code (honored by the apiserver when the code is greater or equal to 400). Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.',
  ),
  failedOpen: counterFacts(
    'apiserver_admission_webhook_fail_open_count',
    'ALPHA',
    ['name', 'type'],
    'Admission webhook fail open count, identified by name and broken out for each admission type (validating or admit).',
  ),
  conditionEvaluations: histogramFacts(
    'apiserver_admission_match_condition_evaluation_seconds',
    'ALPHA',
    conditions,
    [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
    'Admission match condition evaluation time in seconds, identified by name and broken out for each kind containing matchConditions (webhook or policy), operation and type (validate or admit).',
  ),
  conditionErrors: counterFacts(
    'apiserver_admission_match_condition_evaluation_errors_total',
    'ALPHA',
    conditions,
    'Admission match condition evaluation errors count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).',
  ),
  conditionExclusions: counterFacts(
    'apiserver_admission_match_condition_exclusions_total',
    'ALPHA',
    conditions,
    'Admission match condition evaluation exclusions count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).',
  ),
};
