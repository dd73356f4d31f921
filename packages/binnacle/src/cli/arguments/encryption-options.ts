/** How objects are stored. The names are kube-apiserver's. */
export const encryptionOptions = [
  {
    name: 'encryption-provider-config',
    type: 'text',
    placeholder: 'FILE',
    key: 'encryptionProviderConfig',
    description: 'file with an EncryptionConfiguration: which resources are encrypted in the store, and by which keys',
  },
  {
    name: 'encryption-provider-config-automatic-reload',
    type: 'switch',
    key: 'encryptionProviderConfigAutomaticReload',
    default: 'false',
    description: 'read this file again when it changes; caches then hold the objects of all resources it may encrypt',
  },
] as const;
