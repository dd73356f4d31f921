/** Escapes control characters, line separators and changes of direction as in JSON: users may write them, and terminals obey them. */
export const inert = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
