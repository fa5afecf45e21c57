import { readdirSync, readFileSync } from 'node:fs';
import { request as overHttp } from 'node:http';
import { request as overTls } from 'node:https';
import { fileURLToPath } from 'node:url';
import { print } from '../../common/look/print.ts';
import { parseConfig } from '../settings/config.ts';

// Asks the mock of this container whether it is healthy, where the settings of its process put it.
const start = fileURLToPath(new URL('../start.js', import.meta.url));
const [args, env] = findProcess();
const { host = '', port, tls, tlsCert } = parseConfig(args, env).config ?? {};
const request = (tls || tlsCert !== undefined ? overTls : overHttp)({
  host: { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host,
  port,
  path: '/__admin/health',
  // A name in --host may be none that the mock accepts.
  headers: { Host: 'localhost' },
  rejectUnauthorized: false,
});
request.on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1));
request.on('error', fail).end();

/**
 * Finds the arguments and the environment of the mock's process, which may be below an init or a
 * shell.
 */
function findProcess(): [args: string[], env: Record<string, string>] {
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const words = readWords(id, 'cmdline');
    const at = words.indexOf(start);
    if (at < 0) continue;
    const pairs = readWords(id, 'environ').map((pair) => /^([^=]*)=(.*)$/s.exec(pair) ?? []);
    return [words.slice(at + 1), Object.fromEntries(pairs.map(([, name, value]) => [name, value]))];
  }
  return fail(new Error(`No process runs ${start}.`));
}

function readWords(id: string, file: string): string[] {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return []; // The process has ended, or is of another user.
  }
}

function fail({ message }: Error): never {
  print(`${message}\n`, process.stderr);
  process.exit(1);
}
