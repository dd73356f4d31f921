import type { CertificateRequest } from '@binnacle/apimachinery/certificaterequests';

type Rule = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/** Why a certificate with which a kubelet talks to the server must not have this content. Upstream: `ValidateKubeletClientCSR`. */
export const kubeletClientProblem: Rule = ({ organizations, commonName, alternativeNames }, usages) => {
  const { dnsNames, emailAddresses, ipAddresses, uris } = alternativeNames;
  if (!isOfNodes(organizations)) return NOT_OF_NODES;
  if (dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (emailAddresses.length > 0) return NO_EMAIL;
  if (ipAddresses.length > 0) return 'IP subjectAltNames are not allowed';
  if (uris.length > 0) return NO_URI;
  return nameProblem(commonName) ?? usageProblem(usages, 'client auth');
};

/** The same for a certificate with which a kubelet serves. Upstream: `ValidateKubeletServingCSR`. */
export const kubeletServingProblem: Rule = ({ organizations, commonName, alternativeNames }, usages) => {
  const { dnsNames, emailAddresses, ipAddresses, uris } = alternativeNames;
  if (!isOfNodes(organizations)) return NOT_OF_NODES;
  if (dnsNames.length === 0 && ipAddresses.length === 0) return 'DNS or IP subjectAltName is required';
  if (emailAddresses.length > 0) return NO_EMAIL;
  if (uris.length > 0) return NO_URI;
  return usageProblem(usages, 'server auth') ?? nameProblem(commonName);
};

const NOT_OF_NODES = 'subject organization is not system:nodes';
const NO_EMAIL = 'Email subjectAltNames are not allowed';
const NO_URI = 'URI subjectAltNames are not allowed';

function isOfNodes(organizations: readonly string[]): boolean {
  return organizations.length === 1 && organizations[0] === 'system:nodes';
}

function nameProblem(commonName: string): string | undefined {
  return commonName.startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:';
}

/** Only RSA keys encipher keys, so that usage may be missing. */
function usageProblem(usages: readonly string[], purpose: 'client auth' | 'server auth'): string | undefined {
  const required = new Set(['digital signature', purpose, 'key encipherment']);
  const given = new Set(usages);
  const missing = [...required].filter((usage) => !given.has(usage));
  const isKnown = [...given].every((usage) => required.has(usage));
  if (isKnown && missing.every((usage) => usage === 'key encipherment')) return undefined;
  return `usages did not match [${[...required].toSorted().join(' ')}]`;
}
