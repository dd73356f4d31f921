import { formatGoValue, isObject, type JsonObject, type JsonValue } from '../../json/index.js';
import { quoteGo } from '../../status/index.js';
import { type PathElement, valueOf } from './path-element.js';

/** A path in upstream's messages: `.spec.containers[name="c"].image`, `.finalizers[="x"]`. */
export function formatPath(path: readonly PathElement[]): string {
  return path.map(formatPathElement).join('');
}

/** One element of {@link formatPath}. Upstream: structured-merge-diff `PathElement.String`. */
export function formatPathElement(element: PathElement): string {
  const rest = element.slice(2);
  switch (element.charAt(0)) {
    case 'k':
      return `[${Object.entries(valueOf(element) as JsonObject)
        .map(([name, value]) => `${name}=${formatKey(value ?? null)}`)
        .join(',')}]`;
    case 'v':
      return `[=${formatKey(valueOf(element))}]`;
    case 'i':
      return `[${rest}]`;
    default:
      return `.${rest}`;
  }
}

function formatKey(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return quoteGo(value);
  if (Array.isArray(value)) return `[${value.map(formatKey).join(',')}]`;
  if (!isObject(value)) return formatGoValue(value);
  return Object.entries(value)
    .map(([name, item]) => `${name}=${formatKey(item ?? null)}`)
    .join('');
}
