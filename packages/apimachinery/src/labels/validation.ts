/*
 * The patterns are written so that every text is matched in linear time; what messages show are upstream's equivalent ones.
 */
const keyNamePattern = /^[A-Za-z0-9]+(?:[-_.]+[A-Za-z0-9]+)*$/;
const dnsSubdomainPattern = /^[a-z0-9]+(?:-+[a-z0-9]+)*(?:\.[a-z0-9]+(?:-+[a-z0-9]+)*)*$/;

const shownKeyName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const shownDnsLabel = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

const keyNameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${shownKeyName}')`;
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
  `alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${shownKeyName})?')`;
const dnsSubdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an " +
  `alphanumeric character (e.g. 'example.com', regex used for validation is '${shownDnsLabel}(\\.${shownDnsLabel})*')`;

const maximumNameBytes = 63;
const maximumSubdomainBytes = 253;

/**
 * What is wrong with a label key (equally: an annotation key, a qualified name); empty when nothing is.
 * Upstream: apimachinery `content.IsLabelKey`.
 */
export function labelKeyProblems(key: string): string[] {
  const slash = key.indexOf('/');
  if (slash >= 0 && key.indexOf('/', slash + 1) >= 0) {
    return [
      `a valid label key ${keyNameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const problems: string[] = [];
  if (slash === 0) problems.push('prefix part must be non-empty');
  if (slash > 0) problems.push(...dnsSubdomainProblems(key.slice(0, slash)).map((problem) => `prefix part ${problem}`));
  const name = key.slice(slash + 1);
  if (name === '') problems.push('name part must be non-empty');
  else if (longerThan(name, maximumNameBytes))
    problems.push(`name part must be no more than ${maximumNameBytes} bytes`);
  if (!keyNamePattern.test(name)) problems.push(`name part ${keyNameRule}`);
  return problems;
}

/** What is wrong with a label value; empty when nothing is. Upstream: apimachinery `content.IsLabelValue`. */
export function labelValueProblems(value: string): string[] {
  const problems: string[] = [];
  if (longerThan(value, maximumNameBytes)) problems.push(`must be no more than ${maximumNameBytes} bytes`);
  if (value !== '' && !keyNamePattern.test(value)) problems.push(valueRule);
  return problems;
}

/** What is wrong with a DNS subdomain; empty when nothing is. Upstream: apimachinery `content.IsDNS1123Subdomain`. */
export function dnsSubdomainProblems(value: string): string[] {
  const problems: string[] = [];
  if (longerThan(value, maximumSubdomainBytes)) problems.push(`must be no more than ${maximumSubdomainBytes} bytes`);
  if (!dnsSubdomainPattern.test(value)) problems.push(dnsSubdomainRule);
  return problems;
}

function longerThan(text: string, bytes: number): boolean {
  return text.length > bytes || (text.length * 3 > bytes && Buffer.byteLength(text) > bytes);
}
