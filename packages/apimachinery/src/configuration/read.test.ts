import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  duration,
  flag,
  int32,
  kind,
  listOf,
  mapOf,
  nested,
  readConfiguration,
  readLenientConfiguration,
  struct,
  text,
  texts,
} from './index.js';

const rule = struct('v1.Rule', { name: text, verbs: texts, quiet: flag });
const kinds = new Map([
  [
    'example.org/v1/Rules',
    kind('v1.Rules', { rules: listOf(nested(rule)), every: duration, most: int32, labels: mapOf(text) }),
  ],
]);
const head = 'apiVersion: example.org/v1\nkind: Rules\n';

describe('readConfiguration', () => {
  it('decodes YAML and JSON', () => {
    const expected = {
      apiVersion: 'example.org/v1',
      kind: 'Rules',
      rules: [{ name: 'a', verbs: ['get'] }],
      every: '1m30s',
    };
    const yaml = `${head}every: 90s\nrules:\n- name: a\n  verbs: [get]\n`;
    assert.deepEqual(readConfiguration(yaml, kinds), expected);
    assert.deepEqual(readConfiguration(JSON.stringify(expected), kinds), expected);
  });

  it('distinguishes an explicit zero from an absent field', () => {
    const read = readConfiguration(`${head}most: 0\nrules:\n- quiet: false\n`, kinds);
    assert.equal(read['most'], 0);
    assert.deepEqual(read['rules'], [{ quiet: false }]);
    assert.equal(Object.hasOwn(read, 'every'), false);
  });

  for (const { source, message } of [
    { source: `${head}extra: 1\n`, message: 'strict decoding error: unknown field "extra"' },
    { source: `${head}rules:\n- nam: a\n`, message: 'strict decoding error: unknown field "rules[0].nam"' },
    { source: 'kind: Rules\n', message: "Object 'apiVersion' is missing" },
    { source: 'apiVersion: example.org/v1\n', message: "Object 'Kind' is missing" },
    { source: '', message: "couldn't get version/kind; the file holds no object" },
    {
      source: 'apiVersion: example.org/v2\nkind: Rules\n',
      message: 'no kind "Rules" is registered for version "example.org/v2": give example.org/v1 Rules',
    },
  ]) {
    it(`refuses ${JSON.stringify(source)}`, () => {
      assert.throws(() => readConfiguration(source, kinds), { name: 'ConfigurationError', message });
    });
  }

  it('leaves out unknown fields, and names them, when it is lenient', () => {
    const source = `${head}most: 1\nmost: 2\nrules:\n- nam: a\n  quiet: true\n`;
    const { object, problems } = readLenientConfiguration(source, kinds);
    assert.deepEqual([object['most'], object['rules']], [2, [{ quiet: true }]]);
    assert.equal(problems.length, 2);
    assert.match(problems.join(), /"most" already set in map,unknown field "rules\[0\]\.nam"$/);
    assert.throws(() => readLenientConfiguration(`${head}most: many\n`, kinds), /cannot unmarshal string/);
  });

  it('refuses duplicate keys, wrong types and text that is not YAML', () => {
    assert.throws(
      () => readConfiguration(`${head}most: 1\nmost: 2\n`, kinds),
      /strict decoding error: .*already set in map/s,
    );
    assert.throws(
      () => readConfiguration(`${head}most: many\n`, kinds),
      /cannot unmarshal string into Go struct field/,
    );
    assert.throws(() => readConfiguration('a: [', kinds), /^ConfigurationError: error converting YAML to JSON: yaml: /);
  });
});
