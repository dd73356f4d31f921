export { Budget, COST_PER_STEP } from './cost/budget.js';
export { children } from './children.js';
export { type CheckedExpression, checkExpression } from './check.js';
export { compileExpression, type Program } from './compile.js';
export { type Environment, groupOverloads } from './environment.js';
export { CostLimitError, EvaluationError } from './evaluation-error.js';
export { programProblem, validateLiterals } from './literal-problems.js';
export { OPTIONAL_SELECT } from './operators.js';
export { type Overload, overload } from './overload.js';
export { parseExpression, parseExpressionInSteps } from './parse.js';
export { RESERVED_WORDS } from './reserved-words.js';
export type { Activation } from './step.js';
export { SourceError, type SourceProblem } from './source-error.js';
export type { Expression } from './syntax-tree.js';
export * from './types.js';
export * from './values.js';
export { formatDurationSeconds, formatTimestamp } from './library/timestamps.js';
export { quantityValue } from './library/quantity.js';
export { semverValue } from './library/semver.js';
export { from, string } from './library/arguments.js';
export {
  KUBERNETES_FUNCTIONS,
  KUBERNETES_LIBRARY,
  KUBERNETES_TYPES,
  STANDARD_FUNCTIONS,
  STANDARD_TYPES,
} from './library/index.js';
export { estimateCost } from './cost/estimate.js';
export type { SizeOfPath } from './cost/known-values.js';
export { type Range, UNBOUNDED } from './cost/range.js';
export { equal } from './equality.js';
