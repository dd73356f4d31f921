import { type FieldError, invalidValue } from '@binnacle/apimachinery/status';
import { type IpAddress, parseIpAddress } from '@binnacle/apimachinery/validation';

/** Special addresses are not allowed for endpoints or external IPs. Upstream: `ValidateNonSpecialIP`. */
export function validateNonSpecialIp(ip: string, field: string): FieldError[] {
  const address = parseIpAddress(ip);
  if (address === undefined) return [invalidValue(field, ip, 'must be a valid IP address')];
  const problem = problemOf(address, ip);
  return problem === undefined ? [] : [invalidValue(field, ip, problem)];
}

function problemOf(address: IpAddress, ip: string): string | undefined {
  const { family, bytes } = address;
  const [first = 0, second = 0] = bytes;
  if (bytes.every((byte) => byte === 0)) return `may not be unspecified (${ip})`;
  const loopback = family === 4 ? first === 127 : bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15] === 1;
  if (loopback) return 'may not be in the loopback range (127.0.0.0/8, ::1/128)';
  const linkLocal = family === 4 ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80;
  if (linkLocal) return 'may not be in the link-local range (169.254.0.0/16, fe80::/10)';
  const multicast =
    family === 4 ? first === 224 && second === 0 && bytes[2] === 0 : first === 0xff && (second & 0x0f) === 2;
  return multicast ? 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)' : undefined;
}
