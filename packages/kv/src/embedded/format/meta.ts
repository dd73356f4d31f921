import { join } from 'node:path';
import type { Database, RootDatabase } from 'lmdb';
import { KVError } from '../../interface/index.js';
import { DATA_FILE } from '../pages/data-file.js';
import type { OverflowCheck } from '../pages/overflow-check.js';
import { damagedFile } from '../disk/failure.js';
import type { ForgottenState } from '../../engine/index.js';
import {
  decodeForgottenState,
  decodeMeta,
  decodeNote,
  encodeForgottenState,
  encodeMeta,
  encodeNote,
  FORMAT_VERSION,
} from './layout.js';
import { upgradeTables, type UpgradableTables } from './upgrade.js';

type Table = Database<Buffer, Buffer>;

/** Every store of this format has these numbers from its first commit on. */
export type MetaName = 'revision' | 'compacted' | 'removed' | 'condensed';
export const META_NUMBERS: readonly MetaName[] = ['revision', 'compacted', 'removed', 'condensed'];

/** The names of notes begin with it. */
export const NOTE_PREFIX = 'note:';
/** The names of authors begin with it. */
export const AUTHOR_PREFIX = 'author:';
/** The names of the records of forgotten values: this, then the prefix of their keys. */
export const FORGOTTEN_PREFIX = 'forgotten:';
/** The first format with condensed values. */
const CONDENSED_FORMAT = 4;
/** Formats from this one on can be read without an upgrade. */
const OLDEST_READABLE = 2;

/** The value under a name in the table `meta`. */
export type MetaReader = (name: Buffer) => Buffer | undefined;
const FORMAT = Buffer.from('format');
/** Present while records of an older format may remain. */
const UPGRADING = Buffer.from('upgrading');

export interface ClaimedTables extends UpgradableTables {
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly meta: Table;
}

/** Upgrades the tables to the current format, or initializes them. Returns whether they were new. */
export async function claimFormat(directory: string, tables: ClaimedTables, overflow: OverflowCheck): Promise<boolean> {
  const { root, meta, log } = tables;
  const format = formatIn(directory, (name) => meta.get(name));
  const isNew = format === undefined;
  const hasNumbers = META_NUMBERS.some((name) => meta.get(Buffer.from(name)) !== undefined);
  if (isNew && (hasNumbers || log.getKeysCount({ limit: 1 }) > 0)) throw damaged(directory, 'format');
  if (!isNew && format >= OLDEST_READABLE && format < FORMAT_VERSION) {
    await root.batch(() => {
      void meta.put(FORMAT, Buffer.from(String(FORMAT_VERSION)));
      if (format < CONDENSED_FORMAT) writeMetaNumber(meta, 'condensed', 0);
    });
  } else if (isNew || format < FORMAT_VERSION) {
    const numbers = META_NUMBERS.map((name) => [name, isNew ? 0 : plainNumber(directory, meta, name)] as const);
    await root.batch(() => {
      void meta.put(FORMAT, Buffer.from(String(FORMAT_VERSION)));
      for (const [name, value] of numbers) writeMetaNumber(meta, name, value);
      if (!isNew) void meta.put(UPGRADING, Buffer.from('1'));
    });
  }
  if (meta.get(UPGRADING) !== undefined) {
    // The upgrade replaces large values, which frees their pages.
    await overflow.run();
    await upgradeTables(tables);
    await root.batch(() => void meta.remove(UPGRADING));
  }
  return isNew;
}

/** Throws unless the tables can be read without an upgrade. */
export function checkFormat(directory: string, read: MetaReader): void {
  const format = formatIn(directory, read);
  if (format === undefined) throw damaged(directory, 'format');
  if (format >= OLDEST_READABLE && read(UPGRADING) === undefined) return;
  throw new KVError(
    'unavailable',
    `the data in ${directory} has format ${format}; start the server or compact the store once to bring it to format ${FORMAT_VERSION}`,
  );
}

export function readMetaNumber(directory: string, read: MetaReader, name: MetaName): number {
  const bytes = read(Buffer.from(name));
  const value = bytes === undefined ? undefined : decodeMeta(name, bytes);
  if (value === undefined) throw damaged(directory, name);
  return value;
}

/** Only inside a batch. */
export function writeMetaNumber(meta: Table, name: MetaName, value: number): void {
  void meta.put(Buffer.from(name), encodeMeta(name, value));
}

export function readNote(meta: Table, name: string): Uint8Array | undefined {
  const key = NOTE_PREFIX + name;
  const bytes = meta.get(Buffer.from(key));
  return bytes && decodeNote(key, bytes);
}

/** Only inside a batch. */
export function writeNote(meta: Table, name: string, note: Uint8Array): void {
  const key = NOTE_PREFIX + name;
  void meta.put(Buffer.from(key), encodeNote(key, note));
}

export function* readAuthors(meta: Table): Generator<readonly [number, string]> {
  const [start, end] = [Buffer.from(AUTHOR_PREFIX), Buffer.from(`${AUTHOR_PREFIX}\xff`)];
  for (const { key, value } of meta.getRange({ start, end })) {
    const name = decodeNote(key.toString(), value);
    const number = Number(key.toString().slice(AUTHOR_PREFIX.length));
    if (name !== undefined && Number.isSafeInteger(number)) yield [number, Buffer.from(name).toString()];
  }
}

/** Only inside a batch. */
export function writeAuthor(meta: Table, number: number, name: string): void {
  const key = AUTHOR_PREFIX + number;
  void meta.put(Buffer.from(key), encodeNote(key, Buffer.from(name)));
}

/** By prefix. Throws `corrupt`: a reader must not get a value that is forgotten. */
export function readForgotten(directory: string, meta: Table): ReadonlyMap<string, ForgottenState> {
  const forgotten = new Map<string, ForgottenState>();
  const [start, end] = [Buffer.from(FORGOTTEN_PREFIX), Buffer.from(`${FORGOTTEN_PREFIX}\xff`)];
  for (const { key, value } of meta.getRange({ start, end })) {
    const state = decodeForgottenState(key.toString(), value);
    if (state === undefined) throw damaged(directory, key.toString());
    forgotten.set(key.toString().slice(FORGOTTEN_PREFIX.length), state);
  }
  return forgotten;
}

/** Only inside a batch. */
export function writeForgotten(meta: Table, prefix: string, state: ForgottenState): void {
  const key = FORGOTTEN_PREFIX + prefix;
  void meta.put(Buffer.from(key), encodeForgottenState(key, state));
}

function formatIn(directory: string, read: MetaReader): number | undefined {
  const bytes = read(FORMAT);
  if (bytes === undefined) return undefined;
  const format = Number(bytes.toString());
  if (!Number.isSafeInteger(format) || format < 1) throw damaged(directory, 'format');
  if (format <= FORMAT_VERSION) return format;
  throw new KVError(
    'corrupt',
    `the data in ${directory} has format ${format}, written by a newer version; this one reads up to ${FORMAT_VERSION}`,
  );
}

/** A number in the form of format 1. */
function plainNumber(directory: string, meta: Table, name: MetaName): number {
  const value = Number(meta.get(Buffer.from(name))?.toString() ?? '0');
  if (!Number.isSafeInteger(value)) throw damaged(directory, name);
  return value;
}

function damaged(directory: string, name: string): KVError {
  return damagedFile(join(directory, DATA_FILE), `bad ${name}`);
}
