import { counterFacts, histogramFacts } from '@binnacle/apimachinery/metrics';

const authorizer = ['type', 'name'] as const;
const call = ['name', 'result'] as const;

/**
 * Metrics of authorizers and of impersonation. Upstream: apiserver `pkg/authorization/metrics`, `pkg/authorization/cel/metrics.go`,
 * `plugin/pkg/authorizer/webhook/metrics`, `pkg/endpoints/filters/impersonation/metrics`, release 1.36.
 */
export const authorizationFacts = {
  decisions: counterFacts(
    'apiserver_authorization_decisions_total',
    'ALPHA',
    [...authorizer, 'decision'],
    'Total number of terminal decisions made by an authorizer split by authorizer type, name, and decision.',
  ),
  webhookCalls: counterFacts(
    'apiserver_authorization_webhook_evaluations_total',
    'ALPHA',
    call,
    'Round-trips to authorization webhooks.',
  ),
  webhookDurations: histogramFacts(
    'apiserver_authorization_webhook_duration_seconds',
    'ALPHA',
    call,
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    'Request latency in seconds.',
  ),
  webhookFailedOpen: counterFacts(
    'apiserver_authorization_webhook_evaluations_fail_open_total',
    'ALPHA',
    call,
    'NoOpinion results due to webhook timeout or error.',
  ),
  conditionEvaluations: histogramFacts(
    'apiserver_authorization_match_condition_evaluation_seconds',
    'ALPHA',
    authorizer,
    [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
    'Authorization match condition evaluation time in seconds, split by authorizer type and name.',
  ),
  conditionErrors: counterFacts(
    'apiserver_authorization_match_condition_evaluation_errors_total',
    'ALPHA',
    authorizer,
    'Total number of errors when an authorization webhook encounters a match condition error split by authorizer type and name.',
  ),
  conditionExclusions: counterFacts(
    'apiserver_authorization_match_condition_exclusions_total',
    'ALPHA',
    authorizer,
    'Total number of exclusions when an authorization webhook is skipped because match conditions exclude it.',
  ),
};
