export {
  PatchConflictError,
  type PatchPrecondition,
  PatchPreconditionError,
  requireMetadataUnchanged,
  requireUnchanged,
} from './diff-errors.js';
export { conversionProblem } from './go-conversion.js';
export { goTypeName } from './go-type-name.js';
export { isInOperationField, unknownOperationFields } from './json-patch-operation.js';
export { createJsonPatch, type JsonPatchChange } from './json-patch-diff.js';
export { applyJsonPatch, applyJsonPatchInSteps, type JsonPatchLimits } from './json-patch.js';
export { JsonPatchTestError } from './errors.js';
export { createMergePatch, createThreeWayMergePatch } from './merge-diff.js';
export { applyMergePatch, applyMergePatchInSteps, withoutNulls } from './merge-patch.js';
export { PatchedNumbers } from './patched-numbers.js';
export { jsonPatchedTextInSteps, mergePatchedTextInSteps, strategicPatchText } from './patched-text.js';
export {
  createStrategicMergePatch,
  createThreeWayStrategicMergePatch,
  type ThreeWayOptions,
} from './strategic-diff.js';
export { applyStrategicMergePatch, applyStrategicMergePatchInSteps } from './strategic-merge.js';
