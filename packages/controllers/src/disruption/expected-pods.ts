import { controllerOf } from '@binnacle/client/controller';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { PodDisruptionBudget } from '@binnacle/client/kinds/policy/v1';
import { scaledValue } from '../common/index.js';

/** The budget cannot be computed from what the cluster has. Another attempt fails too, until something changes. */
export class ExpectedPodsError extends Error {
  override readonly name = 'ExpectedPodsError';
}

/** The numbers of pods that a budget covers. */
export interface ExpectedPods {
  readonly expected: number;
  readonly desiredHealthy: number;
  /** Whether pods without a controller make the number wrong. */
  readonly hasUnmanaged: boolean;
}

/** The scale that decides about a pod: that of its controller, or of the controller's own controller. */
export interface ControllerScale {
  /** Of the object that has the scale. */
  readonly uid: string;
  readonly replicas: number;
}

/** Finds the scale of the controller of a pod. Rejects with an {@link ExpectedPodsError} if there is none. */
export type FindScale = (pod: Pod) => Promise<ControllerScale>;

/**
 * A number in `minAvailable` refers to the present pods. `maxUnavailable` and percentages refer to the replicas that all controllers of the present
 * pods want. Upstream: `getExpectedPodCount`.
 */
export async function expectedPods(
  { spec }: PodDisruptionBudget,
  pods: readonly Pod[],
  findScale: FindScale,
): Promise<ExpectedPods> {
  const { minAvailable, maxUnavailable } = spec ?? {};
  if (maxUnavailable !== undefined) {
    const { expected, hasUnmanaged } = await sumOfScales(pods, findScale);
    return {
      expected,
      desiredHealthy: Math.max(0, expected - scaledValue(maxUnavailable, expected, 'up')),
      hasUnmanaged,
    };
  }
  if (minAvailable === undefined) return { expected: 0, desiredHealthy: 0, hasUnmanaged: false };
  if (typeof minAvailable === 'number') {
    return { expected: pods.length, desiredHealthy: minAvailable, hasUnmanaged: false };
  }
  const { expected, hasUnmanaged } = await sumOfScales(pods, findScale);
  return { expected, desiredHealthy: scaledValue(minAvailable, expected, 'up'), hasUnmanaged };
}

async function sumOfScales(
  pods: readonly Pod[],
  findScale: FindScale,
): Promise<{ readonly expected: number; readonly hasUnmanaged: boolean }> {
  const scales = new Map<string, number>();
  const looked = new Set<string>();
  let hasUnmanaged = false;
  for (const pod of pods) {
    const controller = controllerOf(pod);
    if (controller === undefined) {
      hasUnmanaged = true;
      continue;
    }
    const key = `${controller.apiVersion} ${controller.kind} ${controller.name} ${controller.uid}`;
    if (looked.has(key)) continue;
    looked.add(key);
    const { uid, replicas } = await findScale(pod);
    scales.set(uid, replicas);
  }
  return { expected: [...scales.values()].reduce((sum, replicas) => sum + replicas, 0), hasUnmanaged };
}
