import {
  BOOL,
  type CheckedExpression,
  checkExpression,
  compileExpression,
  DURATION,
  DYN,
  type Environment,
  formatType,
  NULL,
  parseExpressionInSteps,
  programProblem,
  sameType,
  SourceError,
  STRING,
  TIMESTAMP,
  type Type,
  validateLiterals,
} from '../cel/index.js';
import { finish, type Steps } from '../work/index.js';
import { APPLY_CONFIGURATION_TYPE, JSON_PATCHES_TYPE } from './patch-types.js';
import { programs } from './programs.js';
import { environmentOf, type ExpressionScope } from './scope.js';

/** The result types that each kind of expression may have. */
const RESULTS = {
  condition: [BOOL],
  message: [STRING],
  auditAnnotation: [STRING, NULL],
  applyConfiguration: [APPLY_CONFIGURATION_TYPE],
  jsonPatch: [JSON_PATCHES_TYPE],
} as const satisfies Record<string, readonly Type[]>;

export type ExpressionKind = keyof typeof RESULTS | 'variable';

/** A compiled expression, which can run any number of times. `programs.ts` has its program. */
export interface CompiledExpression {
  readonly source: string;
  readonly environment: Environment;
  readonly type: Type;
  /** The variables that it names, such as `object` and `authorizer.requestResource`. */
  readonly names: ReadonlySet<string>;
}

export interface ExpressionProblem {
  readonly source: string;
  readonly problem: string;
  /** The problem appears only when the program is made, which upstream reports as an internal error. */
  readonly internal: boolean;
}

/** The result of {@link checkInSteps} without a problem. Only `expression` is kept: the syntax tree is much larger than the source. */
interface Accepted {
  readonly expression: CompiledExpression;
  readonly checked: CheckedExpression;
}

/** Problems have upstream's words: apiserver `pkg/admission/plugin/cel/compile.go`. */
export function compileAdmissionExpression(
  source: string,
  kind: ExpressionKind,
  scope: ExpressionScope,
): CompiledExpression | ExpressionProblem {
  return finish(compileAdmissionExpressionInSteps(source, kind, scope));
}

/** {@link compileAdmissionExpression} in a few steps. */
export function* compileAdmissionExpressionInSteps(
  source: string,
  kind: ExpressionKind,
  scope: ExpressionScope,
): Steps<CompiledExpression | ExpressionProblem> {
  return yield* compileInSteps(environmentOf(scope), source, resultsOf(kind));
}

/** Checks an expression that does not run, and makes no program. Undefined: it has no problem. */
export function* admissionExpressionProblem(
  source: string,
  kind: ExpressionKind,
  scope: ExpressionScope,
): Steps<ExpressionProblem | undefined> {
  const found = yield* checkInSteps(environmentOf(scope), source, resultsOf(kind));
  return 'problem' in found ? found : undefined;
}

/** The type of a variable that does not run, or its problem. */
export function* variableType(source: string, scope: ExpressionScope): Steps<Type | ExpressionProblem> {
  const found = yield* checkInSteps(environmentOf(scope), source, undefined);
  return 'problem' in found ? found : found.expression.type;
}

/** Compiles an expression over other variables. `results`: the types that it may have; absent: any. */
export function compileWithin(
  environment: Environment,
  source: string,
  results?: readonly Type[],
): CompiledExpression | ExpressionProblem {
  return finish(compileInSteps(environment, source, results));
}

function* compileInSteps(
  environment: Environment,
  source: string,
  results: readonly Type[] | undefined,
): Steps<CompiledExpression | ExpressionProblem> {
  const found = yield* checkInSteps(environment, source, results);
  if ('problem' in found) return found;
  const { expression, checked } = found;
  programs.keep(expression, compileExpression(checked, environment));
  return expression;
}

/** Each step takes up to about 0.5 µs for each character of the source. */
function* checkInSteps(
  environment: Environment,
  source: string,
  results: readonly Type[] | undefined,
): Steps<Accepted | ExpressionProblem> {
  const fail = (problem: string, internal = false): ExpressionProblem => ({ source, problem, internal });
  try {
    const root = yield* parseExpressionInSteps(source);
    yield;
    const checked = checkExpression(source, root, environment);
    yield;
    validateLiterals(checked, environment);
    const type = checked.types.get(root) ?? DYN;
    const mismatch = results === undefined ? undefined : mismatchOf(type, results);
    if (mismatch !== undefined) return fail(mismatch);
    yield;
    const flaw = programProblem(checked, environment);
    if (flaw !== undefined) return fail(`program instantiation failed: ${flaw}`, true);
    yield;
    const names = new Set([...checked.names.values()].map((name) => name.replace(/^\./, '')));
    return { expression: { source, environment, type, names }, checked };
  } catch (error) {
    if (error instanceof SourceError) return fail(`compilation failed: ${error.message}`);
    throw error;
  }
}

export function isCompiled(expression: CompiledExpression | ExpressionProblem): expression is CompiledExpression {
  return !('problem' in expression);
}

function resultsOf(kind: ExpressionKind): readonly Type[] | undefined {
  return kind === 'variable' ? undefined : RESULTS[kind];
}

function mismatchOf(type: Type, wanted: readonly Type[]): string | undefined {
  if (wanted.some((each) => sameType(each, type))) return undefined;
  const names = wanted.map(declaredName);
  const shown = names.length === 1 ? names.join('') : `one of [${names.join(' ')}]`;
  return `must evaluate to ${shown} but got ${declaredName(type)}`;
}

/** Upstream names some types differently here than in type errors. */
const DECLARED_NAMES: ReadonlyMap<Type, string> = new Map([
  [NULL, 'null_type'],
  [TIMESTAMP, 'google.protobuf.Timestamp'],
  [DURATION, 'google.protobuf.Duration'],
]);

function declaredName(type: Type): string {
  return DECLARED_NAMES.get(type) ?? formatType(type);
}
