import { type FieldError, forbiddenField, invalidValue, required } from '@binnacle/apimachinery/status';
import {
  invalidFor,
  type IpPrefix,
  maskIpAddress,
  parseIpPrefix,
  validateCidrForLegacyField,
  validatePortName,
  validatePortNumber,
  warningsForCidr,
} from '@binnacle/apimachinery/validation';
import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from '../../generated/types/networking-v1.js';
import { each, list, finalizerDomains, optionalOneOf } from '../common.js';
import { labelSelector } from '../label-selector.js';

// Upstream: `ValidateNetworkPolicySpec`.

const DIRECTIONS = ['Ingress', 'Egress'];

export function validateNetworkPolicy(object: NetworkPolicy): FieldError[] {
  return policySpec(object.spec, new Set());
}

/** Accepts non-canonical prefixes that the stored policy already has. */
export function validateNetworkPolicyUpdate(object: NetworkPolicy, old: NetworkPolicy): FieldError[] {
  const peers = [
    ...list(old.spec?.ingress).flatMap(({ from }) => list(from)),
    ...list(old.spec?.egress).flatMap(({ to }) => list(to)),
  ];
  const accepted = new Set(peers.flatMap(({ ipBlock }) => (ipBlock ? [ipBlock.cidr, ...list(ipBlock.except)] : [])));
  return [...finalizerDomains(object), ...policySpec(object.spec, accepted)];
}

/** Warns about prefixes in a non-canonical form. */
export function networkPolicyWarnings({ spec }: NetworkPolicy): string[] {
  const inPeers = (peers: NetworkPolicyPeer[] | undefined, field: string): string[] =>
    list(peers).flatMap(({ ipBlock }, index) => {
      const path = `${field}[${index}].ipBlock`;
      if (ipBlock === undefined) return [];
      return [
        ...warningsForCidr(`${path}.cidr`, ipBlock.cidr ?? ''),
        ...list(ipBlock.except).flatMap((text, at) => warningsForCidr(`${path}.except[${at}]`, text)),
      ];
    });
  return [
    ...list(spec?.ingress).flatMap(({ from }, index) => inPeers(from, `spec.ingress[${index}].from`)),
    ...list(spec?.egress).flatMap(({ to }, index) => inPeers(to, `spec.egress[${index}].to`)),
  ];
}

function policySpec(spec: NetworkPolicySpec | undefined, accepted: ReadonlySet<string>): FieldError[] {
  const rule =
    (peersField: string) =>
    (ports: NetworkPolicyPort[] | undefined, peers: NetworkPolicyPeer[] | undefined, path: string): FieldError[] => [
      ...each(ports, `${path}.ports`, policyPort),
      ...each(peers, `${path}.${peersField}`, (peer, peerPath) => policyPeer(peer, accepted, peerPath)),
    ];
  const errors = [
    ...labelSelector(spec?.podSelector, 'spec.podSelector'),
    ...each(spec?.ingress, 'spec.ingress', ({ ports, from }, path) => rule('from')(ports, from, path)),
    ...each(spec?.egress, 'spec.egress', ({ ports, to }, path) => rule('to')(ports, to, path)),
  ];
  const types = list(spec?.policyTypes);
  if (types.length > DIRECTIONS.length) {
    return [...errors, invalidValue('spec.policyTypes', types, 'may not specify more than two policyTypes')];
  }
  return [...errors, ...each(types, 'spec.policyTypes', (type, path) => optionalOneOf(type, DIRECTIONS, path))];
}

function policyPort(item: NetworkPolicyPort, path: string): FieldError[] {
  const { protocol, port, endPort } = item;
  const end = `${path}.endPort`;
  const errors = optionalOneOf(protocol, ['TCP', 'UDP', 'SCTP'], `${path}.protocol`);
  if (typeof port === 'number') {
    errors.push(...invalidFor(`${path}.port`, port, validatePortNumber(port)));
    if (endPort === undefined) return errors;
    if (endPort < port) errors.push(invalidValue(end, port, 'must be greater than or equal to `port`'));
    return [...errors, ...invalidFor(end, endPort, validatePortNumber(endPort))];
  }
  if (endPort !== undefined) {
    const why = port === undefined ? 'not specified' : 'non-numeric';
    errors.push(invalidValue(end, endPort, `may not be specified when \`port\` is ${why}`));
  }
  return port === undefined ? errors : [...errors, ...invalidFor(`${path}.port`, port, validatePortName(port))];
}

function policyPeer(peer: NetworkPolicyPeer, accepted: ReadonlySet<string>, path: string): FieldError[] {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  const count = [podSelector, namespaceSelector, ipBlock].filter((part) => part !== undefined).length;
  const errors = [
    ...labelSelector(podSelector, `${path}.podSelector`),
    ...labelSelector(namespaceSelector, `${path}.namespaceSelector`),
    ...(ipBlock === undefined ? [] : block(ipBlock, accepted, `${path}.ipBlock`)),
  ];
  if (count === 0) errors.push(required(path, 'must specify a peer'));
  else if (count > 1 && ipBlock !== undefined) {
    errors.push(forbiddenField(path, 'may not specify both ipBlock and another peer'));
  }
  return errors;
}

function block(item: IPBlock, accepted: ReadonlySet<string>, path: string): FieldError[] {
  if (!item.cidr) return [required(`${path}.cidr`, '')];
  const errors = invalidFor(`${path}.cidr`, item.cidr, validateCidrForLegacyField(item.cidr, { accepted }));
  const whole = parseIpPrefix(item.cidr);
  if (whole === undefined) return errors;
  const inside = strictSubsetOf(whole);
  const exceptions = each(item.except, `${path}.except`, (text, field) => {
    const problems = invalidFor(field, text, validateCidrForLegacyField(text, { accepted }));
    const part = parseIpPrefix(text);
    if (part === undefined || inside(part)) return problems;
    return [...problems, invalidValue(field, text, 'must be a strict subset of `cidr`')];
  });
  return [...errors, ...exceptions];
}

function strictSubsetOf(whole: IpPrefix): (part: IpPrefix) => boolean {
  const network = ({ address }: IpPrefix): string => maskIpAddress(address, whole.length).bytes.join('.');
  const own = network(whole);
  return (part) => part.address.family === whole.address.family && part.length > whole.length && network(part) === own;
}
