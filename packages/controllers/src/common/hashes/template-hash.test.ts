import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { isObject, type JsonValue, parseJson } from '@binnacle/apimachinery/json';
import type { PodTemplateSpec } from '@binnacle/client/kinds/core/v1';
import { named, structs } from './generated/go-types.js';
import { prepareTemplateHash, templateHash } from './template-hash.js';

interface HashedTemplate {
  readonly template: PodTemplateSpec;
  readonly collisionCount?: number;
  readonly hash: string;
}

/** Written by scripts/generate-template-hash.mjs with upstream's own code. */
const recorded = readFileSync(new URL('../../../src/common/hashes/testdata/templates.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => parseJson(line).value as unknown as HashedTemplate);

describe('the hash of a template', () => {
  for (const [index, { template, collisionCount, hash }] of recorded.entries()) {
    it(`is upstream's, ${index}`, () => assert.equal(templateHash(template, collisionCount), hash));
  }

  it('is compared with templates that have every field', () => {
    const seen = new Set<string>();
    for (const { template } of recorded) visit('v1.PodTemplateSpec', template as unknown as JsonValue, seen);
    const all = Object.entries(structs).flatMap(([type, fields]) => fields.map((field) => `${type} ${field}`));
    const ignored = /v1\.Time$|\.$/;
    assert.deepEqual(
      all.filter((field) => !seen.has(field) && !ignored.test(field)),
      [],
    );
  });

  it('ignores missing and empty lists and maps alike', () => {
    const bare = { spec: { containers: [{ name: 'web' }] } };
    const empty = { metadata: { labels: {} }, spec: { containers: [{ name: 'web', env: [] }], nodeSelector: {} } };
    assert.equal(templateHash(empty, undefined), templateHash(bare, undefined));
  });
});

it('a hash is prepared in steps of bounded work, and then known', () => {
  const env = Array.from({ length: 20_000 }, (_, index) => ({ name: `A${index}` }));
  let reads = 0;
  const read = new Proxy(env, {
    get: (target, key): unknown => {
      reads++;
      return Reflect.get(target, key);
    },
  });
  const template = { spec: { containers: [{ name: 'web', env: read }] } };
  const steps = prepareTemplateHash(template, 1);
  let most = 0;
  for (let before = 0; steps.next().done !== true; before = reads) most = Math.max(most, reads - before);
  assert.ok(most < 2000, `${most} reads in a step`);
  const after = reads;
  assert.equal(templateHash(template, 1), templateHash({ spec: { containers: [{ name: 'web', env }] } }, 1));
  assert.equal(reads, after);
});

/** Collects the fields that the value has. */
function visit(type: string, value: JsonValue | undefined, seen: Set<string>): void {
  if (type.startsWith('*')) return visit(type.slice(1), value, seen);
  if (named[type] !== undefined) return visit(named[type], value, seen);
  if (type.startsWith('[]')) {
    for (const item of Array.isArray(value) ? value : []) visit(type.slice(2), item, seen);
  } else if (type.startsWith('map[')) {
    for (const item of isObject(value) ? Object.values(value) : [])
      visit(type.slice(type.indexOf(']') + 1), item, seen);
  } else if (isObject(value)) {
    for (const field of structs[type] ?? []) {
      const [, json = '', fieldType = ''] = field.split(' ');
      const member = json === '.' ? value : value[json];
      if (member !== undefined && member !== null) seen.add(`${type} ${field}`);
      visit(fieldType, member, seen);
    }
  }
}
