import type { Steps } from '../../work/index.js';
import { FieldSet } from './field-set.js';
import { sharedSet } from './set-levels.js';
import { fieldElement } from './path-element.js';

const metadata = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
];

/** Fields that no manager ever owns. Upstream: apimachinery `managedfields/internal/stripmeta.go`. */
const unownedFields: FieldSet = FieldSet.of(
  [fieldElement('apiVersion')],
  [fieldElement('kind')],
  [fieldElement('metadata')],
  ...metadata.map((name) => [fieldElement('metadata'), fieldElement(name)]),
);

/** The result for each shared set. */
const owned = new WeakMap<FieldSet, FieldSet>();

/** The members of a set that a manager can own. */
export function* withoutUnownedFields(set: FieldSet): Steps<FieldSet> {
  const known = owned.get(set);
  if (known !== undefined) return known;
  const left = yield* set.differenceInSteps(unownedFields);
  if (!set.isShared) return left;
  const found = sharedSet(left);
  owned.set(set, found);
  return found;
}
