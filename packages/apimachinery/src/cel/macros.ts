import {
  ADD,
  CONDITIONAL,
  EQUALS,
  LOGICAL_AND,
  LOGICAL_NOT,
  LOGICAL_OR,
  MAP_INSERT,
  NOT_STRICTLY_FALSE,
} from './operators.js';
import type { Call, Comprehension, Expression, LiteralValue } from './syntax-tree.js';
import { TokenError } from './tokens.js';

/** The accumulator variable of a comprehension. No source can contain this name. */
export const ACCUMULATOR = '@result';
/** The list that `sortBy` sorts. */
const SORTED = '@__sortBy_input__';
/** The variable of a comprehension over an empty list, which only binds its accumulator. */
const UNUSED = '#unused';

type Expand = (call: Call, target: Expression) => Expression;

/**
 * Macros with a target, by name and number of arguments. Upstream: cel-go `parser/macro.go`, `ext/comprehensions.go`
 * (two variables), `ext/lists.go` and `cel/library.go` (optional values).
 */
const MACROS: ReadonlyMap<string, Expand> = new Map<string, Expand>([
  ['all/2', all],
  ['all/3', all],
  ['exists/2', exists],
  ['exists/3', exists],
  ['exists_one/2', existsOne],
  ['existsOne/2', existsOne],
  ['existsOne/3', existsOne],
  ['map/2', map],
  ['map/3', map],
  ['filter/2', filter],
  ['transformList/3', transformList],
  ['transformList/4', transformList],
  ['transformMap/3', transformMap],
  ['transformMap/4', transformMap],
  ['transformMapEntry/3', transformMapEntry],
  ['transformMapEntry/4', transformMapEntry],
  ['sortBy/2', sortBy],
  ['optMap/2', optionalMap],
  ['optFlatMap/2', optionalFlatMap],
]);

/**
 * Expands a call if it is a macro; otherwise returns the call. `bindings` adds `cel.bind`. Throws `TokenError` for
 * invalid arguments.
 */
export function expandMacro(call: Call, bindings = false): Expression {
  if (bindings && isBind(call)) return bindName(call);
  if (call.target === undefined) return call.name === 'has' && call.arguments.length === 1 ? has(call) : call;
  return MACROS.get(`${call.name}/${call.arguments.length}`)?.(call, call.target) ?? call;
}

function isBind({ name, target, arguments: { length } }: Call): boolean {
  return name === 'bind' && length === 3 && target?.kind === 'identifier' && target.name === 'cel';
}

/** Upstream: cel-go `ext/bindings.go`. */
function bindName(call: Call): Expression {
  const name = argument(call, 0);
  if (name.kind !== 'identifier') {
    throw new TokenError(name.position, 'cel.bind() variable names must be simple identifiers');
  }
  return builder(call).bound(name.name, argument(call, 1), last(call));
}

function has(call: Call): Expression {
  const operand = argument(call, 0);
  if (operand.kind !== 'select' || operand.presence) {
    throw new TokenError(operand.position, 'invalid argument to has() macro');
  }
  return { ...operand, position: call.position, presence: true };
}

function all(call: Call, range: Expression): Expression {
  const node = builder(call);
  return node.fold(range, call.arguments.length - 1, {
    initial: node.bool(true),
    condition: node.call(NOT_STRICTLY_FALSE, node.accumulator),
    step: node.call(LOGICAL_AND, node.accumulator, last(call)),
  });
}

function exists(call: Call, range: Expression): Expression {
  const node = builder(call);
  return node.fold(range, call.arguments.length - 1, {
    initial: node.bool(false),
    condition: node.call(NOT_STRICTLY_FALSE, node.call(LOGICAL_NOT, node.accumulator)),
    step: node.call(LOGICAL_OR, node.accumulator, last(call)),
  });
}

function existsOne(call: Call, range: Expression): Expression {
  const node = builder(call);
  return node.fold(range, call.arguments.length - 1, {
    initial: node.int(0n),
    step: node.call(CONDITIONAL, last(call), node.call(ADD, node.accumulator, node.int(1n)), node.accumulator),
    result: node.call(EQUALS, node.accumulator, node.int(1n)),
  });
}

function map(call: Call, range: Expression): Expression {
  return gatherList(call, range, 1);
}

function transformList(call: Call, range: Expression): Expression {
  return gatherList(call, range, 2);
}

/** After the variables come an optional filter and the expression to collect. */
function gatherList(call: Call, range: Expression, variables: number): Expression {
  const node = builder(call);
  const add = node.call(ADD, node.accumulator, node.list(last(call)));
  return node.fold(range, variables, { initial: node.list(), step: node.where(variables, add) });
}

function filter(call: Call, range: Expression): Expression {
  const node = builder(call);
  const add = node.call(ADD, node.accumulator, node.list(argument(call, 0)));
  return node.fold(range, 1, { initial: node.list(), step: node.call(CONDITIONAL, last(call), add, node.accumulator) });
}

function transformMap(call: Call, range: Expression): Expression {
  const node = builder(call);
  const insert = node.call(MAP_INSERT, node.accumulator, argument(call, 0), last(call));
  return node.fold(range, 2, { initial: node.map(), step: node.where(2, insert) });
}

function transformMapEntry(call: Call, range: Expression): Expression {
  const node = builder(call);
  const insert = node.call(MAP_INSERT, node.accumulator, last(call));
  return node.fold(range, 2, { initial: node.map(), step: node.where(2, insert) });
}

/** Binds the list to a name, so that it is evaluated once, and sorts it by a list of keys. */
function sortBy(call: Call, target: Expression): Expression {
  if (target.kind === 'literal' || target.kind === 'map' || target.kind === 'message') {
    const where = 'a list, identifier, comprehension, call or select expression';
    throw new TokenError(target.position, `sortBy can only be applied to ${where}`);
  }
  const node = builder(call);
  const input = node.identifier(SORTED);
  const keys = gatherList(call, node.identifier(SORTED), 1);
  return node.bound(SORTED, target, node.receive(input, '@sortByAssociatedKeys', keys));
}

function optionalMap(call: Call, target: Expression): Expression {
  const node = builder(call);
  const some = node.receive(node.identifier('optional'), 'of', node.bind(target, last(call)));
  return node.call(CONDITIONAL, node.receive(target, 'hasValue'), some, node.none());
}

function optionalFlatMap(call: Call, target: Expression): Expression {
  const node = builder(call);
  return node.call(CONDITIONAL, node.receive(target, 'hasValue'), node.bind(target, last(call)), node.none());
}

interface Fold {
  readonly initial: Expression;
  /** Default: true. */
  readonly condition?: Expression;
  readonly step: Expression;
  /** Default: the accumulator. */
  readonly result?: Expression;
}

/** Builds nodes at the position of the call. */
function builder(origin: Call) {
  const { position } = origin;
  const literal = (value: LiteralValue): Expression => ({ kind: 'literal', position, value });
  const identifier = (name: string): Expression => ({ kind: 'identifier', position, name });
  const receive = (target: Expression | undefined, name: string, ...args: Expression[]): Expression => ({
    kind: 'call',
    position,
    name,
    target,
    arguments: args,
  });
  const call = (name: string, ...args: Expression[]): Expression => receive(undefined, name, ...args);
  const list = (...elements: Expression[]): Expression => ({ kind: 'list', position, elements, optional: new Set() });
  const bool = (value: boolean): Expression => literal({ type: 'bool', value });
  const accumulator = identifier(ACCUMULATOR);
  const bound = (name: string, value: Expression, inside: Expression): Comprehension =>
    binding(position, name, value, inside);

  return {
    accumulator,
    bool,
    call,
    identifier,
    list,
    receive,
    int: (value: bigint): Expression => literal({ type: 'int', value }),
    map: (): Expression => ({ kind: 'map', position, entries: [] }),
    none: (): Expression => receive(identifier('optional'), 'none'),
    /** `step`, guarded by the argument between the variables and the last one, if there is one. */
    where: (variables: number, step: Expression): Expression =>
      origin.arguments.length === variables + 2
        ? call(CONDITIONAL, argument(origin, variables), step, accumulator)
        : step,
    fold: (range: Expression, variables: number, fold: Fold): Comprehension => {
      const [variable = '', secondVariable] = variableNames(origin, variables);
      return {
        kind: 'comprehension',
        position,
        range,
        variable,
        secondVariable,
        accumulator: ACCUMULATOR,
        initial: fold.initial,
        condition: fold.condition ?? bool(true),
        step: fold.step,
        result: fold.result ?? accumulator,
      };
    },
    bound,
    /** `inside`, with the value of the optional `target` bound to the name in the call. */
    bind: (target: Expression, inside: Expression): Comprehension => {
      const [name = ''] = variableNames(origin, 1);
      return bound(name, receive(target, 'value'), inside);
    },
  };
}

/** `inside`, with `value` bound to a name. */
function binding(position: number, name: string, value: Expression, inside: Expression): Comprehension {
  return {
    kind: 'comprehension',
    position,
    range: { kind: 'list', position, elements: [], optional: new Set() },
    variable: UNUSED,
    secondVariable: undefined,
    accumulator: name,
    initial: value,
    condition: { kind: 'literal', position, value: { type: 'bool', value: false } },
    step: { kind: 'identifier', position, name },
    result: inside,
  };
}

function variableNames(call: Call, count: number): string[] {
  const names = call.arguments.slice(0, count).map((expression) => {
    if (expression.kind !== 'identifier' || expression.name.startsWith('.')) {
      throw new TokenError(expression.position, 'argument must be a simple name');
    }
    return expression.name;
  });
  const [first, second] = names;
  if (first !== undefined && first === second) {
    throw new TokenError(argument(call, 1).position, `duplicate variable name: ${first}`);
  }
  return names;
}

function argument(call: Call, index: number): Expression {
  const found = call.arguments[index];
  if (found === undefined) throw new RangeError(`${call.name} has no argument ${index}`);
  return found;
}

function last(call: Call): Expression {
  return argument(call, call.arguments.length - 1);
}
