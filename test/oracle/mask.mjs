/**
 * What chance, the machine or the time decides, in the order in which it is masked. Of the services' addresses 10.0.0.1 is fixed, and
 * 10.0.0.99 is quoted as what was asked for; elsewhere chance may have given it to somebody.
 */
const masks = [
  [/\b10\.(0\.0)\.(?!1\b|99"\])\d+\b/g, '<ip>'],
  [/\bg-[a-z0-9]{5}\b/g, 'g-<random>'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<jwt>'],
  [/\(rv\d+\)|<rv\d+>/g, '<rv>'],
  [/<uid\d+>/g, '<uid>'],
  [/([Rr]esourceVersion[^0-9]{0,40}?)\b\d+\b/g, '$1<n>'],
  [/(record \()\d+\)/g, '$1<n>)'],
  [/\b(current|requested)(:? )\d+/g, '$1$2<n>'],
  [/UNSET_\w+/g, '<unset>'],
  [/\bhash=[0-9A-F]+/g, 'hash=<hash>'],
  [/\bkube-api-access-\w{5}\b/g, 'kube-api-access-<random>'],
  [/\b(\d{1,3}\.){3}\d{1,3}:\d{4,5}\b/g, '<server>'],
];
const address = /^\d{1,3}(\.\d{1,3}){3}$/;
const age = /^(\d+[smhd])+$|^<unknown>$/;
const longText = 60;

/** Masks a text; anything else is given back as it is. */
export function mask(value) {
  if (typeof value !== 'string') return value;
  const masked = masks.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), value);
  return masked.replace(address, (found) => (found.startsWith('10.0.0.') ? found : '<server-ip>'));
}

/** As {@link mask}, with the parts of a long text sorted: upstream lists the errors of a message in the order of a Go map. */
export function maskUnordered(value) {
  const masked = mask(value);
  if (typeof masked !== 'string' || masked.length <= longText) return masked;
  return masked
    .split(/, |\n|\[|\]/)
    .sort()
    .join('|');
}

/** Masks what is no object and stands in the field `key`: ports that were allocated, and the ages of a table, besides. */
export function maskField(key, value) {
  if (key === 'nodePort' || key === 'healthCheckNodePort' || (key === 'targetPort' && value > 1024)) return '<port>';
  return age.test(String(value)) ? '<age>' : mask(value);
}
