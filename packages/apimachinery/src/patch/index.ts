export { formatGoValue } from './go-format.js';
export { applyJsonPatch, type JsonPatchLimits } from './json-patch.js';
export { applyMergePatch } from './merge-patch.js';
export { applyStrategicMergePatch } from './strategic-merge.js';
