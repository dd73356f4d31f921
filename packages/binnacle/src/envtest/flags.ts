/** A command line without one of its flags, and the last value of that flag. */
export interface WithoutFlag {
  readonly value: string | undefined;
  readonly rest: readonly string[];
}

/** Takes a flag with a value from a command line: `--name=value` or `--name value`. Upstream: pflag. */
export function takeFlag(args: readonly string[], name: string): WithoutFlag {
  const flag = `--${name}`;
  const rest: string[] = [];
  let value: string | undefined;
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index] ?? '';
    if (argument.startsWith(`${flag}=`)) value = argument.slice(flag.length + 1);
    else if (argument === flag) value = args[(index += 1)];
    else rest.push(argument);
  }
  return { value, rest };
}
