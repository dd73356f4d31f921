import { encodeCbor } from '@binnacle/apimachinery/cbor';
import { encodeProtobuf, wrapEnvelope } from '@binnacle/apimachinery/protobuf';
import { anyRawNumber, anyString } from './values.mjs';

const RAW = '"@raw"';

/** The JSON of a value, at times with numbers, keys or bytes that no sane client sends. */
function jsonOf(random, value, mischief) {
  let text = JSON.stringify(value) ?? 'null';
  if (random.chance(mischief)) text = text.replace(/:\d+/, `:${anyRawNumber(random)}`);
  // A key that is duplicated, in another case, or without a value.
  if (random.chance(mischief / 2))
    text = text.replace('{', `{"metadata":{"name":${JSON.stringify(anyString(random))}},`);
  if (random.chance(mischief / 2)) text = text.replace('"metadata"', '"Metadata"');
  if (random.chance(mischief / 4)) text += random.pick([' ', '\n{}', ']', '\u0000', '// x']);
  return text.replaceAll(RAW, anyRawNumber(random));
}

const yamlForms = [
  (json) => json,
  (json) => `---\n${json}\n`,
  (json) => `%YAML 1.2\n---\n${json}\n...\n`,
  (json) => `x: &a [1]\ny: *a\n<<: ${json}\n`,
  (json) => `? ${json}\n: 1\n`,
  (json) => `!!map ${json}`,
  (json) => `${json}\n---\n${json}`,
  (json) => `--- # first\n...\n---\n${json}\n---\n`,
  (json) =>
    `metadata: {name: &n a, namespace: *n}\nkind: !!str ConfigMap\nx: !!binary aGk=\ny: 0o17\nz: .inf\nj: ${json}\n`,
];

/** Flips, cuts or repeats some bytes. */
function damaged(random, bytes) {
  const copy = Buffer.from(bytes);
  if (copy.length === 0) return copy;
  switch (random.integer(0, 2)) {
    case 0:
      copy[random.integer(0, copy.length - 1)] ^= 1 << random.integer(0, 7);
      return copy;
    case 1:
      return copy.subarray(0, random.integer(0, copy.length));
    default:
      return Buffer.concat([copy, copy.subarray(random.integer(0, copy.length))]);
  }
}

function messageOf(value, kind) {
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  return wrapEnvelope(apiVersion, kind.kind, encodeProtobuf(value, kind.schema));
}

/**
 * `{ type, body }`: an object in one of the media types of requests. Protobuf uses the schema of `kind`; a value
 * whose types do not fit is sent as JSON under that media type.
 */
export function bodyOf(random, value, kind, mischief) {
  const form = random.weighted({ json: 8, yaml: 2, cbor: 2, protobuf: kind.schema === undefined ? 0 : 2, none: 0.2 });
  const json = jsonOf(random, value, mischief);
  const made = { json: () => Buffer.from(json), none: () => Buffer.alloc(0) };
  made.yaml = () => Buffer.from(random.pick(yamlForms)(json));
  made.cbor = () => encodeCbor(value);
  made.protobuf = () => messageOf(value, kind);
  const types = {
    json: 'application/json',
    yaml: 'application/yaml',
    cbor: 'application/cbor',
    protobuf: 'application/vnd.kubernetes.protobuf',
    none: 'application/json',
  };
  let body;
  try {
    body = made[form]();
  } catch {
    body = Buffer.from(json);
  }
  const type = random.chance(mischief / 4) ? 'text/plain' : types[form];
  return { type, body: random.chance(mischief) ? damaged(random, body) : body };
}

/** The same for a patch with its media type; an apply may be YAML or CBOR. */
export function patchBodyOf(random, { type: given, value }, mischief) {
  const isApply = given === 'application/apply-patch+yaml';
  const inCbor = random.chance(isApply ? 0.15 : mischief / 4);
  const type = isApply && inCbor ? 'application/apply-patch+cbor' : given;
  const json = jsonOf(random, value, mischief);
  const text = isApply && random.chance(mischief) ? random.pick(yamlForms)(json) : json;
  const body = inCbor ? Buffer.from(encodeCbor(value)) : Buffer.from(text);
  return { type, body: random.chance(mischief / 2) ? damaged(random, body) : body };
}
