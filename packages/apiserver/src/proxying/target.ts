import { compareUtf8 } from '@binnacle/apimachinery/json';

/** The percent-encoded path and query of a proxied request, in Go's form: from the decoded path, and sorted by key. */
export function encodeTarget(path: string, query: URLSearchParams): { readonly path: string; readonly url: string } {
  const encoded = encodePath(path);
  const text = encodeQuery(query);
  return { path: encoded, url: text === '' ? encoded : `${encoded}?${text}` };
}

/** Percent-encodes a decoded path as Go does. */
export const encodePath = (path: string): string => escaped(path, /%(24|26|2B|2C|2F|3A|3B|3D|40)/g);

function encodeQuery(query: URLSearchParams): string {
  return [...query]
    .map(([key, value], index) => ({ key, value, index }))
    .sort((a, b) => compareUtf8(a.key, b.key) || a.index - b.index)
    .map(({ key, value }) => `${component(key)}=${component(value)}`)
    .join('&');
}

const NOTHING = /(?!)/g;

const component = (text: string): string => escaped(text, NOTHING).replaceAll('%20', '+');

/** Escapes all characters except unreserved ones and those whose escapes `kept` matches. */
function escaped(text: string, kept: RegExp): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(kept, (code) => decodeURIComponent(code));
}
