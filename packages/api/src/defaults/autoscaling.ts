import type { HorizontalPodAutoscalerSpec as SpecV1 } from '../generated/types/autoscaling-v1.js';
import type { HorizontalPodAutoscalerSpec, HPAScalingRules, MetricSpec } from '../generated/types/autoscaling-v2.js';
import { typeRule, type TypeRuleEntry } from './type-rule.js';

const periodSeconds = 15;

/** The target of an autoscaler that names none: 80 % of the CPU its pods request. */
function defaultMetrics(): MetricSpec[] {
  return [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }];
}

function defaultSpec(spec: HorizontalPodAutoscalerSpec): void {
  spec.minReplicas ??= 1;
  if (!spec.metrics || spec.metrics.length === 0) spec.metrics = defaultMetrics();
  const behavior = spec.behavior;
  if (!behavior) return;
  const up = (behavior.scaleUp ??= {});
  up.stabilizationWindowSeconds ??= 0;
  defaultRules(up, [
    { type: 'Pods', value: 4, periodSeconds },
    { type: 'Percent', value: 100, periodSeconds },
  ]);
  defaultRules((behavior.scaleDown ??= {}), [{ type: 'Percent', value: 100, periodSeconds }]);
}

function defaultRules(rules: HPAScalingRules, policies: NonNullable<HPAScalingRules['policies']>): void {
  rules.selectPolicy ??= 'Max';
  rules.policies ??= policies;
}

export const autoscalingDefaults: readonly TypeRuleEntry[] = [
  typeRule('io.k8s.api.autoscaling.v1.HorizontalPodAutoscalerSpec', (spec: SpecV1) => {
    spec.minReplicas ??= 1;
  }),
  typeRule('io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerSpec', defaultSpec),
];
