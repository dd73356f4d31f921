/**
 * Splits a command into words as a shell does: quotes and backslashes keep blanks. Nothing is expanded. Undefined: a quote is
 * open, or there is no word.
 */
export function wordsIn(text: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (quote === '' && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === '' && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (character === quote) quote = '';
    else if (character === '\\' && quote !== "'") word = `${word ?? ''}${text.charAt(++index)}`;
    else word = `${word ?? ''}${character}`;
  }
  if (quote !== '') return undefined;
  if (word !== undefined) words.push(word);
  return words.length === 0 ? undefined : words;
}
