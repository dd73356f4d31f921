import { encryptionConfiguration, identity, key, kms } from './configuration.mjs';

/** Each resource has one provider; the plugin of a key service listens on `socket`. */
export const providersOf = (socket) => ({
  secrets: { aescbc: { keys: [key('a', 1, 16), key('b', 2)] } },
  configmaps: { aesgcm: { keys: [key('a', 3, 24)] } },
  'deployments.apps': { secretbox: { keys: [key('a', 4)] } },
  'pandas.bears.example': kms('one', socket),
  pods: identity,
  nodes: { aesgcm: { keys: [key('b', 5)] } },
});

export const resources = Object.keys(providersOf(''));

export const configurationOf = (socket) =>
  encryptionConfiguration(
    Object.fromEntries(Object.entries(providersOf(socket)).map(([name, each]) => [name, [each]])),
  );

/** The store of a resource, such as `deployments.apps`. */
export function storeOf(encryption, name, kv) {
  const [resource, ...group] = name.split('.');
  return encryption.storeOf({ group: group.join('.'), resource }, kv);
}
