import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kindSchema } from '@binnacle/api/table';
import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { applyConfiguration, decodeFieldSet } from '@binnacle/apimachinery/managedfields';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { StatusError } from '@binnacle/apimachinery/status';
import * as fc from 'fast-check';
import { BuiltInCodec } from './built-in-codec.js';

const kind = { group: 'apps', version: 'v1', kind: 'Deployment' };
const schema = kindSchema(kind);
assert.ok(schema !== undefined);
const codec = new BuiltInCodec(kind, schema);

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const CONTAINERS = names('c', 3);
const VARIABLES = names('V', 10);
const PORTS = names('80', 4);
const LABELS = names('l', 12);

/** The optional parts that a manager applies, with their values: a Deployment of up to some 200 lines. */
interface Wish {
  readonly replicas: number | undefined;
  readonly labels: ReadonlyMap<string, string>;
  readonly containers: ReadonlyMap<string, ContainerWish>;
}

interface ContainerWish {
  readonly image: string | undefined;
  readonly variables: ReadonlyMap<string, string>;
  readonly ports: ReadonlySet<string>;
}

function configurationOf(wish: Wish): JsonObject {
  const containers = [...wish.containers].map(
    ([name, { image, variables, ports }]): JsonObject => ({
      name,
      ...(image === undefined ? {} : { image }),
      env: [...variables].map(([variable, value]) => ({ name: variable, value })),
      ports: [...ports].map((port) => ({ containerPort: Number(port) })),
    }),
  );
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', ...(wish.labels.size === 0 ? {} : { labels: Object.fromEntries(wish.labels) }) },
    spec: {
      ...(wish.replicas === undefined ? {} : { replicas: wish.replicas }),
      selector: { matchLabels: { app: 'd' } },
      template: { spec: { containers } },
    },
  };
}

/** The paths that a wish owns, with their values; list items have none. */
function claimsOf(wish: Wish): Map<string, JsonValue | undefined> {
  const claims = new Map<string, JsonValue | undefined>();
  const pod = 'f:spec f:template f:spec f:containers';
  claims.set('f:spec f:selector', undefined);
  if (wish.replicas !== undefined) claims.set('f:spec f:replicas', wish.replicas);
  for (const [name, value] of wish.labels) claims.set(`f:metadata f:labels f:${name}`, value);
  for (const [name, { image, variables, ports }] of wish.containers) {
    const container = `${pod} k:{"name":"${name}"}`;
    claims.set(container, undefined).set(`${container} f:name`, name);
    if (image !== undefined) claims.set(`${container} f:image`, image);
    for (const [variable, value] of variables) {
      const item = `${container} f:env k:{"name":"${variable}"}`;
      claims.set(item, undefined).set(`${item} f:name`, variable).set(`${item} f:value`, value);
    }
    for (const port of ports) {
      const item = `${container} f:ports k:{"containerPort":${port},"protocol":"TCP"}`;
      claims.set(item, undefined).set(`${item} f:containerPort`, Number(port));
    }
  }
  return claims;
}

/** The reference: values by path, and owned paths by manager, in flat maps. */
class Model {
  readonly values = new Map<string, JsonValue | undefined>();
  readonly claims = new Map<string, Set<string>>();

  conflicts(manager: string, wish: Wish): string[] {
    const found: string[] = [];
    for (const [path, value] of claimsOf(wish)) {
      for (const [other, owned] of this.claims) {
        if (other !== manager && owned.has(path) && this.values.get(path) !== value) found.push(path);
      }
    }
    return found;
  }

  apply(manager: string, wish: Wish): void {
    const wanted = claimsOf(wish);
    for (const [path, value] of wanted) {
      if (this.values.has(path) && this.values.get(path) !== value) {
        for (const [other, owned] of this.claims) if (other !== manager) owned.delete(path);
      }
      this.values.set(path, value);
    }
    const before = this.claims.get(manager) ?? new Set<string>();
    this.claims.set(manager, new Set(wanted.keys()));
    for (const path of before) {
      if (![...this.claims.values()].some((owned) => owned.has(path))) this.values.delete(path);
    }
  }
}

/** The same paths and values of an object; only those that the model has. */
function valuesOf(object: KubernetesObject): Map<string, JsonValue | undefined> {
  const values = new Map<string, JsonValue | undefined>();
  const spec = object.spec as { replicas?: number; template: { spec: { containers?: JsonObject[] | null } } };
  values.set('f:spec f:replicas', spec.replicas);
  for (const [name, value] of Object.entries(object.metadata.labels ?? {}))
    values.set(`f:metadata f:labels f:${name}`, value);
  for (const container of spec.template.spec.containers ?? []) {
    const path = `f:spec f:template f:spec f:containers k:{"name":"${textOf(container, 'name')}"}`;
    values.set(path, undefined).set(`${path} f:name`, container['name']);
    if ((container['image'] ?? '') !== '') values.set(`${path} f:image`, container['image']);
    for (const each of items(container['env'])) {
      const item = `${path} f:env k:{"name":"${textOf(each, 'name')}"}`;
      values.set(item, undefined).set(`${item} f:name`, each['name']);
      if ((each['value'] ?? '') !== '') values.set(`${item} f:value`, each['value']);
    }
    for (const each of items(container['ports'])) {
      const item = `${path} f:ports k:{"containerPort":${textOf(each, 'containerPort')},"protocol":"TCP"}`;
      values.set(item, undefined).set(`${item} f:containerPort`, each['containerPort']);
    }
  }
  return values;
}

function textOf(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function items(list: JsonValue | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function check(model: Model, object: KubernetesObject): void {
  const owned = new Map(
    (object.metadata.managedFields ?? []).map((entry) => [
      entry.manager ?? '',
      new Set([...decodeFieldSet(entry.fieldsV1).paths()].map((path) => path.join(' '))),
    ]),
  );
  for (const [manager, claims] of model.claims) assert.deepEqual(owned.get(manager), claims);
  const values = valuesOf(object);
  // Replicas that no manager sets are defaulted, and containers of fields have no value of their own.
  const expected = new Map([...model.values].filter(([path]) => path !== 'f:spec f:selector'));
  if (!expected.has('f:spec f:replicas')) values.delete('f:spec f:replicas');
  assert.deepEqual(values, new Map([...values.keys()].map((path) => [path, expected.get(path)])));
  assert.equal(values.size, expected.size);
}

function applyTo(live: KubernetesObject | undefined, manager: string, wish: Wish, force: boolean): KubernetesObject {
  const applied = applyConfiguration({
    live,
    configuration: configurationOf(wish),
    kind,
    schema: codec.schema,
    manager,
    subresource: '',
    force,
    now: '2026-01-01T00:00:00Z',
    convert: () => undefined,
  });
  let object = live;
  if (applied.document !== undefined) {
    ({ object } = codec.decode(applied.document));
    codec.applyDefaults(object);
  }
  assert.ok(object !== undefined);
  const metadata = { ...object.metadata, uid: 'u' };
  if (applied.managedFields === undefined) delete metadata.managedFields;
  else metadata.managedFields = applied.managedFields;
  return { ...object, metadata };
}

/** An object's values and owners, independent of the order of items. */
function essence(object: KubernetesObject): unknown {
  return [
    valuesOf(object),
    new Map((object.metadata.managedFields ?? []).map((entry) => [entry.manager, entry.fieldsV1])),
  ];
}

const value = fc.constantFrom('1', '2');
const someOf = (keys: readonly string[]): fc.Arbitrary<ReadonlyMap<string, string>> =>
  fc
    .subarray([...keys])
    .chain((chosen) =>
      fc
        .tuple(...chosen.map(() => value))
        .map((values) => new Map(chosen.map((key, index) => [key, values[index] ?? '']))),
    );
const containerWish = (
  variables: readonly string[],
  ports: readonly string[],
  image: boolean,
): fc.Arbitrary<ContainerWish> =>
  fc.record({
    image: image ? fc.option(value, { nil: undefined }) : fc.constant(undefined),
    variables: someOf(variables),
    ports: fc.subarray([...ports]).map((chosen) => new Set(chosen)),
  });

interface Parts {
  readonly labels: readonly string[];
  readonly variables: readonly string[];
  readonly ports: readonly string[];
  readonly shared: boolean;
}

const everything: Parts = { labels: LABELS, variables: VARIABLES, ports: PORTS, shared: true };

function wishes({ labels, variables, ports, shared }: Parts): fc.Arbitrary<Wish> {
  return fc.record({
    replicas: shared ? fc.option(fc.constantFrom(2, 3), { nil: undefined }) : fc.constant(undefined),
    labels: someOf(labels),
    containers: fc
      .tuple(...CONTAINERS.map(() => fc.option(containerWish(variables, ports, shared), { nil: undefined })))
      .map(
        (chosen) =>
          new Map(
            chosen.flatMap((each, index) => (each === undefined ? [] : [[CONTAINERS[index] ?? '', each] as const])),
          ),
      ),
  });
}

/** BINNACLE_APPLIES=10000 takes a minute. */
const APPLIES = Number(process.env['BINNACLE_APPLIES'] ?? 2000);

describe('server-side apply on a Deployment', () => {
  it(`tracks ownership correctly through ${APPLIES} applies of two managers`, () => {
    const pool = fc.array(wishes(everything), { minLength: 12, maxLength: 12 });
    const step = fc.record({ manager: fc.constantFrom('a', 'b'), choice: fc.nat(11), force: fc.boolean() });
    const steps = fc.array(step, { minLength: 100, maxLength: 100 });
    fc.assert(
      fc.property(pool, steps, (choices, chosen) => {
        const model = new Model();
        let live: KubernetesObject | undefined;
        for (const [index, { manager, choice, force }] of chosen.entries()) {
          const wish = choices[choice];
          assert.ok(wish !== undefined);
          const conflicts = new Set(model.conflicts(manager, wish));
          try {
            live = applyTo(live, manager, wish, force);
          } catch (error) {
            assert.ok(error instanceof StatusError && error.code === 409 && !force, String(error));
            assert.equal(error.status.details?.causes?.length, conflicts.size);
            continue;
          }
          assert.ok(force || conflicts.size === 0);
          model.apply(manager, wish);
          if (index % 4 === 0) check(model, live);
        }
      }),
      { numRuns: APPLIES / 100 },
    );
  });

  it('changes nothing when it is repeated', () => {
    fc.assert(
      fc.property(wishes(everything), wishes(everything), (first, second) => {
        const before = applyTo(applyTo(undefined, 'a', first, true), 'b', second, true);
        assert.deepEqual(asJson(applyTo(before, 'b', second, false)), asJson(before));
      }),
    );
  });

  it('does not depend on the order of managers without common fields', () => {
    const half = (keys: readonly string[], odd: number): string[] => keys.filter((_, index) => index % 2 === odd);
    const own = (odd: number): fc.Arbitrary<Wish> =>
      wishes({ labels: half(LABELS, odd), variables: half(VARIABLES, odd), ports: half(PORTS, odd), shared: false });
    fc.assert(
      fc.property(own(0), own(1), (a, b) => {
        const one = applyTo(applyTo(undefined, 'a', a, false), 'b', b, false);
        const other = applyTo(applyTo(undefined, 'b', b, false), 'a', a, false);
        assert.deepEqual(essence(one), essence(other));
      }),
    );
  });
});
