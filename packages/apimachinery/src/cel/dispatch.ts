import type { Overload } from './overload.js';
import { isOptional, type Type } from './types.js';
import {
  Duration,
  ListValue,
  MapValue,
  ObjectValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  UnsignedInteger,
  type Value,
} from './values.js';

type Test = (value: Value) => boolean;

/** Whether an overload accepts these arguments, by their run-time types rather than their declared ones. */
export function accepts(overload: Overload, args: readonly Value[]): boolean {
  const tests = testsOf(overload);
  return tests.length === args.length && tests.every((test, index) => test(args[index] ?? null));
}

/** Like {@link accepts}, prepared for many calls with the right number of arguments. */
export function acceptor(overload: Overload): (args: readonly Value[]) => boolean {
  const tests = testsOf(overload);
  const [first, second] = tests;
  if (first !== undefined && tests.length === 1) return ([value = null]) => first(value);
  if (first !== undefined && second !== undefined && tests.length === 2) {
    return ([left = null, right = null]) => first(left) && second(right);
  }
  return (args) => tests.every((test, index) => test(args[index] ?? null));
}

function testsOf({ signature, takesAnyItems = false }: Overload): Test[] {
  return signature.arguments.map((type) => (takesAnyItems && type.kind === 'list' ? TESTS.list : testOf(type)));
}

const always: Test = () => true;

const TESTS: Readonly<Record<Exclude<Type['kind'], 'object' | 'opaque'>, Test>> = {
  dyn: always,
  error: always,
  parameter: always,
  int: (value) => typeof value === 'bigint',
  double: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  uint: (value) => value instanceof UnsignedInteger,
  bytes: (value) => value instanceof Uint8Array,
  list: (value) => value instanceof ListValue,
  map: (value) => value instanceof MapValue,
  timestamp: (value) => value instanceof Timestamp,
  duration: (value) => value instanceof Duration,
  type: (value) => value instanceof TypeValue,
};

/** Whether a value has a type. The first item decides about a list. Upstream: cel-go `common/types`, IsAssignableRuntimeType. */
function testOf(type: Type): Test {
  const { kind, name, parameters } = type;
  const [item] = parameters;
  if (kind === 'list' && item !== undefined) return testOfList(testOf(item));
  if (kind === 'object') return (value) => value instanceof ObjectValue && value.typeName === name;
  if (kind !== 'opaque') return TESTS[kind];
  if (isOptional(type)) return (value) => value instanceof OptionalValue;
  return (value) => value instanceof OpaqueValue && value.typeName === name;
}

function testOfList(item: Test): Test {
  if (item === always) return TESTS.list;
  return (value) => value instanceof ListValue && (value.size === 0 || item(value.at(0)));
}
