import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseJson, unstructuredDetails } from '../json/index.js';
import { DecodeError, decodeTyped, type Decoded, encodeTypedText } from './index.js';
import { widget } from './schema.testing.js';

function decode(text: string): Decoded {
  const { value, details } = parseJson(text);
  return decodeTyped(value, widget, { details });
}

function decodeSpec(text: string): unknown {
  return decode(`{"spec":${text}}`).object['spec'];
}

test('values decode to the form in which they are encoded', () => {
  assert.deepEqual(
    decodeSpec(
      '{"limits":{"cpu":0.50,"memory":"1024Mi","e":1e3,"n":null},"timeout":"90s","renewed":"2020-01-01T00:00:00.000001+01:00","secrets":{"a":"YR==\\n","b":[1,2]}}',
    ),
    {
      limits: { cpu: '500m', memory: '1Gi', e: '1e3', n: '0' },
      timeout: '1m30s',
      renewed: '2019-12-31T23:00:00.000001Z',
      secrets: { a: 'YQ==', b: 'AQI=' },
    },
  );
  assert.deepEqual(decode('{"spec":{"replicas":-0}}').object, { spec: { replicas: 0 } });
  assert.deepEqual(
    decode('{"metadata":{"creationTimestamp":"2020-01-01T00:00:00.5+01:00","generation":9007199254740993}}').object,
    {
      metadata: { creationTimestamp: '2019-12-31T23:00:00Z', generation: 9007199254740993n },
    },
  );
});

test('numbers of unstructured objects are converted to the types of their fields', () => {
  const converted = (text: string): unknown =>
    decodeTyped(parseJson(text).value, widget, { details: unstructuredDetails }).object;
  const replicas = (number: string): unknown => converted(`{"spec":{"replicas":${number}}}`);
  assert.deepEqual(replicas('4294967298'), { spec: { replicas: 2 } });
  assert.deepEqual(replicas('-2147483649'), { spec: { replicas: 2147483647 } });
  assert.deepEqual(replicas('1e3'), { spec: { replicas: 1000 } });
  assert.deepEqual(replicas('1e30'), { spec: { replicas: 0 } });
  const generation = (number: string): unknown => converted(`{"metadata":{"generation":${number}}}`);
  assert.deepEqual(generation('9007199254740993'), { metadata: { generation: 9007199254740993n } });
  assert.deepEqual(generation('9223372036854775808'), { metadata: { generation: -9223372036854775808n } });
  assert.throws(() => replicas('1.5'), new DecodeError('cannot convert float64 to int32'));
  assert.throws(
    () => converted('{"spec":{"ports":[{"targetPort":2147483648}]}}'),
    new DecodeError('json: cannot unmarshal number 2147483648 into Go value of type int32'),
  );
});

test('zero values are dropped, except for pointers', () => {
  assert.deepEqual(
    decode(
      '{"kind":"","metadata":{"name":null,"labels":{},"creationTimestamp":null},"data":null,"spec":{"replicas":0,"paused":false,"ports":[],"names":[],"weight":0.0,"template":null},"status":{"ready":0}}',
    ).object,
    { spec: { replicas: 0 } },
  );
  assert.deepEqual(decodeSpec('{"ports":[null,{"targetPort":"","port":0},{"targetPort":0}],"names":[null,"a"]}'), {
    ports: [{}, { targetPort: '' }, {}],
    names: ['', 'a'],
  });
  assert.deepEqual(decode('null').object, {});
});

test('unknown and duplicate fields are reported by path, in document order', () => {
  assert.deepEqual(
    decode(
      '{"x":1,"data":{"a":"1","a":"2"},"y":{"z":1,"z":2},"x":2,"Kind":"no","spec":{"ports":[{},{"bogus":1,"port":1,"port":2}],"template":{"a":1,"a":2}}}',
    ).strictErrors,
    [
      'duplicate field "data.a"',
      'unknown field "y"',
      'unknown field "x"',
      'unknown field "Kind"',
      'unknown field "spec.ports[1].bogus"',
      'duplicate field "spec.ports[1].port"',
    ],
  );
  const many = Array.from({ length: 300 }, (_, index) => `"u${index}":1`).join(',');
  assert.equal(decode(`{${many}}`).strictErrors.length, 100);
});

test('keys of the prototype are data in maps and unknown in structs', () => {
  const { object, strictErrors } = decode(
    '{"data":{"__proto__":"x","constructor":"y"},"__proto__":{"kind":"Evil"},"toString":1}',
  );
  assert.equal(
    encodeTypedText(object, widget),
    '{"metadata":{},"data":{"__proto__":"x","constructor":"y"},"spec":{"ports":null}}',
  );
  assert.deepEqual(strictErrors, ['unknown field "__proto__"', 'unknown field "toString"']);
});

const wrong: readonly (readonly [string, string])[] = [
  ['[]', 'json: cannot unmarshal array into Go value of type v1.Widget'],
  ['{"data":{"a":1}}', 'json: cannot unmarshal number into Go struct field Widget.data of type string'],
  ['{"spec":[]}', 'json: cannot unmarshal array into Go struct field Widget.spec of type v1.WidgetSpec'],
  [
    '{"spec":{"replicas":"3"}}',
    'json: cannot unmarshal string into Go struct field WidgetSpec.spec.replicas of type int32',
  ],
  [
    '{"spec":{"replicas":3000000000}}',
    'json: cannot unmarshal number 3000000000 into Go struct field WidgetSpec.spec.replicas of type int32',
  ],
  [
    '{"spec":{"replicas":1.0}}',
    'json: cannot unmarshal number 1.0 into Go struct field WidgetSpec.spec.replicas of type int32',
  ],
  [
    '{"metadata":{"generation":9223372036854775808}}',
    'json: cannot unmarshal number 9223372036854775808 into Go struct field ObjectMeta.metadata.generation of type int64',
  ],
  [
    '{"spec":{"ports":"x"}}',
    'json: cannot unmarshal string into Go struct field WidgetSpec.spec.ports of type []v1.Port',
  ],
  [
    '{"spec":{"limits":5}}',
    'json: cannot unmarshal number into Go struct field WidgetSpec.spec.limits of type v1.ResourceList',
  ],
  [
    '{"spec":{"limits":{"cpu":"x"}}}',
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  [
    '{"spec":{"limits":{"cpu":true}}}',
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  [
    '{"spec":{"ports":[{"targetPort":true}]}}',
    'json: cannot unmarshal bool into Go struct field Port.spec.ports.targetPort of type int32',
  ],
  [
    '{"spec":{"ports":[{"targetPort":3000000000}]}}',
    'json: cannot unmarshal number 3000000000 into Go struct field Port.spec.ports.targetPort of type int32',
  ],
  [
    '{"spec":{"timeout":5}}',
    'json: cannot unmarshal number into Go struct field WidgetSpec.spec.timeout of type string',
  ],
  ['{"spec":{"timeout":"x"}}', 'time: invalid duration "x"'],
  [
    '{"metadata":{"creationTimestamp":5}}',
    'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
  ],
  [
    '{"metadata":{"creationTimestamp":"abc"}}',
    'parsing time "abc" as "2006-01-02T15:04:05Z07:00": cannot parse "abc" as "2006"',
  ],
  ['{"spec":{"secrets":{"a":"YQ="}}}', 'illegal base64 data at input byte 3'],
  ['{"spec":{"secrets":{"a":"YQ"}}}', 'illegal base64 data at input byte 0'],
  [
    '{"spec":{"secrets":{"a":5}}}',
    'json: cannot unmarshal number into Go struct field WidgetSpec.spec.secrets of type []uint8',
  ],
  // The first of several errors wins, but a value that decodes itself ends the decode.
  ['{"kind":1,"data":{"a":2}}', 'json: cannot unmarshal number into Go struct field Widget.kind of type string'],
  ['{"kind":1,"spec":{"timeout":"x"}}', 'time: invalid duration "x"'],
];

for (const [text, message] of wrong) {
  test(`the error for ${text} is Go's`, () => {
    assert.throws(() => decode(text), new DecodeError(message));
  });
}

test('base64 of any length decodes', () => {
  const text = 'AAAA'.repeat(4 << 20);
  for (const whole of [text, `${text}AA==`, `${text}AAA=`]) {
    const { secrets } = decodeSpec(`{"secrets":{"a":"${whole}"}}`) as { secrets: { a: string } };
    assert.ok(secrets.a === whole, 'a comparison that prints no megabytes');
  }
  assert.throws(
    () => decode(`{"spec":{"secrets":{"a":"${text}*"}}}`),
    new DecodeError(`illegal base64 data at input byte ${text.length}`),
  );
});

test('any document decodes, or is rejected with the declared error', () => {
  const key = fc.constantFrom(
    'kind',
    'metadata',
    'data',
    'spec',
    'status',
    'ports',
    'limits',
    'timeout',
    'secrets',
    'labels',
    'name',
    'port',
    'targetPort',
    'creationTimestamp',
    '__proto__',
    'x',
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      fc.constantFrom(null, true, 0, 1.5, -1, 3e9, '', 'a', '1Gi', '0', 'YQ==', '5s', '2020-01-01T00:00:00Z'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 5 }),
    ),
  }));
  fc.assert(
    fc.property(value, (original) => {
      try {
        const { object } = decode(JSON.stringify(original));
        const text = encodeTypedText(object, widget);
        assert.deepEqual(decode(text), { object, strictErrors: [] });
        assert.equal(encodeTypedText(decode(text).object, widget), text);
      } catch (error) {
        assert.ok(error instanceof DecodeError, String(error));
      }
    }),
    { numRuns: 500 },
  );
});

test('a duplicate field decodes into the value of the first one, as in Go', () => {
  for (const [text, object] of [
    ['{"data":{"a":"1","b":"2"},"data":{"b":"3","c":"4"}}', { data: { a: '1', b: '3', c: '4' } }],
    ['{"metadata":{"name":"x"},"metadata":{"labels":{"a":"b"}}}', { metadata: { name: 'x', labels: { a: 'b' } } }],
    ['{"metadata":{"name":"x","name":null}}', { metadata: { name: 'x' } }],
    ['{"metadata":{"name":"x","name":""}}', {}],
    ['{"metadata":{"labels":{"a":"b"},"labels":null,"name":"x"}}', { metadata: { name: 'x' } }],
    ['{"metadata":{"name":"x"},"metadata":null}', { metadata: { name: 'x' } }],
    ['{"spec":{"replicas":1,"replicas":null}}', {}],
    [
      '{"spec":{"ports":[{"name":"a","port":1},{"name":"b"}],"ports":[{"port":2}]}}',
      { spec: { ports: [{ name: 'a', port: 2 }] } },
    ],
  ] as const) {
    assert.deepEqual(decode(text).object, object, text);
  }
  assert.throws(() => decode('{"spec":{"replicas":"x","replicas":1}}'), DecodeError);
  assert.throws(() => decode('{"spec":{"replicas":1.0,"replicas":1}}'), DecodeError);
});

test('a number beyond all doubles is ignored in an unknown field and rejected in a known one', () => {
  const read = (text: string): Decoded => {
    const { value, details } = parseJson(text, { keepRangeError: true });
    return decodeTyped(value, widget, { details });
  };
  assert.deepEqual(read('{"bogus":{"a":[1e400]},"spec":{"limits":{"cpu":1e400}}}').object, {
    spec: { limits: { cpu: '10e399' } },
  });
  assert.throws(() => read('{"spec":{"replicas":1e400}}'), /cannot unmarshal number 1e400 into .* of type int32/);
  assert.throws(() => read('{"spec":{"weight":1e400}}'), /cannot unmarshal number 1e400 into .* of type number/);
});

test('integers beyond 64 bits are rejected even if a double is near', () => {
  assert.throws(() => decode('{"metadata":{"generation":-9223372036854775809}}'), /number -9223372036854775809 into/);
  assert.deepEqual(decode('{"metadata":{"generation":-9223372036854775808}}').object, {
    metadata: { generation: -9223372036854775808n },
  });
});

test('null in a map of bytes is empty', () => {
  assert.deepEqual(decodeSpec('{"secrets":{"a":null}}'), { secrets: { a: '' } });
});

test('strict errors stop after a hundred, or a megabyte', () => {
  const unknown = (count: number, length: number): number => {
    const keys = Array.from({ length: count }, (_, index) => `"${String(index).padStart(length, 'x')}":1`);
    return decode(`{${keys.join(',')}}`).strictErrors.length;
  };
  assert.equal(unknown(200, 10), 100);
  assert.equal(unknown(20, 128 * 1024), 7);
});
