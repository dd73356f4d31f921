export { type ApplyOptions, type ApplyResult, applyObject } from './apply.js';
export { LAST_APPLIED_ANNOTATION, lastApplied, withLastApplied } from './last-applied.js';
export type { ApplyPatchType, ApplyTarget, ApplyTransport, WriteQuery } from './transport.js';
