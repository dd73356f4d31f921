import { withDefaultHost } from '@binnacle/api/pods';
import { wordsIn } from './words.js';

/** The most images that have a command. */
const MOST_IMAGES = 1000;

/** A text is not an `IMAGE=COMMAND`. The message says what is wrong with it. */
export class ImageCommandError extends Error {
  override readonly name = 'ImageCommandError';
}

/** The programs that run for images. */
export class ImageCommands {
  readonly #commands: ReadonlyMap<string, readonly string[]>;

  private constructor(commands: ReadonlyMap<string, readonly string[]>) {
    this.#commands = commands;
  }

  /** Reads texts such as `controller:latest=./bin/manager --zap-devel`. Throws an {@link ImageCommandError}. */
  static parse(texts: readonly string[]): ImageCommands {
    const commands = new Map<string, readonly string[]>();
    for (const text of texts) {
      const [, image, command = ''] = /^([^=\s]+)=(.*)$/s.exec(text.trim()) ?? [];
      if (image === undefined) throw new ImageCommandError(`${JSON.stringify(text)} is not IMAGE=COMMAND`);
      const words = wordsIn(command);
      if (words === undefined)
        throw new ImageCommandError(`the command of image ${image} is empty, or a quote is open`);
      const name = fullName(image);
      if (commands.has(name)) throw new ImageCommandError(`image ${image} has two commands`);
      commands.set(name, words);
    }
    if (commands.size > MOST_IMAGES) throw new ImageCommandError(`more than ${MOST_IMAGES} images have commands`);
    return new ImageCommands(commands);
  }

  /** The lines of a file: one `IMAGE=COMMAND` each, blank lines, and comments that begin with `#`. */
  static linesOf(text: string): readonly string[] {
    return text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  }

  /** The program of an image and its first arguments; undefined: it has none. */
  find(image: string): readonly string[] | undefined {
    return this.#commands.get(fullName(image));
  }

  /** The full names of the images. */
  get images(): readonly string[] {
    return [...this.#commands.keys()];
  }
}

/** `nginx` is `docker.io/library/nginx:latest`. Upstream: distribution `reference.ParseNormalizedNamed`, `TagNameOnly`. */
export function fullName(image: string): string {
  const name = withDefaultHost(image);
  return /[:@]/.test(name.slice(name.indexOf('/'))) ? name : `${name}:latest`;
}
