/** Values as kube-apiserver stores them, put together by hand: they say what is right, and use nothing of what is tested. */

const varint = (number) => (number < 128 ? [number] : [(number % 128) | 128, ...varint(Math.floor(number / 128))]);

export const integer = (number, value) => Buffer.from([...varint(number * 8), ...varint(value)]);

export function bytes(number, value) {
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(value.length)]), value]);
}

export const text = (number, value) => bytes(number, Buffer.from(value));

export const message = (number, ...fields) => bytes(number, Buffer.concat(fields));

/** A map, its entries by key; `value` makes field 2 of one. */
export function map(number, entries = {}, value = (held) => text(2, held)) {
  const keys = Object.keys(entries).sort();
  return Buffer.concat(keys.map((key) => message(number, text(1, key), value(entries[key]))));
}

const time = (number, value) => message(number, integer(1, Date.parse(value) / 1000), integer(2, 0));

/** Of an object as it is served: what Go does not hold behind a pointer is there, though it is empty; a version is not. */
function metadata(served) {
  const { name, namespace = '', uid, generation = 0, creationTimestamp, labels, finalizers = [] } = served;
  const names = [text(1, name), text(2, ''), text(3, namespace), text(4, ''), text(5, uid), text(6, '')];
  const times = [integer(7, generation), time(8, creationTimestamp)];
  const ends = finalizers.map((finalizer) => text(14, finalizer));
  return message(1, ...names, ...times, map(11, labels), ...ends, ...(served.managedFields ?? []).map(manager));
}

function manager({ manager: name, operation, apiVersion, time: at, fieldsType, fieldsV1 }) {
  const which = [text(1, name), text(2, operation), text(3, apiVersion), time(4, at)];
  const fields = [text(6, fieldsType), message(7, text(1, JSON.stringify(fieldsV1)))];
  return message(17, ...which, ...fields, text(8, ''));
}

/** The value of a served object whose fields beside its metadata are these. */
export function stored(object, ...fields) {
  const type = message(1, text(1, object.apiVersion), text(2, object.kind));
  const raw = message(2, metadata(object.metadata), ...fields);
  return Buffer.concat([Buffer.from('k8s\0'), type, raw, text(3, ''), text(4, '')]);
}

export const configMapValue = (served) => stored(served, map(2, served.data));

export function claimValue(served) {
  const { accessModes, resources, volumeMode } = served.spec;
  const modes = accessModes.map((mode) => text(1, mode));
  const requests = map(2, resources.requests, (quantity) => message(2, text(1, quantity)));
  const spec = message(2, ...modes, message(2, requests), text(3, ''), text(6, volumeMode));
  return stored(served, spec, message(3, text(1, served.status.phase)));
}

export const namespaceValue = (served) =>
  stored(
    served,
    message(2, ...served.spec.finalizers.map((name) => text(1, name))),
    message(3, text(1, served.status.phase)),
  );
