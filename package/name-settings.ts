/**
 * Names options in a message as code does, where it was written for the command line: `--rate-limits
 * enforce` becomes `rateLimits: 'enforce'`. Flags of other commands stay. `known` are names in code;
 * `renamed` are flags whose name in code is another one.
 */
export function nameSettings(
  message: string,
  known: readonly string[],
  renamed: Readonly<Record<string, string>> = {},
): string {
  return message.replace(
    /--([a-z][a-z-]*)(?: (off|on|enforce|observe|\d+)\b)?/g,
    (text, flag: string, value?: string) => {
      const name = renamed[flag] ?? toName(flag);
      if (!known.includes(name)) return text;
      if (value === undefined) return name;
      return `${name}: ${/^\d/.test(value) ? value : `'${value}'`}`;
    },
  );
}

function toName(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
