import {
  BOOL,
  checkExpression,
  compileExpression,
  DURATION,
  DYN,
  type Environment,
  type Expression,
  formatType,
  NULL,
  parseExpression,
  type Program,
  programProblem,
  sameType,
  SourceError,
  STRING,
  TIMESTAMP,
  type Type,
  validateLiterals,
} from '../cel/index.js';
import { APPLY_CONFIGURATION_TYPE, JSON_PATCHES_TYPE } from './patch-types.js';
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

/** A compiled expression, which can run any number of times. */
export interface CompiledExpression {
  readonly source: string;
  readonly root: Expression;
  readonly program: Program;
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

/** Problems have upstream's words: apiserver `pkg/admission/plugin/cel/compile.go`. */
export function compileAdmissionExpression(
  source: string,
  kind: ExpressionKind,
  scope: ExpressionScope,
): CompiledExpression | ExpressionProblem {
  return compileWithin(environmentOf(scope), source, kind === 'variable' ? undefined : RESULTS[kind]);
}

/** Compiles an expression over other variables. `results`: the types that it may have; absent: any. */
export function compileWithin(
  environment: Environment,
  source: string,
  results?: readonly Type[],
): CompiledExpression | ExpressionProblem {
  const fail = (problem: string, internal = false): ExpressionProblem => ({ source, problem, internal });
  try {
    const root = parseExpression(source);
    const checked = checkExpression(source, root, environment);
    validateLiterals(checked, environment);
    const type = checked.types.get(root) ?? DYN;
    const mismatch = results === undefined ? undefined : mismatchOf(type, results);
    if (mismatch !== undefined) return fail(mismatch);
    const flaw = programProblem(checked, environment);
    if (flaw !== undefined) return fail(`program instantiation failed: ${flaw}`, true);
    const names = new Set([...checked.names.values()].map((name) => name.replace(/^\./, '')));
    return { source, root, program: compileExpression(checked, environment), type, names };
  } catch (error) {
    if (error instanceof SourceError) return fail(`compilation failed: ${error.message}`);
    throw error;
  }
}

export function isCompiled(expression: CompiledExpression | ExpressionProblem): expression is CompiledExpression {
  return 'program' in expression;
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
