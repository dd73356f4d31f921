import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '@binnacle/apimachinery/json';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import { decodeTyped, encodeTyped } from '@binnacle/apimachinery/serializer';
import { parseYaml } from '@binnacle/apimachinery/yaml';
import { kindSchema } from './kinds.js';

/**
 * Upstream's samples of every kind with each field set, as JSON and as YAML. Decoding and encoding must not change
 * them.
 */
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const facts = process.env['BINNACLE_FACTS'] ?? join(root, '../shared/kubernetes-api');
const folder = join(facts, 'wire-fixtures');
const skip = existsSync(folder) ? false : `no samples in ${folder} (BINNACLE_FACTS names the folder of facts)`;

interface Sample {
  readonly name: string;
  readonly schema: StructSchema;
  readonly json: JsonObject;
}

function samples(): Sample[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const name = file.slice(0, -'.json'.length);
      const [, prefix = '', version = '', kind = ''] = /^(.+)\.(v[0-9][a-z0-9]*)\.([A-Za-z]+)$/.exec(name) ?? [];
      const schema = kindSchema({ group: prefix === 'core' ? '' : prefix, version, kind });
      const json = parseJson(readFileSync(join(folder, file))).value;
      assert.ok(isObject(json));
      assert.ok(schema, `${name}: the table does not have the kind`);
      return { name, schema, json };
    });
}

const sorted = (value: JsonValue): string => stringifyJson(value, { sortKeys: true });

test('JSON samples round-trip unchanged', { skip }, () => {
  const all = samples();
  assert.ok(all.length >= 189);
  for (const { name, schema, json } of all) {
    const { object, strictErrors } = decodeTyped(json, schema);
    assert.deepEqual(strictErrors, [], name);
    const { value } = parseJson(encodeTyped(object, schema));
    assert.equal(sorted(value), sorted(json), name);
  }
});

test('YAML samples decode to the same objects', { skip }, () => {
  for (const { name, schema, json } of samples()) {
    const { value } = parseYaml(readFileSync(join(folder, `${name}.yaml`), 'utf8'));
    assert.ok(isObject(value), name);
    const { object } = decodeTyped(value, schema);
    const written = parseJson(encodeTyped(object, schema)).value;
    assert.equal(sorted(written), sorted(json), name);
  }
});
