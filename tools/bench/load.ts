import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { credentials } from './server-process.ts';

/** One kind of request, sent over and over; `body` makes it a POST of JSON. */
export type Measure = { name: string; path: string; body?: string };

/**
 * How many requests were answered, and how many in a second. Throws where an answer was no success.
 */
export type Outcome = { requests: number; perSecond: number };

export type LoadGenerator = {
  name: string;
  run(api: string, measure: Measure, seconds: number): Promise<Outcome>;
};

const run = promisify(execFile);

/**
 * Finds a load generator: `wrk` if installed, as it is faster than any server here, else
 * autocannon, which underrates fast servers.
 */
export function findLoadGenerator(connections: number, peers: string | undefined): LoadGenerator {
  if (spawnSync('wrk', ['--version']).error === undefined) return wrk(connections);
  if (peers) return autocannon(connections, peers);
  throw new Error('There is no load generator. Install wrk, or leave --no-peers out.');
}

function wrk(connections: number): LoadGenerator {
  const scripts = mkdtempSync(join(tmpdir(), 'bench-wrk-'));
  const headers = Object.entries(credentials).flatMap(([name, value]) => [
    '-H',
    `${name}: ${value}`,
  ]);
  return {
    name: 'wrk',
    async run(api, { path, body }, seconds) {
      const args = ['-t1', `-c${connections}`, `-d${seconds}s`, ...headers];
      if (body !== undefined) {
        const script = join(scripts, 'post.lua');
        writeFileSync(
          script,
          `wrk.method = "POST"\nwrk.body = [[${body}]]\nwrk.headers["Content-Type"] = "application/json"\n`,
        );
        args.push('-s', script);
      }
      const { stdout } = await run('wrk', [...args, api + path]);
      const refused = /Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1];
      if (refused) throw new Error(`${refused} answers of ${api}${path} were no success.`);
      const figure = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0);
      return {
        requests: figure(/(\d+) requests in/),
        perSecond: figure(/Requests\/sec:\s+([\d.]+)/),
      };
    },
  };
}

function autocannon(connections: number, peers: string): LoadGenerator {
  const command = join(peers, 'node_modules/autocannon/autocannon.js');
  const headers = Object.entries(credentials).flatMap(([name, value]) => [
    '-H',
    `${name}=${value}`,
  ]);
  return {
    name: 'autocannon',
    async run(api, { path, body }, seconds) {
      const args = [
        command,
        '--json',
        '--no-progress',
        '-c',
        String(connections),
        '-d',
        String(seconds),
        ...headers,
      ];
      if (body !== undefined)
        args.push('-m', 'POST', '-b', body, '-H', 'Content-Type=application/json');
      const { stdout } = await run(process.execPath, [...args, api + path]);
      const { non2xx, requests } = JSON.parse(stdout) as {
        non2xx: number;
        requests: { total: number; average: number };
      };
      if (non2xx > 0) throw new Error(`${non2xx} answers of ${api}${path} were no success.`);
      return { requests: requests.total, perSecond: requests.average };
    },
  };
}
