/** What one evaluation of one expression may cost. Upstream: apiserver `pkg/apis/cel/config.go`. */
export const CALL_COST = 1_000_000;
/** What all evaluations of one object may cost together. */
export const OBJECT_COST = 10_000_000;
/** What one expression of a schema may be estimated to cost. Upstream: apiextensions `validation.go`. */
export const EXPRESSION_ESTIMATE = 10_000_000;
/** What all expressions of one schema may be estimated to cost together. */
export const SCHEMA_ESTIMATE = 100_000_000;
/** Bytes of a message that an expression makes; a longer one is not used. */
export const MESSAGE_BYTES = 5 * 1024;
