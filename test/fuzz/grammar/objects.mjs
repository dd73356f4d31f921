import { sampleOf } from './samples.mjs';
import { anyString, anyValue, scalarOf } from './values.mjs';

const DEEPEST = 7;

/** A value for a schema in the table of facts, with a share of `mischief`: wrong types, unknown fields, odd sizes. */
export function valueOf(random, schema, mischief, depth = 0) {
  if (random.chance(mischief / 2)) return anyValue(random);
  switch (schema.kind) {
    case 'struct':
      return structOf(random, schema.type, mischief, depth);
    case 'list': {
      const length = depth > DEEPEST ? 0 : random.weighted({ 0: 1, 1: 6, 2: 3, 5: 1 });
      return Array.from({ length: Number(length) }, () => valueOf(random, schema.items, mischief, depth + 1));
    }
    case 'map': {
      const length = depth > DEEPEST ? 0 : random.integer(0, 3);
      const key = () => (random.chance(mischief) ? anyString(random) : random.pick(['a', 'b', 'app', 'cpu', 'memory']));
      return Object.fromEntries(
        Array.from({ length }, () => [key(), valueOf(random, schema.values, mischief, depth + 1)]),
      );
    }
    default:
      return scalarOf(random, schema, mischief);
  }
}

function structOf(random, type, mischief, depth) {
  const object = {};
  // Deeper objects have fewer fields, so that values end.
  const share = Math.max(0.03, 0.5 - depth * 0.12);
  for (const field of type.fields) {
    if (!random.chance(field.required ? 0.95 : depth > DEEPEST ? 0 : share)) continue;
    object[field.name] = valueOf(random, field.value, mischief, depth + 1);
  }
  if (random.chance(mischief)) object[anyString(random)] = anyValue(random);
  return object;
}

/** Metadata that a client could send. */
export function metadataOf(random, { name, namespace }, mischief) {
  const metadata = { name };
  if (namespace !== undefined) metadata.namespace = random.chance(mischief) ? anyString(random) : namespace;
  if (random.chance(0.5)) metadata.labels = { app: random.pick(['web', 'db', 'x']) };
  if (random.chance(mischief)) metadata.labels = anyValue(random);
  if (random.chance(mischief)) metadata.annotations = { [anyString(random)]: anyValue(random, 1) };
  if (random.chance(mischief)) metadata.resourceVersion = anyString(random);
  if (random.chance(mischief)) metadata.uid = anyString(random);
  if (random.chance(0.05)) metadata.finalizers = ['example.com/hold'];
  if (random.chance(mischief)) metadata.finalizers = anyValue(random);
  if (random.chance(mischief)) metadata.ownerReferences = [anyValue(random)];
  if (random.chance(mischief)) metadata.managedFields = [anyValue(random)];
  if (random.chance(mischief)) metadata.generateName = anyString(random);
  if (random.chance(mischief)) metadata.deletionTimestamp = anyString(random);
  return metadata;
}

/** A valid object of the kind with a few fields changed; made from the schema if the kind has no sample. */
function variedSample(random, kind, mischief) {
  const sample = sampleOf(kind.kind);
  if (sample === undefined) return structOf(random, kind.schema, mischief, 0);
  while (random.chance(0.3 + mischief)) vary(random, sample, kind.schema, mischief);
  return sample;
}

/** Sets one field at a random depth. */
function vary(random, value, type, mischief) {
  const field = random.pick(type.fields);
  const present = value[field.name];
  const inner = field.value.kind === 'struct' ? present : undefined;
  if (typeof inner === 'object' && inner !== null && random.chance(0.8))
    vary(random, inner, field.value.type, mischief);
  else if (!['kind', 'apiVersion', 'metadata'].includes(field.name)) {
    value[field.name] = valueOf(random, field.value, mischief, 3);
  }
}

/** An object of a kind; `schema` is the kind's struct in the table. */
export function objectOf(random, kind, identity, mischief) {
  const body = random.chance(0.6) ? variedSample(random, kind, mischief) : structOf(random, kind.schema, mischief, 0);
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  return {
    ...body,
    apiVersion: random.chance(mischief / 4) ? anyString(random) : apiVersion,
    kind: random.chance(mischief / 4) ? anyString(random) : kind.kind,
    metadata: random.chance(mischief / 4) ? anyValue(random) : metadataOf(random, identity, mischief),
  };
}
