import type { CheckedExpression } from './check.js';
import { compileExpression } from './compile.js';
import { Budget } from './cost/budget.js';
import type { Environment } from './environment.js';
import { EvaluationError } from './evaluation-error.js';
import { compilePattern } from './library/text.js';
import { children } from './children.js';
import { SourceError, type SourceProblem } from './source-error.js';
import type { Call, Expression, ListLiteral, MapLiteral } from './syntax-tree.js';
import { DYN, formatType, sameType, type Type, unwrapOptional } from './types.js';

/** Functions whose literal argument has to be one that they take: a moment, a duration, a pattern. */
const PARSING: ReadonlySet<string> = new Set(['duration', 'timestamp', 'matches']);
const PLENTY = 1_000_000;

/**
 * Holds literals to more than the language asks: those of lists and maps are of one type, and those that are read when the
 * expression runs can be read. What texts are formatted with may be of many types. Fails with `SourceError`. Upstream: cel-go `cel/validator.go`, which apiserver adds to every environment.
 */
export function validateLiterals(checked: CheckedExpression, environment: Environment): void {
  const problems: SourceProblem[] = [];
  const visit = (node: Expression, mayMix: boolean): void => {
    if (node.kind === 'list' && !mayMix) problems.push(...listProblems(node, checked));
    if (node.kind === 'map' && !mayMix) problems.push(...mapProblems(node, checked));
    if (node.kind === 'call' && PARSING.has(node.name)) problems.push(...callProblems(node, checked, environment));
    const mayMixBelow = mayMix || (node.kind === 'call' && node.name === 'format');
    for (const child of children(node)) visit(child, mayMixBelow);
  };
  visit(checked.root, false);
  if (problems.length > 0) throw new SourceError(checked.source, problems);
}

/** Only the first that differs. */
function listProblems({ elements, optional }: ListLiteral, checked: CheckedExpression): SourceProblem[] {
  const [first, ...rest] = elements.map((element, index) => typeOf(element, optional.has(index), checked));
  if (first === undefined) return [];
  const differing = rest.findIndex((type) => !sameType(first, type));
  const element = elements[differing + 1];
  const type = rest[differing];
  return element === undefined || type === undefined ? [] : [mismatch(element, first, type)];
}

/** Keys and values, all that differ. */
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
    compileExpression({ ...checked, root: call }, environment)(() => undefined, new Budget(PLENTY));
    return true;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}

const SEARCHES: ReadonlySet<string> = new Set(['find', 'findAll']);

/** What is wrong with the first literal pattern that is searched for; such are compiled with the expression. */
export function patternProblem({ root }: CheckedExpression): string | undefined {
  const visit = (node: Expression): string | undefined => {
    const [pattern] = node.kind === 'call' && SEARCHES.has(node.name) ? node.arguments : [];
    const problem = pattern && literalPatternProblem(pattern);
    if (problem !== undefined) return problem;
    for (const child of children(node)) {
      const below = visit(child);
      if (below !== undefined) return below;
    }
    return undefined;
  };
  return visit(root);
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
