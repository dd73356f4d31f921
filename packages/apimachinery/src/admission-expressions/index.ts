export type { Environment, Type, Value } from '../cel/index.js';
export {
  type AuthorizationAnswer,
  type AuthorizationCheck,
  AuthorizationChecks,
} from './authorizer.js';
export {
  admissionExpressionProblem,
  type CompiledExpression,
  compileAdmissionExpression,
  compileAdmissionExpressionInSteps,
  compileWithin,
  type ExpressionKind,
  type ExpressionProblem,
  isCompiled,
} from './compile.js';
export {
  BudgetExceededError,
  Evaluation,
  type EvaluationOptions,
  type Outcome,
  POLICY_COST,
  type RunSteps,
} from './evaluation.js';
export { type AdmissionAuthorizer, type AdmissionDocuments, AdmissionInput } from './input.js';
export { type ConditionsResult, type MatchCondition, MatchConditions } from './match-conditions.js';
export { JsonValues, type JsonValuesOptions } from './json-values.js';
export { openApiType, type ResolveReference } from './open-api-type.js';
export { applyConfigurationOf, jsonPatchOf, PatchValueError } from './patch-values.js';
export type { ExpressionScope } from './scope.js';
export { type CheckedExpressions, type TypedKind, type TypeWarning, typeWarnings } from './type-check.js';
export { type PolicyVariable, PolicyVariables, VariableTypes } from './variables.js';
