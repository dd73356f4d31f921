/**
 * Values that depend on chance, the machine or the time, in the order in which they are masked. Two service addresses
 * are not masked: 10.0.0.1 is fixed. The scenarios request 10.0.0.99, so it is masked only where it may have been
 * allocated.
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

/** Masks a text; returns any other value unchanged. */
export function mask(value) {
  if (typeof value !== 'string') return value;
  const masked = masks.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), value);
  return masked.replace(address, (found) => (found.startsWith('10.0.0.') ? found : '<server-ip>'));
}

/**
 * Like {@link mask}, and sorts the parts of a long text: upstream lists the errors of a message in the order of a Go
 * map.
 */
export function maskUnordered(value) {
  const masked = mask(value);
  if (typeof masked !== 'string' || masked.length <= longText) return masked;
  return masked
    .split(/, |\n|\[|\]/)
    .sort()
    .join('|');
}

/** Masks a scalar in the field `key`; also masks allocated ports and the ages in a table. */
export function maskField(key, value) {
  if (key === 'nodePort' || key === 'healthCheckNodePort' || (key === 'targetPort' && value > 1024)) return '<port>';
  return age.test(String(value)) ? '<age>' : mask(value);
}
