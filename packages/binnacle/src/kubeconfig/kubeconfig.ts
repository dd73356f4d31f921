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

const cluster = 'binnacle';
const user = 'kubernetes-admin';
const context = `${user}@${cluster}`;

/** A kubeconfig with one cluster, one user and one context, as YAML. Upstream: client-go `tools/clientcmd/api/v1`. */
export function makeKubeconfig(parts: KubeconfigParts): string {
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
