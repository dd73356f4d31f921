import { DELIMITED, tagOf, VARINT, WireReader, type WireWriter, writeMessage } from '@binnacle/apimachinery/protobuf';

/** What a plugin attaches to an encrypted key, by a domain name. */
export type Annotations = ReadonlyMap<string, Uint8Array>;

export interface EncryptedKey {
  readonly ciphertext: Uint8Array;
  /** The plugin's key that encrypted it. */
  readonly keyId: string;
  readonly annotations: Annotations;
}

export interface PluginStatus {
  readonly version: string;
  readonly healthz: string;
  readonly keyId: string;
}

/** How the decrypted source becomes a key. */
export type SourceType = typeof DATA_KEY | typeof SEED;
/** The source is the key. */
export const DATA_KEY = 0;
/** Each value has a key derived from the source. */
export const SEED = 1;

/** What the store keeps for a value: its ciphertext, and its encrypted key. */
export interface EncryptedObject {
  readonly data: Uint8Array;
  readonly source: EncryptedKey;
  /** Any number that was stored. */
  readonly sourceType: number;
}

/** Reads the field with this number, or leaves it; returns whether it has read it. */
type ReadField = (reader: WireReader) => boolean;

/** Upstream: kms `apis/v2/api.proto`. */
export function encodeEncryptRequest(plaintext: Uint8Array, uid: string): Buffer {
  return writeMessage((writer) => {
    writeText(writer, 2, uid);
    writeBytes(writer, 1, plaintext);
  });
}

export function encodeDecryptRequest({ ciphertext, keyId, annotations }: EncryptedKey, uid: string): Buffer {
  return writeMessage((writer) => {
    writeAnnotations(writer, 4, annotations);
    writeText(writer, 3, keyId);
    writeText(writer, 2, uid);
    writeBytes(writer, 1, ciphertext);
  });
}

export function decodeEncryptResponse(message: Buffer): EncryptedKey {
  const key = new KeyFields();
  readFields(message, 'EncryptResponse', (reader) => key.read(reader, { ciphertext: 1, keyId: 2, annotations: 3 }));
  return key;
}

/** The plaintext. */
export function decodeDecryptResponse(message: Buffer): Uint8Array {
  let plaintext: Uint8Array = new Uint8Array();
  readFields(message, 'DecryptResponse', (reader) => {
    if (reader.number === 1) plaintext = reader.bytes();
    return reader.number === 1;
  });
  return plaintext;
}

export function decodeStatusResponse(message: Buffer): PluginStatus {
  const status = { version: '', healthz: '', keyId: '' };
  const names = ['version', 'healthz', 'keyId'] as const;
  readFields(message, 'StatusResponse', (reader) => {
    const name = names[reader.number - 1];
    if (name !== undefined) status[name] = reader.string();
    return name !== undefined;
  });
  return status;
}

/** Upstream: apiserver `pkg/storage/value/encrypt/envelope/kmsv2/v2/api.proto`. */
export function encodeEncryptedObject({ data, source, sourceType }: EncryptedObject): Buffer {
  return writeMessage((writer) => {
    if (sourceType !== 0) {
      writer.varint(sourceType);
      writer.varint(tagOf(5, VARINT));
    }
    writeAnnotations(writer, 4, source.annotations);
    writeBytes(writer, 3, source.ciphertext);
    writeText(writer, 2, source.keyId);
    writeBytes(writer, 1, data);
  });
}

/** Views into the bytes. Throws a `DecodeError`. */
export function decodeEncryptedObject(message: Uint8Array): EncryptedObject {
  const source = new KeyFields();
  let data: Uint8Array = new Uint8Array();
  let sourceType = 0;
  readFields(message, 'EncryptedObject', (reader) => {
    if (source.read(reader, { ciphertext: 3, keyId: 2, annotations: 4 })) return true;
    if (reader.number === 1) data = reader.bytes();
    else if (reader.number === 5) sourceType = reader.int32();
    else return false;
    return true;
  });
  return { data, source, sourceType };
}

/** The fields of an encrypted key, which have other numbers in each message. */
class KeyFields implements EncryptedKey {
  ciphertext: Uint8Array = new Uint8Array();
  keyId = '';
  readonly annotations = new Map<string, Uint8Array>();

  read(reader: WireReader, numbers: Readonly<Record<keyof EncryptedKey, number>>): boolean {
    if (reader.number === numbers.ciphertext) this.ciphertext = reader.bytes();
    else if (reader.number === numbers.keyId) this.keyId = reader.string();
    else if (reader.number === numbers.annotations) this.#readAnnotation(reader);
    else return false;
    return true;
  }

  #readAnnotation(reader: WireReader): void {
    let name = '';
    let value: Uint8Array = new Uint8Array();
    const outer = reader.enter();
    while (!reader.atEnd) {
      reader.entryTag();
      if (reader.number === 1) name = reader.string();
      else if (reader.number === 2) value = reader.bytes();
      else reader.skip();
    }
    reader.leave(outer);
    this.annotations.set(name, value);
  }
}

function readFields(message: Uint8Array, name: string, read: ReadField): void {
  const reader = new WireReader(message);
  while (!reader.atEnd) {
    reader.tag(name);
    if (!read(reader)) reader.skip();
  }
}

function writeAnnotations(writer: WireWriter, number: number, annotations: Annotations): void {
  for (const [name, value] of annotations) {
    const { size } = writer;
    writeBytes(writer, 2, value);
    writeText(writer, 1, name);
    writer.lengthSince(size);
    writer.varint(tagOf(number, DELIMITED));
  }
}

function writeBytes(writer: WireWriter, number: number, value: Uint8Array): void {
  if (value.length === 0) return;
  writer.bytes(value);
  writer.varint(value.length);
  writer.varint(tagOf(number, DELIMITED));
}

function writeText(writer: WireWriter, number: number, value: string): void {
  if (value === '') return;
  writer.string(value);
  writer.varint(tagOf(number, DELIMITED));
}
