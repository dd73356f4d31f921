/** Files of the kind EncryptionConfiguration. */

export const key = (name, byte, length = 32) => ({ name, secret: Buffer.alloc(length, byte).toString('base64') });
export const identity = { identity: {} };
export const kms = (name, socket) => ({ kms: { apiVersion: 'v2', name, endpoint: `unix://${socket}`, timeout: '2s' } });

/** `rules`: by the names of resources, separated by spaces. */
export function encryptionConfiguration(rules) {
  const resources = Object.entries(rules).map(([names, providers]) => ({ resources: names.split(' '), providers }));
  return JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources });
}
