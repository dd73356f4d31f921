import { type IpAddress, type IpFamily, ipFamilyOf, isIpv4Mapped } from '@binnacle/apimachinery/validation';

/** The type of the addresses of a slice. */
export type AddressType = IpFamily;

/** An IPv4-mapped address counts as IPv4. */
export function addressTypeOf(ip: IpAddress): AddressType {
  return isIpv4Mapped(ip) ? 'IPv4' : ipFamilyOf(ip);
}
