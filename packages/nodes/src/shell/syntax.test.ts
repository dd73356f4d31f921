import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseScript, type Redirect, type Word } from './syntax.js';

const wordText = (word: Word): string =>
  word.map((piece) => ('text' in piece ? piece.text : `<${piece.variable}>`)).join('');

const redirectText = ({ stream, target, appends }: Redirect): string =>
  `${stream}${appends ? '>>' : '>'}${typeof target === 'string' ? `&${target}` : wordText(target)}`;

/** Words in brackets, variables in angle brackets, and the condition of each pipeline. */
const shown = (script: string): string[] =>
  parseScript(script).map(({ commands, when }) => {
    const texts = commands.map(({ words, redirects }) =>
      [`[${words.map(wordText).join(',')}]`, ...redirects.map(redirectText)].join(' '),
    );
    return `${when} ${texts.join(' | ')}`;
  });

describe('the syntax of the simulated shell', () => {
  const scripts: Record<string, readonly string[]> = {
    '': [],
    ' \t\r\n ;; \n': [],
    'a b': ['always [a,b]'],
    'a; b\nc': ['always [a]', 'always [b]', 'always [c]'],
    'a && b || c': ['always [a]', 'success [b]', 'failure [c]'],
    'a &&\n\nb': ['always [a]', 'success [b]'],
    'a | b | c': ['always [a] | [b] | [c]'],
    'a # b; c\nd': ['always [a]', 'always [d]'],
    'a#b': ['always [a#b]'],
    '"a b" \'c d\'e': ['always [a b,c de]'],
    '"a\'b" \'c"d\'': [`always [a'b,c"d]`],
    'a\\ b "c\\"d" \'e\\f\'': ['always [a b,c"d,e\\f]'],
    '$A ${B}c "x$D" \'$E\' $? $1': ['always [<A>,<B>c,x<D>,$E,<?>,<1>]'],
    'a $ b$': ['always [a,$,b$]'],
    "echo 'a`b'": ['always [echo,a`b]'],
    'a > f': ['always [a] stdout>f'],
    'a >> $F': ['always [a] stdout>><F>'],
    'a 2> f': ['always [a] stderr>f'],
    'a 1>> f': ['always [a] stdout>>f'],
    'a 2 > f': ['always [a,2] stdout>f'],
    'a 3> f': ['always [a,3] stdout>f'],
    'a >f 2>&1 b': ['always [a,b] stdout>f stderr>>&stdout'],
    'a >&2': ['always [a] stdout>>&stderr'],
    '"if" a': ['always [if,a]'],
    'echo if': ['always [echo,if]'],
  };
  for (const [script, expected] of Object.entries(scripts)) {
    it(JSON.stringify(script), () => assert.deepEqual(shown(script), expected));
  }

  const unsupported = (syntax: string): string => `the simulated shell does not support "${syntax}"`;
  const problems: Record<string, string> = {
    'if a; then b; fi': unsupported('if'),
    'a; done': unsupported('done'),
    '! a': unsupported('!'),
    'a &': unsupported('&'),
    'a < f': unsupported('<'),
    '(a)': unsupported('('),
    'echo `a`': unsupported('`'),
    'echo "`a`"': unsupported('`'),
    'echo $(a)': unsupported('$('),
    'echo ${A:-b}': unsupported('${'),
    '| a': 'syntax error: unexpected "|"',
    'a | | b': 'syntax error: unexpected "|"',
    'a |': 'syntax error: unexpected "end of file"',
    '&& a': 'syntax error: unexpected "&&"',
    '|| a': 'syntax error: unexpected "||"',
    'a || ; b': 'syntax error: unexpected ";"',
    'a &&\n\nb | \n': 'syntax error: unexpected "newline"',
    'a >': 'syntax error: a redirect needs a file',
    'a > ;': 'syntax error: a redirect needs a file',
    'a >&3': 'the simulated shell redirects only to files, &1 and &2',
    'a >&$F': 'the simulated shell redirects only to files, &1 and &2',
    '"a': 'syntax error: unterminated quoted string',
    "'a": 'syntax error: unterminated quoted string',
  };
  for (const [script, message] of Object.entries(problems)) {
    it(`refuses ${JSON.stringify(script)}`, () => {
      assert.throws(() => parseScript(script), { name: 'SyntaxProblem', message });
    });
  }
});
