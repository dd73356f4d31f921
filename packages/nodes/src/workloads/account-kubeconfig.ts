/** Where the server of the cluster is, as processes of this machine reach it. */
export interface ServerAddress {
  /** `https://host:port`. */
  readonly url: string;
  /** PEM. */
  readonly certificateAuthority: string;
}

/** A kubeconfig with which a program is the service account of its pod. Clients read the token again when it changes. */
export function accountKubeconfig(
  { url, certificateAuthority }: ServerAddress,
  { tokenFile, namespace }: { readonly tokenFile: string; readonly namespace: string },
): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'cluster',
        cluster: {
          server: url,
          'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64'),
        },
      },
    ],
    users: [{ name: 'account', user: { tokenFile } }],
    contexts: [{ name: 'pod', context: { cluster: 'cluster', user: 'account', namespace } }],
    'current-context': 'pod',
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
