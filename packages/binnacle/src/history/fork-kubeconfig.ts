import { parseKubeconfig, selectContext } from '@binnacle/client/kubeconfig';
import { makeKubeconfig } from '../kubeconfig/index.js';

/**
 * The kubeconfig of a fork, made of the URL and the keys in what a server has sent. All else is left out: a kubeconfig may name programs that
 * clients run, and files that they read. Throws an Error for a text without these parts.
 */
export function forkKubeconfig(sent: string): string {
  const { cluster, user } = selectContext(parseKubeconfig(sent));
  const { server, certificateAuthorityData: certificateAuthority } = cluster;
  const { clientCertificateData: clientCertificate, clientKeyData: clientKey } = user;
  if (!server || !certificateAuthority || !clientCertificate || !clientKey) {
    throw new Error('the server has sent a kubeconfig without a URL, a certificate or a key');
  }
  return makeKubeconfig({ server, certificateAuthority, clientCertificate, clientKey });
}
