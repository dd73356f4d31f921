const WIDTH = 100;

/**
 * Formats a description as a JSDoc comment, indented by `indent`; an empty one has no lines. The text is untrusted: it
 * can neither end the comment nor direct the compiler. Lines that begin with `Deprecated:`, as is customary, become the
 * tag.
 */
export function comment(text: string, indent: string): readonly string[] {
  const lines = text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .trim()
    .split('\n')
    .flatMap(wrap)
    .map((line) => escape(line).replace(/^Deprecated: */i, '@deprecated '));
  const [first = '', ...others] = lines;
  if (others.length > 0) {
    return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
  }
  return first === '' ? [] : [`${indent}/** ${first} */`];
}

/** Escapes JSDoc tags in the text, because some would silence the compiler. */
function escape(line: string): string {
  return line.replaceAll('*/', '*\\/').replace(/(^|[\s{])@(?=\w)/g, '$1\\@');
}

/** Breaks a line between words, and indents further lines like the first. */
function wrap(line: string): readonly string[] {
  const indent = /^ */.exec(line)?.[0].slice(0, 20) ?? '';
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ').filter((part) => part !== '')) {
    if (current !== '' && current.length + 1 + word.length > WIDTH) {
      lines.push(current);
      current = '';
    }
    current = current === '' ? indent + word : `${current} ${word}`;
  }
  return [...lines, current];
}
