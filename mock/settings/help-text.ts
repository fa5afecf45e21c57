import { type ListedSetting, settingList } from './setting-list.ts';

const examples = [
  ['', 'on http://127.0.0.1:4010/v1'],
  ['--port 0 --seed 7 --items 1000', 'a free port, other items, and more of them'],
  ['--rate-limits off', 'never refuse a call'],
  ['--host 0.0.0.0 --admin-token s3cret', 'reachable from other machines, with the admin'],
] as const;

/** The text of `--help`; `command` is what users type before the options. */
export function toHelpText(command: string): string {
  const typed = examples.map(
    ([options, what]) => [`${command} ${options}`.replace(/( --)? $/, ''), what] as const,
  );
  const width = Math.max(...typed.map(([line]) => line.length));
  return `petstore-twin: a stateful mock of the Pet Store Service

Usage: ${command} [options]

Options, which are also environment variables (TWIN_PORT) and keys of the config file ("port"):
${settingList.map(toHelpLine).join('\n')}
  --config FILE           read settings from a JSON file
  --help, -h              show this help
  --version               show the version

Flags override environment variables, which override the config file.

Each test worker can have a sandbox of its own, created on first use: call /sandboxes/NAME/v1, or send X-Sandbox: NAME.

Examples:
${typed.map(([line, what]) => `  ${line.padEnd(width)}   ${what}`).join('\n')}
`;
}

function toHelpLine({ flag, value, short, default: defaultValue, help }: ListedSetting): string {
  const typed = `--${flag}${value ? ` ${value}` : ''}${short ? `, -${short}` : ''}`;
  return `  ${typed.padEnd(23)} ${help}${defaultValue ? ` (default ${defaultValue})` : ''}`;
}
