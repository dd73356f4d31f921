import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';

/** Endpoints and slices of headless services have this label. */
export const HEADLESS = 'service.kubernetes.io/headless';

/** Old clients use Endpoints with this annotation as a lock. They have no service. */
export const LEADER = 'control-plane.alpha.kubernetes.io/leader';

/** Labels or annotations. */
export type Strings = { readonly [key: string]: string };

export function isSameStrings(one: Strings, other: Strings): boolean {
  return deepEqual(asJson(one), asJson(other));
}
