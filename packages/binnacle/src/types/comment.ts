const WIDTH = 100;

/**
 * A description as the lines of a JSDoc comment, each indented by `indent`; no lines for an empty one. Whatever the text holds, it
 * neither ends the comment nor speaks to the compiler. Lines that begin with `Deprecated:`, as is customary, become the tag.
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

/** Tags are not the description's to set; some would silence the compiler. */
function escape(line: string): string {
  return line.replaceAll('*/', '*\\/').replace(/(^|[\s{])@(?=\w)/g, '$1\\@');
}

/** Breaks a line between words; further lines are indented as the first. */
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
