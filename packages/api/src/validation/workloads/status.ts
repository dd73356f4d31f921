import { type FieldError, invalidValue } from '@binnacle/apimachinery/status';
import { errorsOfEntries, validateConditions, validateNonNegative } from '@binnacle/apimachinery/validation';
import type { HorizontalPodAutoscaler } from '../../generated/types/autoscaling-v2.js';
import type { PodDisruptionBudget } from '../../generated/types/policy-v1.js';
import { finalizerDomains, valueAt, type WithMetadata } from '../common.js';

/** The counts that controllers report. Upstream: `Validate*StatusUpdate` of apps, autoscaling, core and policy. */
interface Counts {
  /** Must not be negative. In upstream's order. */
  readonly counts: readonly string[];
  /** `[part, whole, name of the whole in the message]`: a part must not exceed its whole. */
  readonly parts?: readonly (readonly [part: string, whole: string, shown: string])[];
  /** Counts that must not decrease. */
  readonly rising?: readonly string[];
}

const partsOfReplicas = (availableOf: string, ...parts: readonly string[]): NonNullable<Counts['parts']> => [
  ...parts.map((part) => [part, 'replicas', 'status.replicas'] as const),
  ['availableReplicas', 'readyReplicas', availableOf],
];

function countRule(rule: Counts): (object: WithMetadata, old: WithMetadata) => FieldError[] {
  return (object, old) => {
    const count = (from: WithMetadata, name: string): number => Number(valueAt(from, 'status', name) ?? 0);
    return [
      ...finalizerDomains(object),
      ...rule.counts.flatMap((name) => validateNonNegative(count(object, name), `status.${name}`)),
      ...(rule.parts ?? []).flatMap(([part, whole, shown]) => {
        const value = count(object, part);
        if (value <= count(object, whole)) return [];
        return [invalidValue(`status.${part}`, value, `cannot be greater than ${shown}`)];
      }),
      ...(rule.rising ?? []).flatMap((name) => {
        const value = count(object, name);
        return value >= count(old, name) ? [] : [invalidValue(`status.${name}`, value, 'cannot be decremented')];
      }),
    ];
  };
}

const replicaCounts = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
] as const;
const replicaParts = partsOfReplicas('readyReplicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas');

export const validateReplicationControllerStatusUpdate = countRule({ counts: replicaCounts, parts: replicaParts });

export const validateReplicaSetStatusUpdate = countRule({
  counts: [...replicaCounts, 'terminatingReplicas'],
  parts: replicaParts,
});

export const validateDeploymentStatusUpdate = countRule({
  counts: [
    'observedGeneration',
    'replicas',
    'updatedReplicas',
    'readyReplicas',
    'availableReplicas',
    'unavailableReplicas',
    'terminatingReplicas',
    'collisionCount',
  ],
  parts: partsOfReplicas('readyReplicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'),
  rising: ['collisionCount'],
});

export const validateStatefulSetStatusUpdate = countRule({
  counts: [
    'replicas',
    'readyReplicas',
    'currentReplicas',
    'updatedReplicas',
    'availableReplicas',
    'observedGeneration',
    'collisionCount',
  ],
  parts: partsOfReplicas(
    'status.readyReplicas',
    'readyReplicas',
    'currentReplicas',
    'updatedReplicas',
    'availableReplicas',
  ),
  rising: ['collisionCount'],
});

export const validateDaemonSetStatusUpdate = countRule({
  counts: [
    'currentNumberScheduled',
    'numberMisscheduled',
    'desiredNumberScheduled',
    'numberReady',
    'observedGeneration',
    'updatedNumberScheduled',
    'numberAvailable',
    'numberUnavailable',
    'collisionCount',
  ],
  rising: ['collisionCount'],
});

const autoscalerCounts = countRule({ counts: ['currentReplicas', 'desiredReplicas'] });

export function validateHorizontalPodAutoscalerStatusUpdate(
  object: HorizontalPodAutoscaler,
  old: HorizontalPodAutoscaler,
): FieldError[] {
  return autoscalerCounts(object, old);
}

export function validatePodDisruptionBudgetStatusUpdate(object: PodDisruptionBudget): FieldError[] {
  const { conditions, disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods } = object.status ?? {};
  const counts = { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods };
  return [
    ...validateConditions(conditions as Parameters<typeof validateConditions>[0], 'status.conditions'),
    ...errorsOfEntries(counts, (name, count) => validateNonNegative(count, `status.${name}`)),
  ];
}
