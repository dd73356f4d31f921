import type { CheckedExpression } from './check.js';
import { clausesOf } from './library/format-clauses.js';
import type { SourceProblem } from './source-error.js';
import type { Call, Expression } from './syntax-tree.js';
import { DYN, type TypeKind } from './types.js';

const DOUBLES: readonly TypeKind[] = ['double', 'string'];

/** The types that each verb but `s` accepts, and the words that refuse any other. */
const ACCEPTED: ReadonlyMap<string, readonly [kinds: readonly TypeKind[], refusal: string]> = new Map([
  ['d', [['int', 'uint'], 'decimal clause can only be used on integers']],
  ['f', [DOUBLES, 'fixed-point clause can only be used on doubles']],
  ['e', [DOUBLES, 'scientific clause can only be used on doubles']],
  ['b', [['int', 'uint', 'bool'], 'only integers and bools can be formatted as binary']],
  ['o', [['int', 'uint'], 'octal clause can only be used on integers']],
  ...['x', 'X'].map((verb): [string, readonly [readonly TypeKind[], string]] => [
    verb,
    [['int', 'uint', 'string', 'bytes'], 'only integers, byte buffers, and strings can be formatted as hex'],
  ]),
]);

const SHOWN: readonly TypeKind[] = [
  'list',
  'map',
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'timestamp',
  'bytes',
  'duration',
  'type',
  'null',
];
const SHOWN_REFUSAL =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';

/**
 * The first problem of a call of `format` with a literal template and a literal list: `'%d'.format(['x'])`. Only the
 * types of values count. Upstream: cel-go `stringFormatValidator`.
 */
export function formatProblems(call: Call, checked: CheckedExpression): SourceProblem[] {
  const { target, arguments: given, position } = call;
  const [list] = given;
  if (target?.kind !== 'literal' || target.value.type !== 'string' || list?.kind !== 'list') return [];
  const { elements } = list;
  let used = 0;
  for (const { verb, problem } of clausesOf(target.value.value)) {
    if (verb === '%') continue;
    const value = elements[used];
    if (value === undefined) {
      const isCut = verb === '' && problem !== undefined;
      return [{ position, message: isCut ? problem : `index ${used} out of range` }];
    }
    if (problem !== undefined) return [{ position, message: problem }];
    const refused = verb === 's' ? unshown(value, checked) : unaccepted(verb, value, checked);
    if (refused !== undefined) return [refused];
    used++;
  }
  if (elements.length <= used) return [];
  const message = `too many arguments supplied to string.format (expected ${used}, got ${elements.length})`;
  return [{ position, message }];
}

function unaccepted(verb: string, value: Expression, checked: CheckedExpression): SourceProblem | undefined {
  const [kinds, refusal] = ACCEPTED.get(verb) ?? [];
  return kinds === undefined || refusal === undefined ? undefined : mismatch(kinds, refusal, value, checked);
}

/** Examines the parts of literals too. */
function unshown(value: Expression, checked: CheckedExpression): SourceProblem | undefined {
  const own = mismatch(SHOWN, SHOWN_REFUSAL, value, checked);
  if (own !== undefined) return own;
  for (const part of partsOf(value)) {
    const below = unshown(part, checked);
    if (below !== undefined) return below;
  }
  return undefined;
}

function partsOf(value: Expression): readonly Expression[] {
  if (value.kind === 'list') return value.elements;
  return value.kind === 'map' ? value.entries.flatMap((entry) => [entry.key, entry.value]) : [];
}

function mismatch(
  kinds: readonly TypeKind[],
  refusal: string,
  value: Expression,
  { types }: CheckedExpression,
): SourceProblem | undefined {
  const { kind, name } = types.get(value) ?? DYN;
  if (kind === 'dyn' || kinds.includes(kind)) return undefined;
  return { position: value.position, message: `error during formatting: ${refusal}, was given ${name}` };
}
