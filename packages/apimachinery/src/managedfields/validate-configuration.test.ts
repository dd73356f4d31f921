import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../json/index.js';
import type { KubernetesObject } from '../meta/index.js';
import { apply, thrownStatus, spec } from './apply.testing.js';

describe('invalid configurations', () => {
  const typed = (problem: string): string => `failed to create typed patch object (/; /v1, Kind=Thing): ${problem}`;
  const cases: readonly (readonly [JsonObject, number, string])[] = [
    [{ kind: 'Other' }, 400, 'invalid object type: /v1, Kind=Other'],
    [{ apiVersion: 'a/b/c' }, 400, 'invalid object type: /, Kind='],
    [{ apiVersion: 'g/v1' }, 400, 'invalid object type: g/v1, Kind=Thing'],
    [{ metadata: { managedFields: [] } }, 400, 'metadata.managedFields must be nil'],
    [{ bogus: 1 }, 500, typed('.bogus: field not declared in schema')],
    [{ ['__proto__']: { x: 1 } }, 500, typed('.__proto__: field not declared in schema')],
    [{ data: 'x' }, 500, typed('.data: expected map, got &{x}')],
    [{ data: { a: 1e6 } }, 500, typed('.data.a: expected string, got &value.valueUnstructured{Value:1000000}')],
    [{ data: 2_147_483_648 }, 500, typed('.data: expected map, got &{2147483648}')],
    [{ data: -0 }, 500, typed('.data: expected map, got &{0}')],
    [
      { data: { a: { b: [true, 'c"'] } } },
      500,
      typed(
        '.data.a: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"b":[]interface {}{true, "c\\""}}}',
      ),
    ],
    [{ spec: { replicas: '1' } }, 500, typed('.spec.replicas: expected numeric (int or float), got string')],
    [{ spec: { replicas: [1] } }, 500, typed('.spec.replicas: expected numeric (int or float), got []interface {}')],
    [{ metadata: { finalizers: 'x' } }, 500, typed('.metadata.finalizers: expected list, got &{x}')],
    [{ metadata: { finalizers: ['x', 'x'] } }, 500, typed('.metadata.finalizers: duplicate entries for key [="x"]')],
    [
      { metadata: { finalizers: [null] } },
      500,
      typed(".metadata.finalizers: element 0: associative list without keys has an element that's an explicit null"),
    ],
    [
      { metadata: { finalizers: [{}] } },
      500,
      typed(".metadata.finalizers: element 0: associative list without keys has an element that's a map type"),
    ],
    [
      { metadata: { finalizers: [[]] } },
      500,
      typed('.metadata.finalizers: element 0: not supported: associative list with lists as elements'),
    ],
    [
      spec({ image: 'i' }),
      500,
      typed(
        '.spec.containers: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
      ),
    ],
    [
      { spec: { containers: ['c'] } },
      500,
      typed('.spec.containers: element 0: associative list with keys may not have non-map elements'),
    ],
    [
      spec({ name: 'c', ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }] }),
      500,
      typed('.spec.containers[name="c"].ports: duplicate entries for key [containerPort=80,protocol="TCP"]'),
    ],
    [
      spec({ name: 'c', args: [1], image: 2 }),
      500,
      typed(
        'errors:\n  .spec.containers[name="c"].args[0]: expected string, got &value.valueUnstructured{Value:1}\n  .spec.containers[name="c"].image: expected string, got &value.valueUnstructured{Value:2}',
      ),
    ],
  ];
  for (const [fields, code, message] of cases) {
    it(JSON.stringify(fields), () => {
      const got = thrownStatus(() => apply(undefined, 'm', fields));
      assert.deepEqual([got.code, got.message], [code, message]);
    });
  }

  it('name the object in the error', () => {
    const { message } = thrownStatus(() =>
      apply(undefined, 'm', { metadata: { name: 'n', namespace: 'ns' }, bogus: 1 }),
    );
    assert.match(message, /^failed to create typed patch object \(ns\/n; \/v1, Kind=Thing\)/);
  });

  it('fail if the live entries are invalid', () => {
    const live: KubernetesObject = {
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: { uid: 'u', managedFields: [{ manager: 'x' }] },
    };
    assert.deepEqual(
      thrownStatus(() => apply(live, 'm', {})),
      {
        code: 500,
        message: 'failed to decode managed fields: operation must be `Apply` or `Update`',
        causes: undefined,
      },
    );
  });
});
