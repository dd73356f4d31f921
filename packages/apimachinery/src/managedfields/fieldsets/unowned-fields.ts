import { FieldSet } from './field-set.js';
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
export const unownedFields: FieldSet = FieldSet.of(
  [fieldElement('apiVersion')],
  [fieldElement('kind')],
  [fieldElement('metadata')],
  ...metadata.map((name) => [fieldElement('metadata'), fieldElement(name)]),
);
