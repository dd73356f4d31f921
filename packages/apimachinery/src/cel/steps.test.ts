import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  Budget,
  checkExpression,
  compileExpression,
  COST_PER_STEP,
  CostLimitError,
  DYN,
  type Environment,
  EvaluationError,
  groupOverloads,
  INT,
  KUBERNETES_FUNCTIONS,
  ListValue,
  listOf,
  mapOf,
  mapOfEntries,
  parseExpression,
  type Program,
  STANDARD_TYPES,
  STRING,
  type Type,
  type Value,
} from './index.js';

const environment: Environment = {
  variables: new Map<string, Type>([
    ['numbers', listOf(INT)],
    ['texts', listOf(STRING)],
    ['lists', listOf(listOf(INT))],
    ['text', STRING],
    ['any', DYN],
    ['other', DYN],
    ['third', DYN],
    ['named', mapOf(STRING, INT)],
  ]),
  functions: groupOverloads(KUBERNETES_FUNCTIONS),
  types: STANDARD_TYPES,
};

const numbers = (count: number): ListValue => ListValue.of(Array.from({ length: count }, (_, index) => BigInt(index)));
const repeated = (count: number, value: Value): ListValue => ListValue.of(Array.from({ length: count }, () => value));

function compile(source: string): Program {
  return compileExpression(checkExpression(source, parseExpression(source), environment), environment);
}

/** The outcome of an evaluation, its steps, and the most that one of them cost. */
function play(source: string, values: Record<string, Value>, limit = 1e6) {
  const { inSteps } = compile(source);
  assert.ok(inSteps !== undefined, `${source} has steps`);
  const budget = new Budget(limit);
  const evaluation = inSteps((name) => values[name], budget);
  let [steps, most, before] = [0, 0, 0];
  const outcome = ((): Value | Error => {
    try {
      for (;;) {
        const step = evaluation.next();
        steps++;
        most = Math.max(most, budget.spent - before);
        before = budget.spent;
        if (step.done === true) return step.value;
      }
    } catch (error) {
      if (error instanceof EvaluationError || error instanceof CostLimitError) return error;
      throw error;
    }
  })();
  return { outcome, steps, most };
}

describe('an expression without a loop or a function of a long text', () => {
  for (const source of ['1 + 1 == 2', 'any.a.b == "c" && any.d in ["e"]', 'numbers[0] > 1', 'size(numbers) > 0']) {
    test(`evaluates at once: ${source}`, () => assert.equal(compile(source).inSteps, undefined));
  }

  test('evaluates at once if it only binds a name', () => {
    assert.equal(compile("named[?'a'].optMap(n, n + 1).hasValue()").inSteps, undefined);
  });
});

test('a long text may have hundreds of thousands of matches', () => {
  const { outcome } = play("text.findAll('a').size() == 100000", { text: 'a'.repeat(100_000) });
  assert.equal(outcome, true);
});

describe('searches that read a long text many times', () => {
  test('end with the instructions that an evaluation may execute', () => {
    const { outcome, steps } = play("text.findAll('a(.*b)?').size() > 0", { text: 'a'.repeat(100_000) });
    assert.ok(outcome instanceof CostLimitError);
    assert.ok(steps >= 500 && steps <= 2000, `${steps} steps`);
  });

  test('count together', () => {
    const budget = new Budget(1e6);
    budget.search(60_000_000);
    assert.throws(() => budget.search(60_000_000), CostLimitError);
  });
});

describe('an expression starts again in steps if it takes long', () => {
  /** The work of an evaluation, and of each of its steps. */
  function work(source: string, values: Record<string, Value>, limit = 1e9) {
    const { inSteps } = compile(source);
    assert.ok(inSteps !== undefined, source);
    const budget = new Budget(limit);
    const evaluation = inSteps((name) => values[name], budget);
    const steps: number[] = [];
    for (let before = 0; ; before = budget.done) {
      const { done } = evaluation.next();
      steps.push(budget.done - before);
      if (done === true) return { steps, spent: budget.spent };
    }
  }

  test('and not for small values', () => {
    assert.equal(
      work('text.upperAscii() == "A" && texts.all(t, t.startsWith("a"))', { text: 'a', texts: repeated(100, 'a') })
        .steps.length,
      1,
    );
  });

  const long = 'aA'.repeat(200_000);
  for (const call of ['upperAscii()', 'lowerAscii()', 'trim()', 'size()', 'substring(1)', 'indexOf("b")']) {
    test(`between calls of ${call}`, () => {
      const source = Array.from({ length: 8 }, () => `dyn(text.${call}) != 0`).join(' && ');
      const { steps } = work(source, { text: long });
      assert.ok(steps.length >= 4, `${steps.length} steps`);
    });
  }

  test('and costs the same', () => {
    const source = '[1].all(n, text.upperAscii() == text.upperAscii() && numbers.all(m, m + n > 0))';
    const values = { text: long, numbers: numbers(10_000) };
    const budget = new Budget(1e9);
    compile(source)((name) => values[name as keyof typeof values], budget);
    const { steps, spent } = work(source, values);
    assert.equal(spent, budget.spent);
    assert.ok(steps.length > 10, `${steps.length} steps`);
  });

  test('and spends its limit in steps too', () => {
    const { outcome } = play('numbers.all(n, text.upperAscii() != "a")', { text: long, numbers: numbers(100) }, 1e6);
    assert.ok(outcome instanceof CostLimitError);
  });
});

describe('an expression with a loop yields', () => {
  const values = { numbers: numbers(1000), texts: repeated(1000, 'abc'), text: 'abc' };
  /** Each is longer than the budget of one expression. */
  const endless = [
    'numbers.all(a, numbers.all(b, a + b >= 0))',
    'numbers.exists(a, numbers.exists(b, numbers.exists(c, a + b + c < 0)))',
    'numbers.map(a, numbers.map(b, [a, b])).size() > 0',
    'numbers.filter(a, texts.exists_one(t, t == text)).size() == 0',
    'size(numbers.transformList(i, v, numbers.map(n, n + i))) > 0',
    'numbers.sortBy(n, numbers.all(m, m >= 0)).size() > 0',
    '[numbers.all(a, numbers.all(b, true))] == [{"a": numbers.all(a, numbers.all(b, true))}.a]',
    '(text == "abc" ? numbers.all(a, numbers.all(b, true)) : true) && true',
  ];
  for (const source of endless) {
    test(source, () => {
      const { outcome, steps, most } = play(source, values);
      assert.ok(outcome instanceof CostLimitError);
      assert.ok(steps >= 1e6 / COST_PER_STEP / 2, `${steps} steps`);
      assert.ok(most < 2 * COST_PER_STEP, `${most} in one step`);
    });
  }

  test('and each step carries the work of its functions', () => {
    const long = 'é'.repeat(500_000);
    const { outcome, steps } = play('numbers.all(n, size(text) == 500000)', { ...values, text: long });
    assert.equal(outcome, true);
    assert.ok(steps > 50, `${steps} steps`);
  });
});

describe('operators over loops', () => {
  const values = { numbers: numbers(3), named: ListValue.of([]), any: null };
  const fails = 'numbers.all(n, 1 / 0 > n)';
  const cases: readonly (readonly [source: string, outcome: Value | RegExp])[] = [
    [`${fails} || true`, true],
    [`true || ${fails}`, true],
    [`false && ${fails}`, false],
    [`${fails} && false`, false],
    [`${fails} || false`, /^division by zero$/],
    [`any == null ? numbers.all(n, n < 3) : ${fails}`, true],
    [`${fails} ? 1 : 2`, /^division by zero$/],
    ['numbers.exists(n, n == 2 || 1 / n > 5)', true],
    ['numbers.exists(n, 1 / n == 1)', true],
    ['numbers.all(n, 1 / n >= 0)', /^division by zero$/],
    ['numbers.map(n, numbers.filter(m, m < n)).map(l, size(l)) == [0, 1, 2]', true],
    ['{"a": numbers.map(n, n)}.a[numbers.filter(n, n > 1)[0]] == 2', true],
    ['[?optional.of(numbers.map(n, n))] == [[0, 1, 2]]', true],
    ['[?dyn(numbers.map(n, n)), 1 / 0]', /^cannot initialize optional entry from non-optional value$/],
    ['numbers.transformMap(i, n, numbers.exists(m, m > n)) == {0: true, 1: true, 2: false}', true],
    ['has({"a": numbers.all(n, true)}.a)', true],
    ['!numbers.all(n, n > 0) && -numbers.map(n, n)[1] == -1', true],
  ];
  for (const [source, expected] of cases) {
    test(source, () => {
      const { outcome } = play(source, values);
      if (expected instanceof RegExp) assert.match(outcome instanceof Error ? outcome.message : '', expected);
      else assert.equal(outcome, expected);
    });
  }
});

describe('functions that take long on their own', () => {
  const equalLists = ListValue.of(Array.from({ length: 100 }, () => numbers(1000)));
  const deep = { lists: equalLists, any: equalLists };

  test('yield between comparisons of nested lists, and charge for them', () => {
    for (const source of [
      'lists.distinct().size() == 1',
      'sets.contains(lists, any)',
      'any.indexOf(any[0].map(n, n).map(n, n - 1)) < 0 || true',
    ]) {
      assert.ok(play(source, deep, 1e6).steps > 1, source);
      assert.equal(play(source, deep, 1e6).outcome, true, source);
    }
    const different = ListValue.of(
      Array.from({ length: 300 }, (_, index) => numbers(1000).concat(ListValue.of([BigInt(index)]))),
    );
    const { outcome, most } = play('lists.distinct().size() == 300', { lists: different });
    assert.ok(outcome instanceof CostLimitError);
    assert.ok(most < 500_000, `${most} in one step`);
  });

  test('yield between the matches of a pattern', () => {
    const { outcome, steps } = play("text.findAll('a').size() == 10000", { text: 'ab'.repeat(10_000) });
    assert.equal(outcome, true);
    assert.ok(steps >= 10, `${steps} steps`);
  });

  test('yield within a search for a pattern', () => {
    const text = 'ab'.repeat(20_000);
    for (const source of [
      "text.matches('(a?b?){60}[cd]$') == false",
      "text.find('(a?b?){60}[cd]$') == ''",
      "text.findAll('(a.*c|b)', 20).size() == 20",
    ]) {
      const { outcome, steps } = play(source, { text }, 1e9);
      assert.equal(outcome, true, source);
      assert.ok(steps >= 10, `${source}: ${steps} steps`);
    }
  });

  test('yield between the values of a text', () => {
    const { outcome, steps } = play("'%s'.format([numbers]).size() > 20000", { numbers: numbers(10_000) });
    assert.equal(outcome, true);
    assert.ok(steps >= 5, `${steps} steps`);
  });

  test('yield while they compare large maps, lists and objects', () => {
    const mapped = (count: number, last: Value): Value =>
      mapOfEntries([
        ...Array.from({ length: count }, (_, index): [string, Value] => [`k${index}`, numbers(3)]),
        ['last', last],
      ]);
    const values = { any: mapped(20_000, 1n), other: mapped(20_000, 1n), third: mapped(20_000, 2n) };
    for (const [source, expected] of [
      ['any == other', true],
      ['any != other', false],
      ['any == third', false],
      ['[any] == [third]', false],
      ['{"a": any} == {"a": other}', true],
      ['any == other && any != third && !(any == 1)', true],
    ] as const) {
      const { outcome, steps } = play(source, values, 1e9);
      assert.equal(outcome, expected, source);
      assert.ok(steps >= 3, `${source}: ${steps} steps`);
      assert.equal(
        compile(source)((name) => values[name as keyof typeof values], new Budget(1e9)),
        expected,
        source,
      );
    }
    assert.ok(play('any == other', values, 1000).outcome instanceof CostLimitError);
  });

  test('yield while they show a large map, in the order of its keys', () => {
    const count = 10_000;
    const entries = Array.from({ length: count }, (_, index): [string, Value] => [`k${(index * 7919) % count}`, 1n]);
    const { outcome, steps } = play("'%s'.format([any])", { any: mapOfEntries(entries) });
    const shown = entries.map(([key]) => `"${key}":1`).toSorted();
    assert.equal(outcome, `{${shown.join(', ')}}`);
    assert.ok(steps >= 10, `${steps} steps`);
  });

  test('yield while they insert a text between code points', () => {
    const points = Array.from({ length: 60_000 }, (_, index) => (index % 3 === 0 ? '😀' : 'é'));
    const text = points.join('');
    for (const [limit, expected] of [
      [-1, `-${points.join('-')}-`],
      [0, text],
      [60_000, `-${points.join('-')}`],
      [60_001, `-${points.join('-')}-`],
      [30_001, `-${points.slice(0, 30_001).join('-')}${points.slice(30_001).join('')}`],
    ] as const) {
      const { outcome, steps } = play(`text.replace('', '-', ${limit})`, { text }, 1e9);
      assert.equal(outcome, expected, String(limit));
      assert.ok(limit === 0 || steps >= 2, `${limit}: ${steps} steps`);
    }
    assert.equal(play("text.replace('', '-')", { text }, 1e9).outcome, `-${points.join('-')}-`);
  });

  test('refuse a text or a tree that no budget pays for', () => {
    const grown = `[[1]]${'.map(a, [a, a])'.repeat(40)}`;
    assert.ok(play(`dyn(${grown}).indexOf(1) == 0`, {}).outcome instanceof CostLimitError);
    const texts = repeated(1000, 'a'.repeat(100_000));
    assert.ok(play("'%s'.format([texts]) == ''", { texts }).outcome instanceof CostLimitError);
    const pattern = { text: 'a,'.repeat(100_000) };
    const { outcome } = play('text.matches(text) || [1].all(n, false)', pattern, 1e12);
    assert.ok(outcome instanceof EvaluationError && outcome.message.endsWith('expression too large'));
    const text = 'a'.repeat(100_000);
    assert.throws(
      () => compile("text.replace('a', text) == ''")((name) => ({ text })[name], new Budget(1e6)),
      CostLimitError,
    );
  });
});

describe('lists and maps that a loop builds', () => {
  test('are read as quickly as others, and do not see what longer ones add', () => {
    const values = { numbers: numbers(50_000) };
    assert.equal(play('numbers.map(n, n + 1)[49999] == 50000', values).outcome, true);
    assert.equal(play('[[1]].map(l, [l + [2], l + [3], l])[0] == [[1, 2], [1, 3], [1]]', values).outcome, true);
    assert.equal(
      play('[numbers.filter(n, n < 2)].map(l, [l + [5], l + [6], l])[0] == [[0, 1, 5], [0, 1, 6], [0, 1]]', values)
        .outcome,
      true,
    );
  });
});
