import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { type FieldError, formatFieldErrors } from '@binnacle/apimachinery/status';
import { compileSchema } from '@binnacle/apimachinery/structural';
import { finish, WorkBudget } from '@binnacle/apimachinery/work';
import { CustomCodec } from '../codec/custom/index.js';
import type { StrategyContext, Validation } from '../registry/index.js';
import { customStatusStrategy, customStrategy, type CustomStrategyOptions } from './strategy.js';

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer', minimum: 0 },
        tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      },
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' }, phase: { type: 'string', maxLength: 3 } } },
  },
};
const codecOf = (version: string) =>
  new CustomCodec({
    groupVersionKind: { group: 'example.com', version, kind: 'CronTab' },
    schema: compileSchema(schema),
    definition: `com.example.${version}.CronTab`,
    preserveUnknownFields: false,
  });
const [v1, v2] = [codecOf('v1'), codecOf('v2')];
const options: CustomStrategyOptions = { codec: v1, storage: v1, hasStatus: true, scale: undefined, rules: undefined };
const context: StrategyContext = { namespace: 'n', now: 0, userName: 'u', warn: () => undefined };

const crontab = (content: JsonObject = {}, metadata: JsonObject = {}): KubernetesObject => ({
  apiVersion: 'example.com/v1',
  kind: 'CronTab',
  metadata: { name: 'a', ...metadata },
  ...content,
});

function messageOf(validation: Validation | undefined): string {
  const errors: FieldError[] =
    validation === undefined || Array.isArray(validation) ? (validation ?? []) : finish(validation);
  return errors.length === 0 ? '' : formatFieldErrors(errors);
}

describe('a custom resource that is created', () => {
  it('begins with generation 1, and without the status if that is a subresource', () => {
    for (const hasStatus of [true, false]) {
      const object = crontab({ spec: {}, status: { phase: 'a' } }, { generation: 7 });
      customStrategy({ ...options, hasStatus }).prepareForCreate?.(object, context);
      assert.equal(object.metadata.generation, 1);
      assert.deepEqual(object['status'], hasStatus ? undefined : { phase: 'a' });
    }
  });

  const strategy = customStrategy(options);
  const cases: [object: KubernetesObject, message: string][] = [
    [crontab({ spec: { replicas: 1 } }), ''],
    [
      crontab({ spec: { replicas: -1 } }),
      'spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0',
    ],
    [crontab({ spec: { tags: ['a', 'b', 'a'] } }), 'spec.tags[2]: Duplicate value: "a"'],
    [{ ...crontab({ spec: { replicas: -1 } }), kind: 'Job' }, 'kind: Invalid value: "Job": must be CronTab'],
    [
      { ...crontab(), apiVersion: 'example.com/v3' },
      'apiVersion: Invalid value: "example.com/v3": must be example.com/v1',
    ],
  ];
  for (const [object, message] of cases) {
    it(`is ${message === '' ? 'valid' : `refused: ${message}`}`, () => {
      assert.equal(messageOf(strategy.validate?.(object, new WorkBudget())), message);
    });
  }

  it('is validated in the version of the request, and stored in another', () => {
    const ofV2 = customStrategy({ ...options, codec: v2, storage: v1 });
    assert.equal(messageOf(ofV2.validate?.(crontab({ spec: {} }), new WorkBudget())), '');
  });

  it('has replicas of a valid type and size if it scales', () => {
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
    const ofScale = customStrategy({ ...options, scale });
    assert.equal(
      messageOf(ofScale.validate?.(crontab({ spec: { replicas: 2 ** 31 } }), new WorkBudget())),
      '.spec.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647',
    );
  });
});

describe('a custom resource that is updated', () => {
  const strategy = customStrategy(options);

  it('has a new generation if anything but metadata and status changes', () => {
    const old = crontab({ spec: { replicas: 1 }, status: { phase: 'a' } }, { generation: 4 });
    for (const [content, labels, generation] of [
      [{ spec: { replicas: 2 } }, {}, 5],
      [{ spec: { replicas: 1, labels: {} } }, {}, 5],
      [{ spec: { replicas: 1 } }, { a: 'b' }, 4],
      [{ spec: { replicas: 1 }, status: { phase: 'b' } }, {}, 4],
    ] as const) {
      const object = crontab(content, { generation: 4, labels });
      strategy.prepareForUpdate?.(object, old, context);
      assert.equal(object.metadata.generation, generation);
      assert.deepEqual(object['status'], { phase: 'a' });
    }
  });

  it('gets no status that it did not have', () => {
    const object = crontab({ status: { phase: 'b' } });
    strategy.prepareForUpdate?.(object, crontab(), context);
    assert.equal('status' in object, false);
  });

  it('may keep values that a later schema forbids, and duplicates that were there', () => {
    const old = crontab({ spec: { replicas: -1, tags: ['a', 'a'] } });
    assert.equal(
      messageOf(
        strategy.validateUpdate?.({ ...old, metadata: { ...old.metadata, labels: {} } }, old, new WorkBudget()),
      ),
      '',
    );
    assert.match(
      messageOf(
        strategy.validateUpdate?.(crontab({ spec: { replicas: -2, tags: ['a', 'a'] } }), old, new WorkBudget()),
      ),
      /^spec\.replicas: Invalid value: -2/,
    );
    assert.equal(
      messageOf(strategy.validateUpdate?.(crontab({ spec: { tags: ['a', 'a'] } }), crontab(), new WorkBudget())),
      'spec.tags[1]: Duplicate value: "a"',
    );
  });
});

describe('the status of a custom resource', () => {
  const strategy = customStatusStrategy(options);

  it('is all that changes, with the managed fields', () => {
    const old = crontab({ spec: { replicas: 1 }, status: { phase: 'a' } }, { labels: { a: 'b' }, managedFields: [] });
    const managedFields = [{ manager: 'm' }];
    const object = crontab({ spec: { replicas: 2 }, status: { phase: 'b' }, more: 1 }, { managedFields, labels: {} });
    strategy.prepareForUpdate?.(object, old, context);
    const expected = crontab({ spec: { replicas: 1 }, status: { phase: 'b' } }, { labels: { a: 'b' } });
    assert.deepEqual(object, { ...expected, metadata: { ...expected.metadata, managedFields } });
  });

  it('goes when it is absent', () => {
    const object = crontab();
    strategy.prepareForUpdate?.(object, crontab({ status: { phase: 'a' } }), context);
    assert.equal('status' in object, false);
  });

  it('alone is validated', () => {
    const old = crontab({ spec: { replicas: -1 } });
    const update = (status: JsonObject) =>
      strategy.validateUpdate?.(crontab({ spec: { replicas: -1 }, status }), old, new WorkBudget());
    assert.equal(messageOf(update({ phase: 'abc' })), '');
    assert.equal(messageOf(update({ phase: 'abcd' })), 'status.phase: Too long: may not be more than 3 bytes');
  });
});

describe('warnings about finalizers', () => {
  const advice = 'to avoid accidental conflicts with other finalizer writers';
  const cases: [before: string[], after: string[], warnings: string[]][] = [
    [[], ['example.com/a', 'orphan', 'foregroundDeletion', 'kubernetes'], []],
    [['plain'], ['plain'], []],
    [[], ['plain'], [`metadata.finalizers: "plain": prefer a domain-qualified finalizer name ${advice}`]],
    [
      [],
      ['b.example.com', 'a'],
      [
        `metadata.finalizers: "a": prefer a domain-qualified finalizer name ${advice}`,
        `metadata.finalizers: "b.example.com": prefer a domain-qualified finalizer name including a path (/) ${advice}`,
      ],
    ],
  ];
  for (const [before, after, warnings] of cases) {
    it(`are ${warnings.length} for [${after.join(', ')}] after [${before.join(', ')}]`, () => {
      const strategy = customStrategy(options);
      assert.deepEqual(
        strategy.warnings?.(crontab({}, { finalizers: after }), crontab({}, { finalizers: before })),
        warnings,
      );
    });
  }
});
