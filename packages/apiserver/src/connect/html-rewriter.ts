import { Transform, type TransformCallback } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { pause } from '@binnacle/apimachinery/turns';

/** The attributes of each element that hold a URL. Upstream: `atomsToAttrs` of apimachinery's `proxy.Transport`. */
const URL_ATTRIBUTES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    a: ['href'],
    applet: ['codebase'],
    area: ['href'],
    audio: ['src'],
    base: ['href'],
    blockquote: ['cite'],
    body: ['background'],
    button: ['formaction'],
    command: ['icon'],
    del: ['cite'],
    embed: ['src'],
    form: ['action'],
    frame: ['longdesc', 'src'],
    head: ['profile'],
    html: ['manifest'],
    iframe: ['longdesc', 'src'],
    img: ['longdesc', 'src', 'usemap'],
    input: ['src', 'usemap', 'formaction'],
    ins: ['cite'],
    link: ['href'],
    object: ['classid', 'codebase', 'data', 'usemap'],
    q: ['cite'],
    script: ['src'],
    source: ['src'],
    video: ['poster', 'src'],
  }).map(([element, attributes]) => [element, new Set(attributes)]),
);

/** Elements whose content is text up to their end tag. */
const RAW_TEXT = /^(script|style|textarea|title|iframe|noembed|noframes|noscript|plaintext|xmp)$/;
/** The end of the name is unambiguous, so the pattern never backtracks into the name. */
const START_TAG = /^<([a-zA-Z][^\s/>]*)((?:[\s/](?:[^>"']|"[^"]*"|'[^']*')*)?)>/;
/**
 * Also matches a name without a value; otherwise the search would restart at each of its characters, in quadratic time.
 */
const ATTRIBUTE = /([^\s/>"'=]+)(?:(\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
/** A longer tag passes through unchanged. */
const LONGEST_TAG = 16 * 1024;
/**
 * An unfinished tag longer than SHORT_TAG is searched for its end again only after it has grown by GROWTH, because a chunk may be one byte.
 */
const SHORT_TAG = 1024;
const GROWTH = 1.125;

/**
 * Rewrites the URLs in the tags of an HTML page, which passes through piece by piece. Everything else stays as it is. Like
 * upstream, it assumes UTF-8.
 */
export class HtmlRewriter extends Transform {
  readonly #rewrite: (url: string) => string;
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  /** The end tag, such as `</script`, of the element whose content passes through unchanged; undefined outside of such an element. */
  #rawEnd: string | undefined;
  /** The unfinished tag is searched for its end again once the text has this length. */
  #retryAt = 0;

  constructor(rewrite: (url: string) => string) {
    super();
    this.#rewrite = rewrite;
  }

  /** Many pages at once share the turns of the event loop. */
  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const paused = pause();
    if (paused === undefined) this.#receive(chunk, done);
    else void paused.then(() => this.#receive(chunk, done)).catch((error: Error) => this.destroy(error));
  }

  #receive(chunk: Buffer, done: TransformCallback): void {
    this.#text += this.#decoder.write(chunk);
    if (this.#text.length < this.#retryAt) done();
    else done(null, this.#step());
  }

  override _flush(done: TransformCallback): void {
    this.#text += this.#decoder.end();
    done(null, this.#step() + this.#text);
  }

  /** Takes the complete part of the text, rewritten. The rest waits: at most one tag. */
  #step(): string {
    let output = '';
    this.#retryAt = 0;
    for (;;) {
      const length = this.#rawEnd === undefined ? this.#lengthOfText() : this.#lengthOfRawText(this.#rawEnd);
      output += this.#take(length);
      if (this.#text === '' || this.#rawEnd !== undefined) return output;
      const tag = this.#nextTag();
      if (tag === undefined) {
        this.#retryAt = this.#text.length < SHORT_TAG ? 0 : this.#text.length * GROWTH;
        return output;
      }
      output += tag;
    }
  }

  #take(length: number): string {
    const taken = this.#text.slice(0, length);
    this.#text = this.#text.slice(length);
    return taken;
  }

  #lengthOfText(): number {
    const start = this.#text.indexOf('<');
    return start < 0 ? this.#text.length : start;
  }

  /** Leaves enough to recognise an end that has arrived in part. */
  #lengthOfRawText(end: string): number {
    const position = this.#text.toLowerCase().indexOf(end);
    if (position < 0) return Math.max(0, this.#text.length - end.length);
    this.#rawEnd = undefined;
    return position + end.length;
  }

  /** The tag or comment at the beginning of the text, rewritten; undefined until it is whole. */
  #nextTag(): string | undefined {
    if (this.#text.startsWith('<!--')) {
      const end = this.#text.indexOf('-->', 4);
      return end >= 0 ? this.#take(end + 3) : this.#unlessTooLong();
    }
    if ('<!--'.startsWith(this.#text)) return undefined;
    if (!/^<[a-zA-Z]/.test(this.#text)) return this.#take(1);
    const whole = START_TAG.exec(this.#text);
    if (whole === null) return this.#unlessTooLong();
    const [source, name = '', attributes = ''] = whole;
    this.#take(source.length);
    const element = name.toLowerCase();
    if (RAW_TEXT.test(element) && !attributes.endsWith('/')) this.#rawEnd = `</${element}`;
    const known = URL_ATTRIBUTES.get(element);
    return known === undefined ? source : `<${name}${this.#rewriteAttributes(attributes, known)}>`;
  }

  #unlessTooLong(): string | undefined {
    return this.#text.length > LONGEST_TAG ? this.#take(this.#text.length) : undefined;
  }

  #rewriteAttributes(attributes: string, known: ReadonlySet<string>): string {
    return attributes.replace(
      ATTRIBUTE,
      (source: string, name: string, sign?: string, double?: string, single?: string, bare?: string) => {
        if (sign === undefined || !known.has(name.toLowerCase())) return source;
        const value = unescape(double ?? single ?? bare ?? '');
        const rewritten = this.#rewrite(value);
        return rewritten === value ? source : `${name}${sign}"${escape(rewritten)}"`;
      },
    );
  }
}

const unescape = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&#34;');
