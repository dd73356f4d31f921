/**
 * The name that a field selector pins with `metadata.name=x`, or undefined. A selector that cannot be read pins
 * nothing; the handler says what is wrong with it.
 * Upstream: apimachinery `pkg/fields` `RequiresExactMatch`.
 */
export function exactName(fieldSelector: string): string | undefined {
  if (!fieldSelector.includes('metadata.name')) return undefined;
  let name: string | undefined;
  for (const term of splitTerms(fieldSelector)) {
    if (term === '') continue;
    const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
    const value = unescapeValue(match?.[3] ?? '');
    if (match === null || value === undefined) return undefined;
    if (match[1] === 'metadata.name' && match[2] !== '!=') name ??= value;
  }
  return name;
}

function splitTerms(selector: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < selector.length; i++) {
    if (selector[i] === '\\') i++;
    else if (selector[i] === ',') {
      terms.push(selector.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(selector.slice(start));
  return terms;
}

function unescapeValue(text: string): string | undefined {
  return /^(?:[^\\,=]|\\[\\,=])*$/s.test(text) ? text.replace(/\\(.)/gs, '$1') : undefined;
}
