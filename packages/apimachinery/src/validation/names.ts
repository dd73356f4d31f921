import { validateDns1123Label, validateDns1123Subdomain } from './dns-names.js';

/**
 * A kind's rule for metadata.name. `prefix` is true for a generateName, to which the server appends characters.
 * Upstream: apimachinery `pkg/api/validation/generic.go`, `pkg/api/validate/content/path.go`.
 */
export type NameRule = (name: string, prefix: boolean) => string[];

/** A generateName may end in a dash, because characters always follow it. */
function maskTrailingDash(name: string, prefix: boolean): string {
  return prefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

export function nameIsDnsSubdomain(name: string, prefix: boolean): string[] {
  return validateDns1123Subdomain(maskTrailingDash(name, prefix));
}

/** The rule of kinds whose generateName may be any segment of a path, because the generated name is validated. */
export function fullNameIsDnsSubdomain(name: string, prefix: boolean): string[] {
  return prefix ? nameIsPathSegment(name, true) : nameIsDnsSubdomain(name, false);
}

export function nameIsDnsLabel(name: string, prefix: boolean): string[] {
  return validateDns1123Label(maskTrailingDash(name, prefix));
}

/** The minimal rule: every name must be a valid segment of a URL path. */
export function nameIsPathSegment(name: string, prefix: boolean): string[] {
  if (!prefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((illegal) => name.includes(illegal)).map((illegal) => `may not contain '${illegal}'`);
}
