/** The most that one evaluation of an expression may cost. Upstream: apiserver `pkg/apis/cel/config.go`. */
export const CALL_COST_LIMIT = 1_000_000;
/** The most that all evaluations for one object may cost. */
export const OBJECT_COST_LIMIT = 10_000_000;
/** The highest allowed estimate for one expression of a schema. Upstream: apiextensions `validation.go`. */
export const EXPRESSION_ESTIMATE_LIMIT = 10_000_000;
/** The highest allowed estimate for all expressions of one schema. */
export const SCHEMA_ESTIMATE_LIMIT = 100_000_000;
/** The maximum size in bytes of a message from a messageExpression; a longer one is not used. */
export const MESSAGE_BYTES_LIMIT = 5 * 1024;
