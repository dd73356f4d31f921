import { quoteGo } from '../status/index.js';
import {
  formatIpAddress,
  formatIpPrefix,
  type IpAddress,
  isIpv4Mapped,
  maskIpAddress,
  parseIpAddress,
  parseIpPrefix,
} from './ip-address.js';

// Upstream: apimachinery `pkg/util/validation/ip.go`.

const notAnAddress = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const notAPrefix = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

export interface LegacyFieldOptions {
  /** Reject leading zeros, IPv4-mapped addresses and bits after the prefix. Default: true. */
  readonly strict?: boolean;
  /** Values of the stored object, accepted in any form. */
  readonly accepted?: ReadonlySet<string>;
}

/** For fields older than strict checking: accepts any textual form. */
export function validateIpForLegacyField(value: string, options: LegacyFieldOptions = {}): string[] {
  if (options.accepted?.has(value)) return [];
  const address = parseIpAddress(value);
  if (address === undefined) return [notAnAddress];
  return options.strict === false ? [] : strictAddressMessages(address);
}

function strictAddressMessages(address: IpAddress): string[] {
  if (address.leadingZeros) return ['must not have leading 0s'];
  return isIpv4Mapped(address) ? ['must not be an IPv4-mapped IPv6 address'] : [];
}

/** For newer fields: accepts only the canonical form. */
export function validateIp(value: string): string[] {
  const messages = validateIpForLegacyField(value);
  const address = parseIpAddress(value);
  if (messages.length > 0 || address === undefined) return messages;
  const canonical = formatIpAddress(address);
  return value === canonical ? [] : [`must be in canonical form (${quoteGo(canonical)})`];
}

export function validateCidrForLegacyField(value: string, options: LegacyFieldOptions = {}): string[] {
  if (options.accepted?.has(value)) return [];
  const prefix = parseIpPrefix(value);
  if (prefix === undefined) return [notAPrefix];
  if (options.strict === false) return [];
  if (prefix.leadingZeros) return ['must not have leading 0s in IP or prefix length'];
  if (isIpv4Mapped(prefix.address)) return ['must not have an IPv4-mapped IPv6 address'];
  const masked = maskIpAddress(prefix.address, prefix.length);
  if (masked.bytes.some((byte, index) => byte !== prefix.address.bytes[index])) {
    return ['must not have bits set beyond the prefix length'];
  }
  return [];
}

export function validateCidr(value: string): string[] {
  const messages = validateCidrForLegacyField(value);
  const prefix = parseIpPrefix(value);
  if (messages.length > 0 || prefix === undefined) return messages;
  const canonical = formatIpPrefix(prefix);
  return value === canonical ? [] : [`must be in canonical form (${quoteGo(canonical)})`];
}

/** Warnings for an address of a legacy field in non-canonical form. The value is valid. */
export function warningsForIp(field: string, value: string): string[] {
  const address = parseIpAddress(value);
  if (address === undefined) return [];
  const canonical = formatIpAddress(address);
  if (address.leadingZeros || isIpv4Mapped(address)) {
    return [`${field}: non-standard IP address ${quoteGo(value)} is invalid: use ${quoteGo(canonical)}`];
  }
  if (address.family === 6 && canonical !== value) {
    return [`${field}: IPv6 address ${quoteGo(value)} should be in RFC 5952 canonical format (${quoteGo(canonical)})`];
  }
  return [];
}

export function warningsForCidr(field: string, value: string): string[] {
  const prefix = parseIpPrefix(value);
  if (prefix === undefined) return [];
  const canonical = formatIpPrefix(prefix);
  const address = formatIpAddress(prefix.address);
  const warnings: string[] = [];
  if (formatIpAddress(maskIpAddress(prefix.address, prefix.length)) !== address) {
    const single = `${address}/${prefix.address.bytes.length * 8}`;
    warnings.push(
      `${field}: CIDR value ${quoteGo(value)} is ambiguous in this context (should be ${quoteGo(canonical)} or ${quoteGo(single)}?)`,
    );
  }
  if (prefix.leadingZeros || isIpv4Mapped(prefix.address)) {
    warnings.push(`${field}: non-standard CIDR value ${quoteGo(value)} is invalid: use ${quoteGo(canonical)}`);
  }
  if (warnings.length === 0 && prefix.address.family === 6 && canonical !== value) {
    warnings.push(
      `${field}: IPv6 CIDR value ${quoteGo(value)} should be in RFC 5952 canonical format (${quoteGo(canonical)})`,
    );
  }
  return warnings;
}
