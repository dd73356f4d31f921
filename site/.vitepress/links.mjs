import { dirname } from 'node:path';
import { targetOn } from './targets.mjs';

/** A plugin of the Markdown parser: leaves only the text of links for which the site has no page. */
export function linkPages(markdown, root) {
  markdown.core.ruler.push('link-pages', ({ tokens, env }) => {
    const place = { folder: dirname(env.path), root };
    for (const { children } of tokens) if (children) linkTokens(children, place);
  });
}

function linkTokens(tokens, place) {
  let isText = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const target = targetOn(token.attrGet('href'), place);
      isText = target === undefined;
      if (!isText) token.attrSet('href', target);
    }
    if (!isText || !token.type.startsWith('link_')) continue;
    token.tag = 'span';
    token.attrs = [];
    if (token.type === 'link_close') isText = false;
  }
}
