import { anyString, anyValue } from './values.mjs';

const pointers = [
  '',
  '/',
  '/metadata',
  '/metadata/labels',
  '/metadata/labels/app',
  '/metadata/annotations/a~1b',
  '/metadata/finalizers/0',
  '/metadata/finalizers/-',
  '/metadata/managedFields',
  '/metadata/resourceVersion',
  '/spec',
  '/spec/replicas',
  '/spec/template/spec/containers/0/image',
  '/spec/containers/-1',
  '/spec/containers/01',
  '/spec/containers/18446744073709551616',
  '/data',
  '/data/a',
  '/__proto__/polluted',
  '/constructor/prototype',
  '/status',
  'spec',
  '/~2',
];

function operation(random) {
  const made = { op: random.pick(['add', 'add', 'replace', 'remove', 'test', 'copy', 'move', 'ADD', '__proto__']) };
  if (random.chance(0.95)) made.path = random.pick(pointers);
  if (random.chance(0.3)) made.from = random.pick(pointers);
  if (random.chance(0.8)) made.value = anyValue(random);
  return random.chance(0.03) ? anyValue(random) : made;
}

const directives = [
  { $patch: 'delete' },
  { $patch: 'replace' },
  { $patch: 'merge' },
  { $patch: 'x' },
  { $retainKeys: ['a'] },
  { $retainKeys: 7 },
  { '$deleteFromPrimitiveList/finalizers': ['example.com/hold'] },
  { '$deleteFromPrimitiveList/x': null },
  { '$setElementOrder/containers': [{ name: 'a' }] },
  { '$setElementOrder/containers': [3] },
  { '$setElementOrder/finalizers': 'x' },
];

/** Adds a directive of strategic merge to some object inside `value`. */
function withDirective(random, value) {
  if (value === null || typeof value !== 'object') return value;
  const inner = Object.values(value).filter((each) => each !== null && typeof each === 'object');
  if (inner.length > 0 && random.chance(0.7)) withDirective(random, random.pick(inner));
  else if (Array.isArray(value)) value.push(random.pick(directives));
  else Object.assign(value, random.pick(directives));
  return value;
}

/**
 * `{ type, value }`: the media type of a patch, and the patch before encoding; `make` returns an object of the kind.
 */
export function patchOf(random, make) {
  const kind = random.weighted({ json: 3, merge: 3, strategic: 3, apply: 3, unknown: 0.2 });
  switch (kind) {
    case 'json':
      return {
        type: 'application/json-patch+json',
        value: random.chance(0.05)
          ? anyValue(random)
          : Array.from({ length: random.integer(0, 6) }, () => operation(random)),
      };
    case 'merge':
      return { type: 'application/merge-patch+json', value: random.chance(0.3) ? anyValue(random) : make() };
    case 'strategic':
      return {
        type: 'application/strategic-merge-patch+json',
        value: random.chance(0.5) ? withDirective(random, make()) : make(),
      };
    case 'apply':
      return { type: 'application/apply-patch+yaml', value: random.chance(0.05) ? anyValue(random) : make() };
    default:
      return { type: anyString(random), value: make() };
  }
}
