/** Scalars that break decoders, validators and stores: limits, prototypes, wrong types, invalid text. */
const strings = [
  '',
  'a',
  'web',
  'default',
  'kube-system',
  '__proto__',
  'constructor',
  'toString',
  'a.b/c',
  'A_B',
  '-',
  '.',
  '..',
  'a/../b',
  'x'.repeat(64),
  'y'.repeat(254),
  'z'.repeat(4000),
  '\u0000',
  '\ud800',
  'é\u202e',
  '🙂',
  'true',
  'null',
  '1',
  '-1',
  '1e999999999',
  '0x10',
  '100m',
  '1Gi',
  '9223372036854775808',
  '10.0.0.1',
  '::1',
  '10.0.0.0/8',
  '2026-02-30T25:61:61Z',
  '2026-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '99999-01-01T00:00:00Z',
  '1h30m',
  '-9223372036854775808ns',
  '* * * * *',
  '61 25 32 13 8',
  '(a+)+$',
  '[',
  '$(X)',
  '%s',
  '50%',
  '101%',
  'https://example.com',
  'Always',
  'ClusterIP',
  'TCP',
];

const numbers = [0, 1, -1, 2, 3, 80, 443, 65535, 65536, 2147483647, 2147483648, -2147483648, 1.5, -0, 1e21, 1e308];
const rawNumbers = [
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '1e400',
  '-0.0',
  '1E5',
  '0.1e-400',
  '18446744073709551616',
  '-1e-9999',
  `1${'0'.repeat(400)}`,
  '9'.repeat(5000),
];

export const anyString = (random) => random.pick(strings);
export const anyNumber = (random) => random.pick(numbers);
/** Numbers that JavaScript cannot represent, as raw text for a body. */
export const anyRawNumber = (random) => random.pick(rawNumbers);

/** Any JSON value, at most `depth` deep. */
export function anyValue(random, depth = 3) {
  const choice = random.weighted({
    string: 5,
    number: 3,
    boolean: 1,
    null: 1,
    list: depth > 0 ? 1 : 0,
    object: depth > 0 ? 2 : 0,
  });
  switch (choice) {
    case 'string':
      return anyString(random);
    case 'number':
      return anyNumber(random);
    case 'boolean':
      return random.chance(0.5);
    case 'list':
      return Array.from({ length: random.integer(0, 4) }, () => anyValue(random, depth - 1));
    case 'object':
      return Object.fromEntries(
        Array.from({ length: random.integer(0, 4) }, () => [anyString(random), anyValue(random, depth - 1)]),
      );
    default:
      return null;
  }
}

const plausible = {
  string: (random) => random.weighted({ web: 6, a: 3, b: 2, default: 2, 'nginx:1': 2, app: 1 }),
  boolean: (random) => random.chance(0.5),
  integer: (random) => random.integer(0, 100),
  number: (random) => random.integer(0, 100) / 4,
  bytes: () => 'aGVsbG8=',
  time: () => '2026-01-01T00:00:00Z',
  microTime: () => '2026-01-01T00:00:00.000000Z',
  duration: () => '1h0m0s',
  quantity: (random) => random.weighted({ '100m': 2, '1Gi': 2, 1: 1 }),
  intOrString: (random) => (random.chance(0.5) ? random.integer(1, 100) : '25%'),
  any: (random) => anyValue(random, 2),
};

/** A scalar that the schema allows, and sometimes one that it does not. */
export function scalarOf(random, schema, mischief) {
  if (random.chance(mischief)) return anyValue(random, 2);
  if (random.chance(mischief)) return anyString(random);
  if (schema.enum !== undefined) return random.pick(schema.enum);
  return plausible[schema.kind](random);
}
