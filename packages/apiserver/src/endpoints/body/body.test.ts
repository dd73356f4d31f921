import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answer, testResource } from '../../testing/index.js';

const URL = '/api/v1/namespaces/default/configmaps';

async function post(body: string, query = '', contentType = 'application/json') {
  await using resource = testResource();
  const headers = { 'content-type': contentType };
  const {
    status,
    body: text,
    warnings,
  } = await answer(resource.endpoint, { method: 'POST', url: URL + query, headers, body });
  const document = JSON.parse(text) as { message?: string; data?: Record<string, string> };
  return { status, message: document.message, data: document.data, warnings, text };
}

describe('request bodies', () => {
  it('may omit kind and version', async () => {
    assert.equal((await post('{"metadata":{"name":"a"}}')).status, 201);
    assert.equal((await post('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}')).status, 201);
  });

  it('are read key by key, each value merged into the one before', async () => {
    const twice =
      '{"metadata":{"name":"a"},"data":{"a":"1"},"metadata":{"labels":{"b":"c"}},"data":{"b":"2"},"bogus":1e400}';
    const { status, data, text } = await post(twice);
    assert.equal(status, 201, text);
    assert.deepEqual(data, { a: '1', b: '2' });
    const unnamed = await post('{"metadata":{"name":"b"},"binaryData":{"a":null}}');
    assert.equal(unnamed.status, 201, unnamed.text);
  });

  it('are refused in upstream words', async () => {
    const unrecognized = 'the object provided is unrecognized (must be of type ConfigMap): ';
    const cases: readonly (readonly [string, string])[] = [
      ['', `${unrecognized}couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)`],
      [
        '{"metadata":{"name":"a"',
        `${unrecognized}couldn't get version/kind; json parse error: unexpected end of JSON input ({"metadata":{"name":"a")`,
      ],
      [
        '[]',
        `${unrecognized}couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b5d)`,
      ],
      [
        '{"kind":5}',
        `${unrecognized}couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"kind":5})`,
      ],
      ['{"apiVersion":"a/b/c"}', `${unrecognized}unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c"})`],
      [
        '{"kind":"Secret","apiVersion":"v1"}',
        'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
      ],
      [
        '{"kind":"ConfigMap","apiVersion":"v1","Kind":"Secret"}',
        'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
      ],
      [
        '{"kind":5,"kind":"ConfigMap"}',
        `${unrecognized}couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"kind":5,"kind":"ConfigMap"})`,
      ],
      [
        '{"kind":"Nothing","apiVersion":"v1"}',
        'Nothing in version "v1" cannot be handled as a ConfigMap: no kind "Nothing" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
      ],
      [
        '{"metadata":{"name":5}}',
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string',
      ],
    ];
    for (const [body, message] of cases) {
      const answered = await post(body);
      assert.equal(answered.status, 400, body);
      assert.equal(answered.message, message);
    }
    assert.equal((await post('{}', '', 'text/plain')).status, 415);
  });

  it('are checked for unknown fields as fieldValidation says', async () => {
    const body = '{"metadata":{"name":"a"},"data":{"x":"1","x":"2"},"extra":1}';
    const warned = await post(body);
    assert.deepEqual(warned.warnings, ['duplicate field "data.x"', 'unknown field "extra"']);
    assert.deepEqual(warned.data, { x: '2' });
    const strict = await post(body, '?fieldValidation=Strict');
    assert.equal(strict.status, 400);
    assert.match(strict.message ?? '', /strict decoding error: .*unknown field "extra"/);
    assert.deepEqual((await post(body, '?fieldValidation=Ignore')).warnings, []);
  });

  it('may have keys of any name', async () => {
    const body =
      '{"metadata":{"name":"a","labels":{"constructor":"c"},"annotations":{"__proto__":"p"}},"data":{"__proto__":"1","constructor":"2","toString":"3"}}';
    const { status, text } = await post(body);
    assert.equal(status, 422, 'such an annotation key is not a qualified name');
    assert.match(text, /__proto__/);
    const created = await post(body.replace('"__proto__":"p"', '"constructor":"p"'));
    assert.equal(created.status, 201);
    assert.match(created.text, /"data":\{"__proto__":"1","constructor":"2","toString":"3"\}/);
    assert.equal(Object.hasOwn(Object.prototype, '1'), false);
  });
});
