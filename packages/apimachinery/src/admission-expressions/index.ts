export {
  type AuthorizationAnswer,
  type AuthorizationCheck,
  AuthorizationChecks,
} from './authorizer.js';
export {
  type CompiledExpression,
  compileAdmissionExpression,
  type ExpressionKind,
  type ExpressionProblem,
  isCompiled,
} from './compile.js';
export { BudgetExceededError, Evaluation, type EvaluationOptions, type Outcome, POLICY_COST } from './evaluation.js';
export { type AdmissionAuthorizer, type AdmissionDocuments, AdmissionInput } from './input.js';
export { type ConditionsResult, type MatchCondition, MatchConditions } from './match-conditions.js';
export type { ExpressionScope } from './scope.js';
export { type PolicyVariable, PolicyVariables } from './variables.js';
