/**
 * A copy of a text. The engine lets a part of a text keep the whole one in memory, and a part of a request's head may
 * keep a megabyte while its span waits for the collector.
 */
export function ownText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
