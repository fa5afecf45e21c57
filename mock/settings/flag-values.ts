/** An option of the command line; one without a value is a switch. */
export type Option = { flag: string; short?: string; value?: string };

/**
 * Joins each option with the value that follows it, as `parseArgs` takes no value such as -1 that
 * begins like an option. Throws an Error that says which option has no value.
 */
export function joinFlagValues(args: readonly string[], options: readonly Option[]): string[] {
  const findOption = (arg: string) =>
    options.find(
      ({ flag, short }) => arg === `--${flag}` || (short !== undefined && arg === `-${short}`),
    );
  const isOption = (arg: string) => findOption(arg.replace(/=.*/s, '')) !== undefined;
  const joined: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    const option = findOption(arg);
    if (option?.value === undefined) {
      joined.push(arg);
      continue;
    }
    const value = args[++at];
    const needed = `--${option.flag} needs a value, as in --${option.flag} ${option.value}`;
    if (value === undefined) throw new Error(needed);
    if (isOption(value)) throw new Error(`${needed}, but ${value} follows it`);
    joined.push(`--${option.flag}=${value}`);
  }
  return joined;
}
