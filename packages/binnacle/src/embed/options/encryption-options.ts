/** Encryption of objects in the store. */
export interface EncryptionStartOptions {
  /** File of the kind EncryptionConfiguration. Default: objects are stored as they are. */
  readonly encryptionProviderConfig?: string | undefined;
  /** Whether this file is read again when it changes. Default: false. */
  readonly encryptionProviderConfigAutomaticReload?: boolean | undefined;
}
