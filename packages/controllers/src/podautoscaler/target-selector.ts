import { messageOf } from '@binnacle/apimachinery/errors';
import { type LabelSelector, parseLabelSelector } from '@binnacle/apimachinery/labels';
import type { EventRecorder } from '@binnacle/client/events';
import type { Scale } from '@binnacle/client/kinds/autoscaling/v1';
import type { HorizontalPodAutoscaler } from '@binnacle/client/kinds/autoscaling/v2';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { StatusDraft } from './status-draft.js';

/** The selector of the target, if no other autoscaler scales the same pods. */
export async function selectorOfTarget(
  hpa: HorizontalPodAutoscaler,
  { status: scaleStatus }: Scale,
  selected: SelectedPods,
  status: StatusDraft,
  recorder: EventRecorder,
): Promise<{ readonly selector: LabelSelector; readonly pods: readonly Pod[] } | { readonly failure: string }> {
  const text = scaleStatus?.selector ?? '';
  const refuse = (reason: string, event: string, failure: string, message = failure) => {
    recorder.event(hpa, 'Warning', event, failure);
    status.set('ScalingActive', false, reason, message);
    return { failure };
  };
  if (text === '') {
    const message = "the HPA target's scale is missing a selector";
    return refuse('InvalidSelector', 'SelectorRequired', 'selector is required', message);
  }
  let selector: LabelSelector;
  try {
    selector = parseLabelSelector(text);
  } catch (error) {
    const failure = `couldn't convert selector into a corresponding internal selector object: ${messageOf(error)}`;
    return refuse('InvalidSelector', 'InvalidSelector', failure);
  }
  const { pods, autoscalers } = await selected(selector);
  if (autoscalers.length < 2) return { selector, pods };
  const failure = `pods by selector ${text} are controlled by multiple HPAs: [${autoscalers.join(' ')}]`;
  return refuse('AmbiguousSelector', 'AmbiguousSelector', failure);
}

/** The pods of the namespace that a selector matches, and the autoscalers that scale any of them, as `namespace/name`. */
export type SelectedPods = (
  selector: LabelSelector,
) => Promise<{ readonly pods: readonly Pod[]; readonly autoscalers: readonly string[] }>;
