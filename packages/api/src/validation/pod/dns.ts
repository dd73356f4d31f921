import { type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import {
  invalidFor,
  validateDns1123SubdomainWithUnderscore,
  validateIp,
  validateIpForLegacyField,
} from '@binnacle/apimachinery/validation';
import type { HostAlias, PodSpec } from '../../generated/types/core-v1.js';
import { dnsSubdomain, each, list } from '../common.js';

const NAMESERVERS_MAXIMUM = 3;
const SEARCHES_MAXIMUM = 32;
const SEARCH_LIST_MAXIMUM = 2048;

/** Upstream: `validatePodDNSConfig`. */
export function validateDnsConfig(spec: PodSpec, field: string): FieldError[] {
  const { dnsConfig, dnsPolicy } = spec;
  if (dnsPolicy === 'None') {
    if (dnsConfig === undefined) {
      return [required(field, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    }
    if (list(dnsConfig.nameservers).length === 0) {
      const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
      return [required(`${field}.nameservers`, detail)];
    }
  }
  if (dnsConfig === undefined) return [];
  return [
    ...nameservers(list(dnsConfig.nameservers), `${field}.nameservers`),
    ...searches(list(dnsConfig.searches), `${field}.searches`),
    ...each(dnsConfig.options, `${field}.options`, (option, path) =>
      option.name ? [] : [required(path, 'must not be empty')],
    ),
  ];
}

function nameservers(servers: readonly string[], field: string): FieldError[] {
  const tooMany = `must not have more than ${NAMESERVERS_MAXIMUM} nameservers`;
  return [
    ...(servers.length > NAMESERVERS_MAXIMUM ? [invalidValue(field, servers, tooMany)] : []),
    ...each(servers, field, (server, path) => invalidFor(path, server, validateIpForLegacyField(server))),
  ];
}

function searches(domains: readonly string[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (domains.length > SEARCHES_MAXIMUM) {
    errors.push(invalidValue(field, domains, `must not have more than ${SEARCHES_MAXIMUM} search paths`));
  }
  if (domains.join(' ').length > SEARCH_LIST_MAXIMUM) {
    const detail = `must not have more than ${SEARCH_LIST_MAXIMUM} characters (including spaces) in the search list`;
    errors.push(invalidValue(field, domains, detail));
  }
  const names = each(domains, field, (domain, path) => {
    if (domain === '.') return [];
    const name = domain.endsWith('.') ? domain.slice(0, -1) : domain;
    return invalidFor(path, name, validateDns1123SubdomainWithUnderscore(name));
  });
  return [...errors, ...names];
}

/** Upstream: `ValidateHostAliases`. */
export function validateHostAliases(aliases: readonly HostAlias[] | undefined, field: string): FieldError[] {
  return each(aliases, field, (alias, path) => [
    ...invalidFor(`${path}.ip`, alias.ip ?? '', validateIpForLegacyField(alias.ip ?? '')),
    ...each(alias.hostnames, `${path}.hostnames`, dnsSubdomain),
  ]);
}

export function validatePodIps(ips: readonly string[], field: string): FieldError[] {
  return each(ips, field, (ip, path) => invalidFor(path, ip, validateIp(ip)));
}
