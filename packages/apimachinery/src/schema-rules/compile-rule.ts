import {
  type CheckedExpression,
  checkExpression,
  compileExpression,
  type Environment,
  estimateCost,
  KUBERNETES_LIBRARY,
  optionalOf,
  parseExpressionInSteps,
  type Program,
  programProblem,
  SourceError,
  type Type,
  validateLiterals,
} from '../cel/index.js';
import { resolveFieldPath, type SchemaNode, type ValidationRule } from '../structural/index.js';
import type { Steps } from '../work/index.js';
import type { DeclaredType } from './declared-type.js';
import { expressionType, sizeOfPath } from './expression-type.js';

/** A compiled expression, or its problem. */
export type CompiledExpression =
  | { readonly program: Program; readonly estimate: number; readonly namesOldSelf: boolean }
  | { readonly problem: string };

export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Undefined for an empty rule. */
  readonly condition: CompiledExpression | undefined;
  /** Undefined if the rule has no messageExpression or no condition. */
  readonly message: CompiledExpression | undefined;
  /** Whether the rule refers to the value before an update. */
  readonly usesOldSelf: boolean;
  /** The path of errors, relative to the rule's level: `spec.mode`; `''` for that level. */
  readonly fieldPath: string;
}

export const SELF = 'self';
export const OLD_SELF = 'oldSelf';

const known = new WeakMap<SchemaNode, readonly CompiledRule[]>();

/**
 * Compiles the rules of one level of a schema, without those below. Upstream: apiextensions
 * `pkg/apiserver/schema/cel/compilation.go`.
 */
export function* compileRulesInSteps(schema: SchemaNode, declared: DeclaredType): Steps<readonly CompiledRule[]> {
  if (schema.rules.length === 0) return [];
  const compiled = known.get(schema);
  if (compiled !== undefined) return compiled;
  const self = expressionType(declared, 'selfType');
  const plain = environment(self, self);
  const optional = environment(self, optionalOf(self));
  const rules: CompiledRule[] = [];
  for (const rule of schema.rules) {
    rules.push(yield* compileRule(rule, schema, declared, rule.optionalOldSelf === true ? optional : plain));
    yield;
  }
  known.set(schema, rules);
  return rules;
}

function environment(self: Type, oldSelf: Type): Environment {
  const variables = new Map([
    [SELF, self],
    [OLD_SELF, oldSelf],
  ]);
  return { variables, ...KUBERNETES_LIBRARY };
}

function* compileRule(
  rule: ValidationRule,
  schema: SchemaNode,
  declared: DeclaredType,
  variables: Environment,
): Steps<CompiledRule> {
  const condition = rule.rule.trim() === '' ? undefined : yield* compile(rule.rule, 'rule', declared, variables);
  const isCompiled = condition !== undefined && 'program' in condition;
  const path = rule.fieldPath === '' ? undefined : resolveFieldPath(rule.fieldPath, schema);
  return {
    rule,
    condition,
    message:
      isCompiled && rule.messageExpression !== ''
        ? yield* compile(rule.messageExpression, 'messageExpression', declared, variables)
        : undefined,
    usesOldSelf: isCompiled && condition.namesOldSelf,
    fieldPath: typeof path === 'object' ? path.text : '',
  };
}

/** The result type of each kind of expression, and the messages of its problems. */
const ROLES = {
  rule: { result: 'bool', head: '', maker: 'program', refusal: 'cel expression must evaluate to a bool' },
  messageExpression: {
    result: 'string',
    head: 'messageExpression ',
    maker: 'messageExpression',
    refusal: 'messageExpression must evaluate to a string',
  },
} as const;

/** Keeps nothing of the syntax tree, which is much larger than the program. */
function* compile(
  source: string,
  role: keyof typeof ROLES,
  declared: DeclaredType,
  variables: Environment,
): Steps<CompiledExpression> {
  const { result, head, maker, refusal } = ROLES[role];
  try {
    const root = yield* parseExpressionInSteps(source);
    yield;
    const checked = checkExpression(source, root, variables);
    yield;
    validateLiterals(checked, variables);
    if (checked.types.get(root)?.kind !== result) return { problem: refusal };
    const flaw = programProblem(checked, variables);
    if (flaw !== undefined) return { problem: `${maker} instantiation failed: ${flaw}` };
    yield;
    const program = compileExpression(checked, variables);
    yield;
    const estimate = estimateCost(checked, sizeOfPath(declared)).max;
    return { program, estimate, namesOldSelf: namesOldSelf(checked) };
  } catch (error) {
    if (error instanceof SourceError) return { problem: `${head}compilation failed: ${error.message}` };
    throw error;
  }
}

function namesOldSelf({ names }: CheckedExpression): boolean {
  for (const name of names.values()) if (name === OLD_SELF || name === `.${OLD_SELF}`) return true;
  return false;
}
