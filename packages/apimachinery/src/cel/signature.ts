import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  optionalOf,
  parameter,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  UINT,
} from './types.js';

/** The parameter and result types of a function. The first parameter of a member function is its target. */
export interface Signature {
  readonly isMember: boolean;
  readonly arguments: readonly Type[];
  readonly result: Type;
}

const PLAIN: ReadonlyMap<string, Type> = new Map(
  [BOOL, BYTES, DOUBLE, DURATION, DYN, INT, NULL, STRING, TIMESTAMP, UINT].map((type) => [type.name, type]),
);
const TYPE_PARAMETER = /^[A-Z]$/;
const PART = /[\w.]+|->|[(),]/g;

/**
 * Parses `(list(A), int) -> A`, or `string.(string) -> bool` for a member. A capital letter is a type parameter; an
 * unknown name is an opaque type. Throws a `SyntaxError` for a mistake, because only declarations in this program use
 * it.
 */
export function parseSignature(text: string): Signature {
  const parts = text.match(PART) ?? [];
  let at = 0;
  const expect = (part: string): void => {
    if (parts[at++] !== part) throw new SyntaxError(`signature ${text}: no ${part} at part ${at}`);
  };
  const readList = (): Type[] => {
    expect('(');
    const types: Type[] = [];
    while (parts[at] !== ')') {
      if (types.length > 0) expect(',');
      types.push(readType());
    }
    expect(')');
    return types;
  };
  const readType = (): Type => {
    const name = parts[at++] ?? '';
    return typeNamed(name, parts[at] === '(' ? readList() : []);
  };
  const target: Type[] = [];
  if (parts[at] !== '(') {
    // The tokenizer reads the dot before the parameters as part of the name.
    const name = parts[at] ?? '';
    if (name.endsWith('.')) {
      at++;
      target.push(typeNamed(name.slice(0, -1), []));
    } else {
      target.push(readType());
      expect('.');
    }
  }
  const rest = readList();
  expect('->');
  return { isMember: target.length > 0, arguments: [...target, ...rest], result: readType() };
}

function typeNamed(name: string, parameters: readonly Type[]): Type {
  const [first = DYN, second = DYN] = parameters;
  if (name === 'list') return listOf(first);
  if (name === 'map') return mapOf(first, second);
  if (name === 'type') return typeOf(first);
  if (name === 'optional') return optionalOf(first);
  if (TYPE_PARAMETER.test(name)) return parameter(name);
  return PLAIN.get(name) ?? opaque(name, parameters);
}
