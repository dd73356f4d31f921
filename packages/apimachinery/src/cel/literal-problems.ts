import type { CheckedExpression } from './check.js';
import { compileExpression } from './compile.js';
import { Constants } from './constants.js';
import { Budget } from './cost/budget.js';
import type { Environment } from './environment.js';
import { EvaluationError } from './evaluation-error.js';
import { formatProblems } from './format-problems.js';
import { compilePattern } from './library/text.js';
import { children } from './children.js';
import { SourceError, type SourceProblem } from './source-error.js';
import type { Call, Expression, ListLiteral, MapLiteral } from './syntax-tree.js';
import { DYN, formatType, sameType, type Type, unwrapOptional } from './types.js';

/** Functions that parse a literal argument: timestamps, durations and patterns. */
const PARSING: ReadonlySet<string> = new Set(['duration', 'timestamp', 'matches']);
/** More than any conversion of a literal costs. */
const CONVERSION_BUDGET = 1_000_000;

/**
 * Validates literals beyond the language's rules: elements of a list or map must have the same type, and literals that are
 * parsed at run time must parse. Arguments of `format` may have any types. Throws `SourceError`. Upstream: cel-go
 * `cel/validator.go`, which apiserver adds to every environment.
 */
export function validateLiterals(checked: CheckedExpression, environment: Environment): void {
  const problems: SourceProblem[] = [];
  const visit = (node: Expression, mayMix: boolean): void => {
    if (node.kind === 'list' && !mayMix) problems.push(...listProblems(node, checked));
    if (node.kind === 'map' && !mayMix) problems.push(...mapProblems(node, checked));
    if (node.kind === 'call' && node.name === 'format') problems.push(...formatProblems(node, checked));
    if (node.kind === 'call' && PARSING.has(node.name)) problems.push(...callProblems(node, checked, environment));
    const mayMixBelow = mayMix || (node.kind === 'call' && node.name === 'format');
    for (const child of children(node)) visit(child, mayMixBelow);
  };
  visit(checked.root, false);
  if (problems.length > 0) throw new SourceError(checked.source, problems);
}

/** Reports only the first element of a different type. */
function listProblems({ elements, optional }: ListLiteral, checked: CheckedExpression): SourceProblem[] {
  const [first, ...rest] = elements.map((element, index) => typeOf(element, optional.has(index), checked));
  if (first === undefined) return [];
  const differing = rest.findIndex((type) => !sameType(first, type));
  const element = elements[differing + 1];
  const type = rest[differing];
  return element === undefined || type === undefined ? [] : [mismatch(element, first, type)];
}

/** Reports every key and value of a different type. */
function mapProblems({ entries }: MapLiteral, checked: CheckedExpression): SourceProblem[] {
  const [first, ...rest] = entries;
  if (first === undefined) return [];
  const keyType = typeOf(first.key, false, checked);
  const valueType = typeOf(first.value, first.optional, checked);
  return rest.flatMap(({ key, value, optional }) => {
    const [given, held] = [typeOf(key, false, checked), typeOf(value, optional, checked)];
    return [
      ...(sameType(keyType, given) ? [] : [mismatch(key, keyType, given)]),
      ...(sameType(valueType, held) ? [] : [mismatch(value, valueType, held)]),
    ];
  });
}

function typeOf(node: Expression, optional: boolean, { types }: CheckedExpression): Type {
  const type = types.get(node) ?? DYN;
  return optional ? unwrapOptional(type) : type;
}

function mismatch({ position }: Expression, wanted: Type, found: Type): SourceProblem {
  return { position, message: `expected type '${formatType(wanted)}' but found '${formatType(found)}'` };
}

function callProblems(call: Call, checked: CheckedExpression, environment: Environment): SourceProblem[] {
  const [literal] = call.arguments;
  if (literal?.kind !== 'literal' || canBeCalled(call, literal, checked, environment)) return [];
  return [{ position: literal.position, message: `invalid ${call.name} argument` }];
}

function canBeCalled(call: Call, literal: Expression, checked: CheckedExpression, environment: Environment): boolean {
  try {
    if (call.name === 'matches') return literalPatternProblem(literal) === undefined;
    compileExpression({ ...checked, root: call }, environment)(() => undefined, new Budget(CONVERSION_BUDGET));
    return true;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}

const SEARCHES: ReadonlySet<string> = new Set(['find', 'findAll']);

/**
 * The first problem that upstream finds when it makes the program: a literal pattern that does not compile, or a literal
 * that cannot be converted, as in `int("x")`.
 */
export function programProblem(checked: CheckedExpression, environment: Environment): string | undefined {
  const constants = new Constants(checked, environment);
  const visit = (node: Expression): string | undefined => {
    const [pattern] = node.kind === 'call' && SEARCHES.has(node.name) ? node.arguments : [];
    const problem = (pattern && literalPatternProblem(pattern)) ?? constants.problemOf(node);
    if (problem !== undefined) return problem;
    for (const child of children(node)) {
      const below = visit(child);
      if (below !== undefined) return below;
    }
    return undefined;
  };
  return visit(checked.root);
}

function literalPatternProblem(node: Expression): string | undefined {
  if (node.kind !== 'literal' || node.value.type !== 'string') return undefined;
  try {
    compilePattern(node.value.value);
    return undefined;
  } catch (error) {
    if (error instanceof EvaluationError) return error.message;
    throw error;
  }
}
