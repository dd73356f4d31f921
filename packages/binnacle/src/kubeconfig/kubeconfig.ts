export interface KubeconfigParts {
  /** `https://host:port`. */
  readonly server: string;
  /** PEM of the certificate authority. */
  readonly certificateAuthority: string;
  /** PEM. */
  readonly clientCertificate: string;
  /** PEM. */
  readonly clientKey: string;
}

/** The names of the three entries of a kubeconfig. */
interface EntryNames {
  readonly cluster: string;
  readonly user: string;
  readonly context: string;
}

const usualNames: EntryNames = {
  cluster: 'binnacle',
  user: 'kubernetes-admin',
  context: 'kubernetes-admin@binnacle',
};

/** A kubeconfig with one cluster, one user and one context, as YAML. Upstream: client-go `tools/clientcmd/api/v1`. */
export function makeKubeconfig(parts: KubeconfigParts, { cluster, user, context }: EntryNames = usualNames): string {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    `- name: ${cluster}`,
    '  cluster:',
    `    server: ${JSON.stringify(parts.server)}`,
    `    certificate-authority-data: ${base64(parts.certificateAuthority)}`,
    'users:',
    `- name: ${user}`,
    '  user:',
    `    client-certificate-data: ${base64(parts.clientCertificate)}`,
    `    client-key-data: ${base64(parts.clientKey)}`,
    'contexts:',
    `- name: ${context}`,
    '  context:',
    `    cluster: ${cluster}`,
    `    user: ${user}`,
    `current-context: ${context}`,
    '',
  ].join('\n');
}
