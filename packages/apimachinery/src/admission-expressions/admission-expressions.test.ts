import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { COST_PER_STEP, type Value } from '../cel/index.js';
import type { JsonObject } from '../json/index.js';
import { counted } from '../testing/index.js';
import { finish } from '../work/index.js';
import {
  type AdmissionDocuments,
  AdmissionInput,
  AuthorizationChecks,
  BudgetExceededError,
  compileAdmissionExpression,
  Evaluation,
  type ExpressionKind,
  type ExpressionScope,
  jsonPatchOf,
  MatchConditions,
  POLICY_COST,
  PolicyVariables,
  type RunSteps,
} from './index.js';

const all: ExpressionScope = { params: true, authorizer: true, patches: true, variables: new Map() };
const digits = '[0,1,2,3,4,5,6,7,8,9]';
const expensive = `${digits}.all(a, ${digits}.all(b, ${digits}.all(c, ${digits}.all(d, ${digits}.all(e, ${digits}.all(f, true))))))`;

function problem(source: string, kind: ExpressionKind = 'condition', scope = all): string | undefined {
  const compiled = compileAdmissionExpression(source, kind, scope);
  return 'problem' in compiled ? compiled.problem.split('\n')[0] : undefined;
}

const object: JsonObject = { kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: '1', ['__proto__']: 'p' } };

function input(documents: Partial<AdmissionDocuments> = {}): AdmissionInput {
  return new AdmissionInput({
    object,
    oldObject: undefined,
    request: () => ({ operation: 'CREATE', name: 'a' }),
    ...documents,
  });
}

/** Counts how often expressions read `object`. */
class CountingInput extends AdmissionInput {
  reads = 0;

  constructor() {
    super({ object, oldObject: undefined, request: () => ({}) });
  }

  override read(name: string): Value | undefined {
    if (name === 'object') this.reads++;
    return super.read(name);
  }
}

async function evaluate(source: string, documents?: Partial<AdmissionDocuments>, params?: JsonObject) {
  const evaluation = new Evaluation({ input: input(documents), params, budget: POLICY_COST, run: finish });
  return evaluation.evaluate(compileAdmissionExpression(source, 'variable', all));
}

describe('compileAdmissionExpression', () => {
  const cases: readonly [source: string, kind: ExpressionKind, problem: string | undefined][] = [
    ['object.metadata.name == "a"', 'condition', undefined],
    ['object.metadata.name', 'condition', 'must evaluate to bool but got dyn'],
    ['null', 'message', 'must evaluate to string but got null_type'],
    ['1', 'auditAnnotation', 'must evaluate to one of [string null_type] but got int'],
    ['Object{metadata: Object.metadata{name: "b"}}', 'applyConfiguration', undefined],
    ['Object.metadata{}', 'applyConfiguration', 'must evaluate to Object but got Object.metadata'],
    ['[JSONPatch{op: "add", path: "/a", value: Object.a{b: 1}}]', 'jsonPatch', undefined],
    ['[]', 'jsonPatch', 'must evaluate to list(JSONPatch) but got list(dyn)'],
    [
      '[JSONPatch{op: 1}]',
      'jsonPatch',
      "compilation failed: ERROR: <input>:1:14: expected type of field 'op' is 'string' but provided type is 'int'",
    ],
    [
      '[JSONPatch{nope: 1}]',
      'jsonPatch',
      "compilation failed: ERROR: <input>:1:16: expected type of field 'nope' is '' but provided type is 'int'",
    ],
    [
      'Other{}',
      'applyConfiguration',
      "compilation failed: ERROR: <input>:1:6: undeclared reference to 'Other' (in container '')",
    ],
    ['request.nothing == 1', 'condition', "compilation failed: ERROR: <input>:1:8: undefined field 'nothing'"],
    [
      'namespaceObject.metadata.managedFields == []',
      'condition',
      "compilation failed: ERROR: <input>:1:25: undefined field 'managedFields'",
    ],
    ['int("x") == 1', 'condition', "program instantiation failed: type conversion error from 'string' to 'int'"],
  ];
  for (const [source, kind, expected] of cases) {
    test(`${kind}: ${source}`, () => assert.equal(problem(source, kind), expected));
  }

  test('a scope hides what it does not have', () => {
    for (const name of ['params', 'authorizer', 'variables', 'Object{}']) {
      const plain = name.replace('{}', '');
      assert.match(problem(`${name} == null`, 'condition', {}) ?? '', new RegExp(`undeclared reference to '${plain}'`));
    }
  });
});

describe('Evaluation', () => {
  test('reads documents as they are, whatever the names of their keys', async () => {
    assert.deepEqual(await evaluate('object.data["__proto__"]'), { value: 'p' });
    assert.deepEqual(await evaluate('"constructor" in object.data'), { value: false });
    assert.deepEqual(await evaluate('oldObject == null && namespaceObject == null && params == null'), { value: true });
    assert.deepEqual(await evaluate('request.operation'), { value: 'CREATE' });
    assert.deepEqual(await evaluate('params.limit + 1', {}, { limit: 2 }), { value: 3n });
    assert.deepEqual(await evaluate('object.data.y'), {
      error: "expression 'object.data.y' resulted in error: no such key: y",
    });
  });

  test('evaluates a variable when it is first read, and once', () => {
    const scope = { authorizer: true };
    const variables = finish(
      PolicyVariables.compile(scope, [
        { name: 'one', expression: '1' },
        { name: 'two', expression: 'variables.one + 1' },
        { name: 'broken', expression: 'object.data.none == ""' },
        { name: 'unused', expression: expensive },
      ]),
    );
    const run = (source: string, evaluation: Evaluation) =>
      evaluation.evaluate(compileAdmissionExpression(source, 'variable', { ...scope, variables: variables.types }));
    const evaluation = new Evaluation({ input: input(), variables, budget: 20, run: finish });
    assert.deepEqual(run('variables.two == 2 && variables.two == 2', evaluation), { value: true });
    assert.deepEqual(run('variables.broken', evaluation), {
      error:
        'expression \'variables.broken\' resulted in error: composited variable "broken" fails to evaluate: no such key: none',
    });
    assert.deepEqual(run('variables.broken || true', evaluation), { value: true });
    assert.throws(() => run('variables.unused', evaluation), BudgetExceededError);
  });

  test('bounds each expression, and all of them together', () => {
    const evaluation = new Evaluation({ input: input(), budget: 2_000_000, run: finish });
    const compiled = compileAdmissionExpression(expensive, 'condition', all);
    const outcome = evaluation.evaluate(compiled);
    assert.ok('error' in outcome && outcome.error.endsWith('operation cancelled: actual cost limit exceeded'));
    assert.throws(() => evaluation.evaluate(compiled), BudgetExceededError);
  });

  test('runs in steps, and evaluates a variable that takes many of them once', () => {
    const scope = {};
    const loop = `${digits}.map(a, ${digits}.map(b, ${digits}.map(c, ${digits}.map(d, a + b + c + d))))`;
    const variables = finish(
      PolicyVariables.compile(scope, [
        { name: 'large', expression: loop },
        { name: 'larger', expression: `[variables.large, ${loop}]` },
        { name: 'wrong', expression: `${loop}.all(x, 1 / 0 == 1)` },
      ]),
    );
    const play = (source: string) => {
      let steps = 0;
      const run: RunSteps = (computation) => {
        const { result, yields } = counted(computation);
        steps += yields;
        return result;
      };
      const evaluation = new Evaluation({ input: input(), variables, budget: POLICY_COST, run });
      const given = compileAdmissionExpression(source, 'variable', { ...scope, variables: variables.types });
      const outcome = evaluation.evaluate(given);
      return { outcome, steps, cost: POLICY_COST - evaluation.remaining };
    };
    const { cost } = play(`${loop}.size() > 0`);
    const both = play('variables.larger[0].size() + variables.larger[1].size() + variables.large.size() == 30');
    assert.deepEqual(both.outcome, { value: true });
    assert.ok(both.cost > 1.9 * cost && both.cost < 2.1 * cost, `${both.cost} for two of ${cost}`);
    assert.ok(both.steps > (1.5 * cost) / COST_PER_STEP, `${both.steps} steps`);
    assert.deepEqual(play('variables.wrong || dyn(variables)["large"].size() == 10').outcome, { value: true });
  });

  test('yields between many variables that take less than a step each', () => {
    const expression = `${digits}.map(a, ${digits}.map(b, ${digits}.map(c, a))).size() == 10`;
    const names = Array.from({ length: 100 }, (_, index) => `v${index}`);
    const variables = finish(
      PolicyVariables.compile(
        {},
        names.map((name) => ({ name, expression })),
      ),
    );
    const source = names.map((name) => `variables.${name}`).join(' && ');
    const compiled = compileAdmissionExpression(source, 'condition', { variables: variables.types });
    let steps = 0;
    const run: RunSteps = (computation) => {
      const { result, yields } = counted(computation);
      steps += yields;
      return result;
    };
    const evaluation = new Evaluation({ input: input(), variables, budget: POLICY_COST, run });
    assert.deepEqual(evaluation.evaluate(compiled), { value: true });
    assert.ok(steps >= 10, `${steps} steps`);
  });

  describe('with variables that take long', () => {
    const loop = `${digits}.all(a, ${digits}.all(b, ${digits}.all(c, ${digits}.all(d, ${digits}.all(e, true)))))`;
    const variables = finish(
      PolicyVariables.compile(
        {},
        ['a', 'b', 'c'].map((name) => ({ name, expression: loop })),
      ),
    );
    const compile = (source: string, kind: ExpressionKind) =>
      compileAdmissionExpression(source, kind, { patches: true, variables: variables.types });
    const evaluation = () =>
      new Evaluation({ input: new CountingInput(), variables, budget: POLICY_COST, run: finish });

    test('evaluates what comes before them once', () => {
      const counting = new CountingInput();
      const outcome = new Evaluation({ input: counting, variables, budget: POLICY_COST, run: finish }).evaluate(
        compile(
          'object.kind == "ConfigMap" && variables.a && has(variables.b) && variables.?c.orValue(false)',
          'condition',
        ),
      );
      assert.deepEqual(outcome, { value: true });
      assert.equal(counting.reads, 1);
    });

    test('charges again for a rerun after a variable is read by a computed name', () => {
      const direct = evaluation();
      assert.deepEqual(direct.evaluate(compile(`${loop} && variables.a`, 'condition')), { value: true });
      const dynamic = evaluation();
      assert.deepEqual(dynamic.evaluate(compile(`${loop} && dyn(variables)["a"]`, 'condition')), { value: true });
      assert.ok(direct.remaining - dynamic.remaining > 5 * COST_PER_STEP);
    });

    test('reads them while it converts a value', () => {
      const patch = compile('[JSONPatch{op: "add", path: "/data", value: variables}]', 'jsonPatch');
      const value = { a: true, b: true, c: true };
      assert.deepEqual(evaluation().evaluateAs(patch, jsonPatchOf), { value: [{ op: 'add', path: '/data', value }] });
    });
  });

  test('bounds how deep variables read each other', () => {
    const chain = Array.from({ length: 5000 }, (_, index) => ({
      name: `v${index}`,
      expression: index === 0 ? '1' : `variables.v${index - 1}`,
    }));
    const variables = finish(PolicyVariables.compile({}, chain));
    const last = compileAdmissionExpression('variables.v4999 == 1', 'condition', { variables: variables.types });
    const outcome = new Evaluation({ input: input(), variables, budget: POLICY_COST, run: finish }).evaluate(last);
    assert.ok('error' in outcome && outcome.error.endsWith('variables are nested too deeply'));
  });
});

describe('authorizer', () => {
  const resource = { group: '', resource: 'pods', subresource: '', namespace: 'n', name: 'p' };

  test('an expression waits for an authorizer, which answers each check once', async () => {
    const asked: string[] = [];
    const checks = new AuthorizationChecks(async ({ verb, resource: name, namespace, serviceAccount }) => {
      asked.push(`${serviceAccount?.name ?? 'user'} ${verb} ${name} ${namespace}`);
      return { allowed: verb === 'get', reason: '' };
    });
    const authorizer = { checks, resource };
    const source = 'authorizer.requestResource.check("get").allowed()';
    assert.deepEqual(await evaluate(source, { authorizer }), { value: true });
    assert.deepEqual(await evaluate(source, { authorizer }), { value: true });
    const account = 'authorizer.serviceAccount("n", "robot").group("").resource("secrets").check("list").allowed()';
    assert.deepEqual(await evaluate(account, { authorizer }), { value: false });
    assert.deepEqual(asked, ['user get pods n', 'robot list secrets ']);
  });

  test('a failing authorizer is an answer', async () => {
    const checks = new AuthorizationChecks(() => ({ allowed: false, reason: '', error: 'down' }));
    const source =
      'authorizer.path("/a").check("get").errored() && authorizer.path("/a").check("get").error() == "down"';
    assert.deepEqual(await evaluate(source, { authorizer: { checks, resource } }), { value: true });
  });

  test('refuses blank paths and invalid service accounts', async () => {
    const authorizer = { checks: new AuthorizationChecks(() => ({ allowed: true, reason: '' })), resource };
    for (const [source, message] of [
      ['authorizer.path(" ").check("get").allowed()', 'path must not be empty'],
      ['authorizer.serviceAccount("n", "A b").path("/").check("get").allowed()', 'Invalid service account name'],
    ] as const) {
      const outcome = await evaluate(source, { authorizer });
      assert.ok('error' in outcome && outcome.error.endsWith(message));
    }
  });
});

describe('MatchConditions', () => {
  const cases: readonly [conditions: readonly string[], result: unknown][] = [
    [[], { matches: true }],
    [['true', 'object.data.x == "1"'], { matches: true }],
    [['object.data.none == ""', 'false'], { matches: false, failedCondition: 'c1' }],
    [
      ['true', 'object.data.none == ""'],
      {
        matches: false,
        errors: ['expression \'object.data.none == ""\' resulted in error: no such key: none'],
      },
    ],
  ];
  for (const [expressions, result] of cases) {
    test(expressions.join(', '), async () => {
      const conditions = finish(
        MatchConditions.compile(expressions.map((expression, index) => ({ name: `c${index}`, expression }))),
      );
      assert.deepEqual(await conditions.evaluate({ input: input(), run: finish }), result);
    });
  }

  test('compile one by one', () => {
    const conditions = Array.from({ length: 64 }, (_, index) => ({ name: `c${index}`, expression: 'true' }));
    assert.ok(counted(MatchConditions.compile(conditions)).yields >= 63);
  });

  test('together have a budget of their own', async () => {
    const conditions = finish(
      MatchConditions.compile(Array.from({ length: 4 }, (_, index) => ({ name: `c${index}`, expression: expensive }))),
    );
    const result = await conditions.evaluate({ input: input(), run: finish });
    assert.ok(
      'errors' in result && result.errors[0]?.startsWith('validation failed due to running out of cost budget'),
    );
  });
});
