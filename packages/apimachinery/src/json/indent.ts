const INDENT = '  ';

/** Compact JSON text, indented by two spaces as Go's `json.Indent` does: empty objects and lists stay on one line. */
export function indentJson(text: string): string {
  const parts: string[] = [];
  let newline = '\n';
  let from = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x22:
        index = closingQuote(text, index);
        break;
      case 0x7b:
      case 0x5b:
        if (text.charCodeAt(index + 1) === text.charCodeAt(index) + 2) {
          index++;
          break;
        }
        newline += INDENT;
        parts.push(text.slice(from, index + 1), newline);
        from = index + 1;
        break;
      case 0x7d:
      case 0x5d:
        newline = newline.slice(0, -INDENT.length);
        parts.push(text.slice(from, index), newline);
        from = index;
        break;
      case 0x2c:
        parts.push(text.slice(from, index + 1), newline);
        from = index + 1;
        break;
      case 0x3a:
        parts.push(text.slice(from, index + 1), ' ');
        from = index + 1;
        break;
    }
  }
  parts.push(text.slice(from));
  return parts.join('');
}

function closingQuote(text: string, open: number): number {
  for (let index = open + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x5c) index++;
    else if (code === 0x22) return index;
  }
  return text.length;
}
