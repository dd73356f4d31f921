import type { LabelSelector } from '@binnacle/apimachinery/labels';
import { Pace, type Steps } from '@binnacle/apimachinery/work';
import type { AnyObject } from '@binnacle/client/dynamic';

/** Some milliseconds. */
const REQUIREMENTS_A_STEP = 100_000;

/** The objects that a selector matches. A user's selector may have tens of thousands of requirements. */
export function* selectObjects<T extends AnyObject>(objects: readonly T[], selector: LabelSelector): Steps<T[]> {
  const pace = new Pace(REQUIREMENTS_A_STEP);
  const matching: T[] = [];
  for (const object of objects) {
    if (selector.matches(object.metadata?.labels)) matching.push(object);
    if (pace.endsStep(1 + selector.requirements.length)) yield;
  }
  return matching;
}
