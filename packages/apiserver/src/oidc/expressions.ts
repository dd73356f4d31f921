import {
  type CompiledExpression,
  compileWithin,
  type Environment,
  type ExpressionProblem,
} from '@binnacle/apimachinery/admission-expressions';
import {
  ANY,
  BOOL,
  children,
  type Expression,
  KUBERNETES_LIBRARY,
  listOf,
  mapOf,
  objectType,
  OPTIONAL_SELECT,
  sameType,
  STRING,
  type Type,
} from '@binnacle/apimachinery/cel';

/** Upstream: apiserver `pkg/authentication/cel/compile.go`. */
const USER_TYPE = objectType(
  'kubernetes.UserInfo',
  new Map<string, Type>([
    ['username', STRING],
    ['uid', STRING],
    ['groups', listOf(STRING)],
    ['extra', mapOf(STRING, listOf(STRING))],
  ]),
);
const environment = (name: string, type: Type): Environment => ({
  variables: new Map([[name, type]]),
  ...KUBERNETES_LIBRARY,
});
/** A claim cannot be the range of a comprehension, because it may have any type. */
const CLAIMS = environment('claims', mapOf(STRING, ANY));
const USER = environment('user', USER_TYPE);

/** An expression about the claims of a token, of any type. */
export function compileMapping(source: string): CompiledExpression | ExpressionProblem {
  return compileWithin(CLAIMS, source);
}

/** A condition about the claims of a token, or about the user that they make. */
export function compileCondition(source: string, about: 'claims' | 'user'): CompiledExpression | ExpressionProblem {
  const compiled = compileWithin(about === 'claims' ? CLAIMS : USER, source);
  if ('problem' in compiled || sameType(compiled.type, BOOL)) return compiled;
  return { source, problem: 'must evaluate to bool', internal: false };
}

/** Whether an expression reads a claim, as `claims.x`, `has(claims.x)` or `claims.?x`. */
export function readsClaim(expression: Expression, claim: string): boolean {
  return isRead(expression, claim) || children(expression).some((child) => readsClaim(child, claim));
}

function isRead(expression: Expression, claim: string): boolean {
  if (expression.kind === 'select') return isClaims(expression.operand) && expression.field === claim;
  if (expression.kind !== 'call' || expression.name !== OPTIONAL_SELECT) return false;
  const [operand, field] = expression.arguments;
  return isClaims(operand) && field?.kind === 'literal' && field.value.type === 'string' && field.value.value === claim;
}

function isClaims(expression: Expression | undefined): boolean {
  return expression?.kind === 'identifier' && expression.name === 'claims';
}
