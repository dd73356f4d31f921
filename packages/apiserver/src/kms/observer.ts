/** Counts what a provider does. Its methods must not throw. */
export interface KmsObserver {
  /** A call of the plugin: the gRPC method, the name of the gRPC status, and seconds. */
  called(provider: string, method: string, status: string, seconds: number): void;
  /** A value was read or written with the key of this id. */
  keyUsed(provider: string, type: 'from_storage' | 'to_storage', keyId: string): void;
  /** The plugin has reported this id as that of its current key. */
  keyReported(provider: string, keyId: string): void;
  /** The plugin has reported an id that is refused. */
  invalidKeyId(provider: string, code: 'empty' | 'too_long'): void;
  /** A key had to be decrypted by the plugin. */
  cacheMissed(): void;
  /** How many decrypted keys are kept. */
  cachedKeys(provider: string, count: number): void;
  /** A key was generated, in these seconds. */
  keyGenerated(seconds: number): void;
}
