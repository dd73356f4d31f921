export { type Application, type Applied, applyConfiguration, applyInSteps } from './apply.js';
export { describeDocument, formatKind } from './applied-kind.js';
export { type Comparison, compareObjects } from './merge/compare.js';
export { ANY, type FieldPattern, type FieldRules } from './fieldsets/field-rules.js';
export { emptyFieldSet, type FieldNode, FieldSet } from './fieldsets/field-set.js';
export { fieldSetOf } from './fieldsets/field-set-of.js';
export { decodeFieldSet, encodeFieldSet } from './fieldsets/fields-v1.js';
export { managerOf } from './manager-name.js';
export { decodeManagers, differInTimeAlone, ManagedFieldsError, type Manager, type Managers } from './managers.js';
export { mergeUntracked, UntrackedMergeError } from './merge-untracked.js';
export {
  fieldElement,
  keyElement,
  type PathElement,
  PathElementError,
  valueElement,
} from './fieldsets/path-element.js';
export { fromScaleManagers, type ReplicasPaths, toScaleManagers } from './scale-managers.js';
export { trackUpdate, trackUpdateInSteps, type UpdateToTrack } from './track-update.js';
export { type Convert, VersionError, type VersionedObject } from './versions.js';
