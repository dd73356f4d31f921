import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  Budget,
  checkExpression,
  compileExpression,
  CostLimitError,
  type Environment,
  estimateCost,
  groupOverloads,
  INT,
  KUBERNETES_FUNCTIONS,
  ListValue,
  listOf,
  objectType,
  parseExpression,
  programProblem,
  SourceError,
  STANDARD_TYPES,
  STRING,
  type Type,
  UNBOUNDED,
  validateLiterals,
  type Value,
} from './index.js';

const functions = groupOverloads(KUBERNETES_FUNCTIONS);
const item = objectType('item', new Map<string, Type>([['name', STRING]]));
const self = objectType(
  'self',
  new Map<string, Type>([
    ['count', INT],
    ['items', listOf(item)],
    ['tags', listOf(STRING)],
  ]),
);
const environment: Environment = {
  variables: new Map<string, Type>([
    ['self', self],
    ['text', STRING],
    ['numbers', listOf(INT)],
    ['others', listOf(INT)],
  ]),
  functions,
  types: STANDARD_TYPES,
};

function check(source: string) {
  return checkExpression(source, parseExpression(source), environment);
}

function run(source: string, values: Record<string, Value>, limit = 1e6): Value {
  return compileExpression(check(source), environment)((name) => values[name], new Budget(limit));
}

function problem(source: string): string {
  try {
    check(source);
  } catch (error) {
    if (error instanceof SourceError) return error.message;
    throw error;
  }
  return '';
}

describe('CEL', () => {
  test('an error points at its position', () => {
    assert.equal(problem('self.nope > 1'), "ERROR: <input>:1:5: undefined field 'nope'\n | self.nope > 1\n | ....^");
    const starters =
      "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
    assert.equal(
      problem('1 +'),
      `ERROR: <input>:1:4: Syntax error: mismatched input '<EOF>' expecting ${starters}\n | 1 +\n | ...^`,
    );
    assert.match(
      problem('self.items.all(i,\n  i.size > 0)'),
      /^ERROR: <input>:2:4: undefined field 'size'\n \|   i\.size > 0\)\n \| \.\.\.\^$/,
    );
    assert.match(
      problem("'é' + 1"),
      /found no matching overload for '_\+_' applied to '\(string, int\)'\n \| 'é' \+ 1\n \| \.．\.\.\^$/u,
    );
  });

  test('type errors are all reported, in source order', () => {
    const lines = problem('self.a == 1 && self.b && nothing')
      .split('\n')
      .filter((line) => line.startsWith('ERROR'));
    assert.deepEqual(lines, [
      "ERROR: <input>:1:5: undefined field 'a'",
      "ERROR: <input>:1:20: undefined field 'b'",
      "ERROR: <input>:1:26: undeclared reference to 'nothing' (in container '')",
    ]);
  });

  test('nesting is bounded, a long chain is not', () => {
    assert.match(problem(`${'('.repeat(300)}1${')'.repeat(300)}`), /expression recursion limit exceeded: 250/);
    assert.equal(run(Array.from({ length: 2000 }, () => 'true').join(' && '), {}), true);
  });

  test('the cost budget stops a runaway expression', () => {
    const numbers = ListValue.of(Array.from({ length: 1000 }, (_, index) => BigInt(index)));
    const source = 'numbers.all(a, numbers.all(b, numbers.all(c, a + b + c >= 0)))';
    assert.throws(() => run(source, { numbers }), CostLimitError);
    const lists = ListValue.of(Array.from({ length: 100_000 }, (_, index) => BigInt(index)));
    assert.throws(() => run('numbers.distinct().size() > 0', { numbers: lists }), CostLimitError);
    assert.throws(() => run('lists.range(1000000000).size() > 0', {}), CostLimitError);
  });

  test('a comparison of values with shared parts stops at its limit', () => {
    const twice = `[[1]]${'.map(a, [a, a])'.repeat(40)}`;
    assert.throws(() => run(`${twice} == ${twice}`, {}), CostLimitError);
    assert.equal(run("[[1, [2]], [3]] == [[1, [2]], [3]] && {'a': [1]} == {'a': [1]}", {}), true);
  });

  test('a comparison pays for every nested value that it visits', () => {
    const make = (): ListValue => ListValue.of(Array.from({ length: 1000 }, (_, index) => BigInt(index)));
    const holding = (name: string): string => `[${Array.from({ length: 100 }, () => name).join(',')}]`;
    const source = `${holding('numbers')} == ${holding('others')}`;
    const values = { numbers: make(), others: make() };
    assert.equal(run(source, values, 20_000), true);
    assert.throws(() => run(source, values, 5000), CostLimitError);
  });

  test('a double prints as Go prints it', () => {
    const texts = ['999999.5', '1000000.0', '1234567.5', '0.0001', '0.00001', '-0.0'];
    assert.deepEqual(
      texts.map((text) => run(`string(${text}) + ' ' + '%s'.format([${text}])`, {})),
      ['999999.5', '1e+06', '1.2345675e+06', '0.0001', '1e-05', '-0'].map((text) => `${text} ${text}`),
    );
  });

  test('a timestamp prints in the zone in which it was written', () => {
    const texts = ['2020-01-01T00:00:00.5+01:00', '2020-01-01T00:00:00-23:59', '2020-01-01T00:00:00-00:00'];
    assert.deepEqual(
      texts.slice(0, 2).map((text) => run(`string(timestamp('${text}') + duration('1s') - duration('1s'))`, {})),
      texts.slice(0, 2),
    );
    assert.equal(run(`string(timestamp('${texts[2]}'))`, {}), '2020-01-01T00:00:00Z');
    assert.equal(run("string(timestamp('0001-01-01T00:00:00Z'))", {}), '0001-01-01T00:00:00Z');
  });

  test('only a quantity in 64 bits without a fraction is an integer', () => {
    const texts = ['1', '1k', '1.0', '1500m', '1Ei', '1000m', '9223372036854775807', '1e18'];
    assert.deepEqual(
      texts.map((text) => run(`quantity('${text}').isInteger()`, {})),
      [true, true, false, false, false, false, false, true],
    );
    assert.equal(run("quantity('1.5').add(quantity('0.5')).isInteger()", {}), false);
    assert.equal(run("quantity('1e-9').asApproximateFloat()", {}), 1e-9);
    assert.equal(run("quantity('3e23').asApproximateFloat()", {}), 3 * 1e23);
  });

  test('texts within lists are quoted as in Go', () => {
    assert.equal(run("'%s'.format([['\u2028\u00e9']])", {}), '["\\u2028\u00e9"]');
  });

  test('a large part of a version is negative', () => {
    assert.equal(run("semver('18446744073709551615.0.9223372036854775808').major()", {}), -1n);
  });

  test('a duration prints in seconds without an exponent', () => {
    const spans = ['1h1.5s', '-100ns', '1ns', '0s', '2562047h47m16.854775807s'];
    assert.deepEqual(
      spans.map((span) => run(`string(duration('${span}'))`, {})),
      ['3601.5s', '-0.0000001s', '0.000000001s', '0s', '9223372036.854776s'],
    );
  });

  test('a time zone has one spelling', () => {
    const hours = (zone: string) => run(`timestamp('2026-01-01T00:00:00Z').getHours('${zone}')`, {});
    assert.deepEqual(['', 'UTC', 'Asia/Tokyo', 'Asia/Calcutta', '-02:30'].map(hours), [0n, 0n, 9n, 5n, 21n]);
    for (const zone of ['asia/tokyo', 'utc', 'ASIA/TOKYO', 'PST', '+02']) {
      assert.throws(() => hours(zone), new RegExp(`unknown time zone ${zone.replace('+', '.')}`));
    }
  });

  test('a pattern takes linear time', () => {
    assert.equal(run("text.matches('^(a+)+$')", { text: `${'a'.repeat(5000)}!` }, 1e9), false);
  });

  test('findAll leaves out an empty match that follows another match at once', () => {
    for (const [source, size] of [
      ["'a'.findAll('a*')", 1],
      ["'ab'.findAll('a*')", 2],
      ["'bab'.findAll('a*')", 3],
      ["'bab'.findAll('a*', 2)", 2],
      ["''.findAll('a*')", 1],
    ] as const) {
      assert.equal(run(`${source}.size() == ${size}`, {}), true, source);
    }
  });

  test("estimates follow the schema's limits", () => {
    const sizes = (path: readonly string[]) => (path.join('.') === 'self.items' ? { min: 0, max: 10 } : undefined);
    const bounded = estimateCost(check("self.items.all(i, i.name == 'x')"), sizes);
    assert.ok(bounded.max > 10 && bounded.max < 200, String(bounded.max));
    assert.equal(estimateCost(check("self.tags.all(t, t == 'x')"), sizes).max, UNBOUNDED);
  });

  test("the cost of an evaluation equals upstream's", () => {
    const cost = (source: string): number => {
      const budget = new Budget(1e6);
      const values: Record<string, Value> = { text: 'abc', numbers: ListValue.of([1n, 2n, 3n]) };
      compileExpression(check(source), environment)((name) => values[name], budget);
      return budget.spent;
    };
    // Reading variables, fields and items costs; literals and searches in literals are free.
    assert.equal(cost("text == 'abc'"), 2);
    assert.equal(cost("text in ['abc', 'def']"), 1);
    assert.equal(cost('numbers == [1, 2, 3]'), 2);
    assert.equal(cost('type(numbers[0]) == int'), 4);
    assert.equal(cost("duration('1h') == duration('60m')"), 1);
    // Each iteration: the condition's call and its operand, and the step's operands.
    assert.equal(cost('numbers.all(n, n > 0)'), 2 + 3 * 5);
    assert.equal(cost('size(numbers.filter(n, n > 1))'), 3 + 3 * 2 + 2 * 13);
    assert.equal(cost('numbers.exists_one(n, n == 2)'), 3 + 3 * 2 + 2);
  });

  test('sortBy sorts lists by their keys', () => {
    assert.equal(run("['ccc', 'a', 'bb'].sortBy(t, size(t)) == ['a', 'bb', 'ccc']", {}), true);
    assert.equal(run('numbers.sortBy(n, -n).map(n, n * 2)[0] == 6', { numbers: ListValue.of([1n, 3n, 2n]) }), true);
    assert.match(problem("{'a': 1}.sortBy(k, k)"), /sortBy can only be applied to a list, identifier/);
  });

  test('invalid literals and mixed lists are reported before evaluation', () => {
    const told = (source: string): string => {
      try {
        validateLiterals(check(source), environment);
        return '';
      } catch (error) {
        if (error instanceof SourceError) return error.problems.map(({ message }) => message).join();
        throw error;
      }
    };
    assert.equal(told("duration('1d') == duration('1h')"), 'invalid duration argument');
    assert.equal(told("timestamp('2026-13-01T00:00:00Z') == timestamp(0)"), 'invalid timestamp argument');
    assert.equal(told("text.matches('x++')"), 'invalid matches argument');
    assert.equal(told("size(['a', 1, 2]) == 3"), "expected type 'string' but found 'int'");
    assert.equal(told("{'a': 1, 'b': 'c'}.size() == 2"), "expected type 'int' but found 'string'");
    assert.equal(told("'%s %d'.format(['a', 1]) == 'a 1' && text.matches('a+') && [1, 2] == numbers"), '');
    assert.equal(programProblem(check("text.find(')') == ''"), environment), 'error parsing regexp: unexpected ): `)`');
  });

  test('library values parse strictly', () => {
    assert.equal(
      run("ip('10.0.0.1').family() == 4 && cidr('10.0.0.0/8').containsIP('10.1.2.3') && !isIP('010.0.0.1')", {}),
      true,
    );
    assert.equal(
      run("quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('50k').add(1).asInteger() == 50001", {}),
      true,
    );
    assert.equal(
      run("semver('1.2.3-rc.1').isLessThan(semver('1.2.3')) && isSemver('v1.2', true) && !isSemver('v1.2')", {}),
      true,
    );
    assert.equal(
      run("url('https://a.example:80/b c?d=e&d=f').getHost() + url('https://[::1]:80/').getHostname()", {}),
      'a.example:80::1',
    );
    assert.equal(
      run("format.dns1123Label().validate('A').hasValue() && !format.named('nothing').hasValue()", {}),
      true,
    );
  });
});

describe('syntax errors have the words of upstream', () => {
  const first = (source: string): string[] =>
    problem(source)
      .split('\n')
      .filter((line) => line.startsWith('ERROR'))
      .map((line) => line.replace(/\{.*\}/, '{...}'));
  const cases: readonly (readonly [source: string, errors: readonly string[]])[] = [
    [
      "'a",
      [
        "1:1: Syntax error: token recognition error at: ''a'",
        "1:3: Syntax error: mismatched input '<EOF>' expecting {...}",
      ],
    ],
    [
      '"\\q"',
      [
        `1:1: Syntax error: token recognition error at: '"\\q'`,
        `1:4: Syntax error: token recognition error at: '"'`,
        "1:5: Syntax error: mismatched input '<EOF>' expecting {...}",
      ],
    ],
    [
      'text = "a"',
      [
        "1:6: Syntax error: token recognition error at: '= '",
        `1:8: Syntax error: extraneous input '"a"' expecting <EOF>`,
      ],
    ],
    ['text text', ["1:6: Syntax error: extraneous input 'text' expecting <EOF>"]],
    ['text.', ["1:6: Syntax error: no viable alternative at input '.'"]],
    ['[', ["1:2: Syntax error: mismatched input '<EOF>' expecting {...}"]],
    ['A{b.c: 1}', ["1:4: Syntax error: missing ':' at '.'", "1:6: Syntax error: mismatched input ':' expecting {...}"]],
    [
      'if (true) false',
      ['1:1: reserved identifier: if', "1:11: Syntax error: extraneous input 'false' expecting <EOF>"],
    ],
    [
      'in == 1',
      [
        "1:1: Syntax error: mismatched input 'in' expecting {...}",
        "1:4: Syntax error: extraneous input '==' expecting {...}",
      ],
    ],
  ];
  for (const [source, errors] of cases) {
    test(source, () =>
      assert.deepEqual(
        first(source),
        errors.map((error) => `ERROR: <input>:${error}`),
      ),
    );
  }
});

describe('literals of a template', () => {
  test('must fit its clauses', () => {
    const told = (source: string): string => {
      try {
        validateLiterals(check(source), environment);
      } catch (error) {
        if (error instanceof SourceError) return error.problems.map(({ message }) => message).join();
        throw error;
      }
      return '';
    };
    assert.equal(
      told("'%d'.format(['x']) == ''"),
      'error during formatting: decimal clause can only be used on integers, was given string',
    );
    assert.equal(told("'%d %s'.format([1, text]) == '' && '%d'.format([1]) == '1'"), '');
    assert.equal(told("'a%%'.format([1]) == ''"), 'too many arguments supplied to string.format (expected 0, got 1)');
    assert.equal(told("'%d %d'.format([1]) == ''"), 'index 1 out of range');
    assert.equal(told("'%'.format([1]) == ''"), 'unexpected end of string');
    assert.equal(
      told("true ? true : '%\u00e9'.format([1]) == ''"),
      'could not parse formatting clause: unrecognized formatting clause "\u00c3"',
    );
    assert.match(told("'%.d'.format([1]) == ''"), /parsing precision.*invalid syntax$/);
    assert.match(told("'%.99999999999999999999d'.format([1]) == ''"), /value out of range$/);
    assert.match(told("'%.9'.format([1]) == ''"), /could not find end of precision specifier$/);
    assert.match(told("'%x'.format([1.5]) == ''"), /only integers, byte buffers, and strings can be formatted as hex/);
    assert.match(told("'%s'.format([{'a': [quantity('1')]}]) == ''"), /was given kubernetes.Quantity$/);
    // Only the types of values count, and only in a literal template.
    assert.equal(told("'%f'.format(['x']) == '' && ('%d' + '').format(['x']) == ''"), '');
  });
});
