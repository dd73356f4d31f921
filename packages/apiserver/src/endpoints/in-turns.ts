import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { WorkBudget } from '@binnacle/apimachinery/work';
import type { KindCodec } from '../codec/index.js';
import { inSlices } from '../slices/index.js';

/** Like the codec's `applyDefaults`, but in slices if the codec supports them. */
export function applyDefaultsInTurns(
  codec: KindCodec,
  object: KubernetesObject,
  budget: WorkBudget,
): void | Promise<void> {
  return codec.applyDefaultsInSteps === undefined
    ? codec.applyDefaults(object, budget)
    : inSlices(codec.applyDefaultsInSteps(object, budget));
}
