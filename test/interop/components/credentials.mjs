/** Who the components are: tokens, and the kubeconfigs that hold them. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';

/** The users of the components, by their tokens: a name and its groups. */
export const users = {
  'kube-scheduler': ['system:kube-scheduler'],
  'kube-controller-manager': ['system:kube-controller-manager'],
  'kube-proxy': ['system:kube-proxy'],
  // Nodes get certificates by this one, as those of kubeadm do.
  bootstrap: ['system:bootstrap:nodes', 'system:bootstrappers'],
};

export async function writeTokens(file, known = users) {
  const lines = Object.entries(known).map(([token, [name, ...groups]]) => `${token},${name},,"${groups.join(',')}"\n`);
  await writeFile(file, lines.join(''), { mode: 0o600 });
}

/** `token` is the name of one of the users above, or another one of the token file. JSON is YAML too. */
export async function writeKubeconfig(file, { server, authorityFile, token }) {
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority': authorityFile } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'c',
  };
  await writeFile(file, JSON.stringify(kubeconfig), { mode: 0o600 });
}

/** The key that tokens of service accounts are signed with, which the server and the controller-manager share. */
export async function writeSigningKey(file) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(file, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
}

/** What lets nodes ask for their certificates, and have them approved. Upstream: kubeadm `phases/bootstraptoken/node`. */
export const bootstrapBindings = [
  ['kubelet-bootstrap', 'system:node-bootstrapper'],
  ['node-autoapprove-bootstrap', 'system:certificates.k8s.io:certificatesigningrequests:nodeclient'],
].map(([name, role]) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:bootstrappers' }],
}));
