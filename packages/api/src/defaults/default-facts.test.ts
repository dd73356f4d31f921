import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isObject, type JsonObject, type JsonValue, parseJson } from '@binnacle/apimachinery/json';
import type { StructSchema, ValueSchema } from '@binnacle/apimachinery/schema';
import { definitionNames, hasDefinition, resources, schemaOf } from '../table/index.js';
import { applyDefaults } from './apply-defaults.js';
import { typeDefaults } from './type-defaults.js';

const file = new URL('../../facts/defaults.json', import.meta.url);

function structOf(value: ValueSchema): StructSchema | undefined {
  switch (value.kind) {
    case 'struct':
      return value.type;
    case 'list':
      return structOf(value.items);
    case 'map':
      return structOf(value.values);
    default:
      return undefined;
  }
}

function reachable(from: readonly StructSchema[]): Set<string> {
  const seen = new Set<string>();
  const open = [...from];
  for (let struct = open.pop(); struct !== undefined; struct = open.pop()) {
    if (seen.has(struct.name)) continue;
    seen.add(struct.name);
    open.push(...struct.fields.flatMap((field) => structOf(field.value) ?? []));
  }
  return seen;
}

test('every rule belongs to a kind or a request of the table', () => {
  const kinds = resources().flatMap((resource) => [
    resource.definition,
    ...(resource.subresources ?? []).flatMap(({ kind, group, version }) =>
      definitionNames().filter(
        (name) =>
          name.endsWith(`.${version ?? resource.version}.${kind}`) &&
          name.includes((group ?? resource.group).split('.')[0] ?? ''),
      ),
    ),
  ]);
  const served = reachable(kinds.filter(hasDefinition).map(schemaOf));
  assert.deepEqual(
    [...typeDefaults.keys()].filter((name) => !served.has(name)),
    [],
  );
});

/** One default as recorded in the facts. */
interface Fact {
  readonly definition: string;
  /** For example `spec.ports[*].protocol`. */
  readonly field: string;
  readonly value: JsonValue;
  /** Depends on other fields of the object or on the server's configuration. */
  readonly conditional: boolean;
}

function loadFacts(): Fact[] {
  const { definitions } = parseJson(readFileSync(file)).value as { definitions: Record<string, JsonObject[]> };
  return Object.entries(definitions).flatMap(([definition, entries]) =>
    entries.map(({ field, value = null, when, featureGate }) => ({
      definition,
      field: typeof field === 'string' ? field : '',
      value,
      conditional:
        when !== undefined ||
        featureGate !== undefined ||
        value === null ||
        (isObject(value) && Object.keys(value).length > 0),
    })),
  );
}

const known = loadFacts().filter(({ definition }) => hasDefinition(definition));

/** An object that holds the parents of a field and nothing else, and a function that reads the field. */
function prepare(path: string): { object: JsonObject; read: () => JsonValue | undefined } {
  const object: JsonObject = {};
  let parent = object;
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  for (const step of steps) {
    const child: JsonObject = {};
    if (step.endsWith('[*]')) parent[step.slice(0, -'[*]'.length)] = [child];
    else parent[step] = child;
    parent = child;
  }
  return { object, read: () => parent[last] };
}

test('unconditional defaults are applied', () => {
  const sure = known.filter(({ conditional }) => !conditional);
  assert.ok(sure.length > 60);
  for (const { definition, field, value } of sure) {
    const { object, read } = prepare(field);
    applyDefaults(object, schemaOf(definition), { now: () => 0 });
    assert.deepEqual(read(), value, `${definition} ${field}`);
  }
});

/** Excluded: JSON does not show ConfigMap's default, and quantities are rounded everywhere. */
const invisible = new Set(['io.k8s.api.core.v1.ConfigMap', 'io.k8s.api.core.v1.ResourceList']);

test('every conditional default has a rule on its path', () => {
  const missing = known.filter(({ definition, field, conditional }) => {
    if (!conditional || invisible.has(definition)) return false;
    let struct: StructSchema | undefined = schemaOf(definition);
    for (const step of ['', ...field.replaceAll(/\[[^\]]*\]/g, '').split('.')]) {
      const at: StructSchema | undefined = struct;
      const next = at?.fields.find(({ name }) => name === step);
      if (next !== undefined) struct = structOf(next.value);
      if (struct !== undefined && typeDefaults.has(struct.name)) return false;
      if (next?.default !== undefined) return false;
    }
    return true;
  });
  assert.deepEqual(
    missing.map(({ definition, field }) => `${definition} ${field}`),
    [],
  );
});
