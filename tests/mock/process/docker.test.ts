import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { get as getOverTls } from 'node:https';
import { delimiter, dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { DockerfileParser, type JSONInstruction } from 'dockerfile-ast';
import { expect, it, onTestFinished } from 'vitest';
import { settings } from '../../../mock/settings/settings.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { readCompose } from '../../support/compose.ts';
import { tickets } from '../../support/documents.ts';
import { findFreePort } from '../../support/free-port.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { packagesIn } from '../../support/packages-in.ts';
import { forElsewhere } from '../../support/tls.ts';
import { bearer, projectFile } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const dockerfile = DockerfileParser.parse(await readFile(projectFile('Dockerfile'), 'utf8'));
const compose = await readCompose();

/** The words of an instruction in exec form, as a container runs them. */
function wordsOf(instruction: JSONInstruction | undefined): string[] {
  return instruction?.getJSONStrings().map((word) => JSON.parse(word.getValue()) as string) ?? [];
}

function healthCheckWords(): string[] {
  const [, exec = ''] =
    /CMD\s+(\[.*\])$/s.exec(dockerfile.getHEALTHCHECKs()[0]?.getArgumentsContent() ?? '') ?? [];
  return JSON.parse(exec) as string[];
}

/** The folder that the image holds: what the Dockerfile copies, and the installed packages. */
async function assembleImage(): Promise<string> {
  const folder = makeFolder();
  for (const copy of dockerfile.getCOPYs()) {
    const paths = copy.getArguments().map((argument) => argument.getValue());
    const to = join(folder, paths.pop() ?? '');
    for (const path of paths)
      await cp(projectFile(path), paths.length > 1 ? join(to, path) : to, { recursive: true });
  }
  await symlink(projectFile('node_modules'), join(folder, 'node_modules'));
  return folder;
}

type Container = { process: ChildProcess; env: NodeJS.ProcessEnv; cwd: string; port: number };

/** Returns the command of `docker run IMAGE ARGS`: the entrypoint in the image's folder, with its variables. */
async function startContainer({
  env = {},
  args = wordsOf(dockerfile.getCMDs()[0]),
}: {
  env?: NodeJS.ProcessEnv;
  args?: string[];
} = {}): Promise<Container> {
  const cwd = await assembleImage();
  const port = await findFreePort();
  const variables = dockerfile
    .getENVs()
    .flatMap((one) => one.getProperties().map((pair) => [pair.getName(), pair.getValue()]));
  const container = {
    cwd,
    port,
    env: {
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      HOME: cwd,
      ...Object.fromEntries(variables),
      ...(!args.includes('--port') && { TWIN_PORT: String(port) }),
      ...env,
    },
  };
  const [command = '', ...words] = inFolder(cwd, wordsOf(dockerfile.getENTRYPOINTs()[0]));
  const child = spawn(command, [...words, ...args.map((arg) => arg.replace('PORT', `${port}`))], {
    cwd,
    env: container.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return { ...container, process: child };
}

/** The words of a command that the image has in its working folder. */
function inFolder(folder: string, words: readonly string[]): string[] {
  return words.map((word) => (word.startsWith('/app/') ? join(folder, word.slice(5)) : word));
}

function checkHealth({ cwd, env }: Pick<Container, 'cwd' | 'env'>): number | null {
  const [command = '', ...args] = inFolder(cwd, healthCheckWords());
  return spawnSync(command, args, { cwd, env, stdio: 'ignore' }).status;
}

it('runs the command of the image, is healthy, and ends by itself on SIGTERM', async () => {
  const container = await startContainer();
  expect(checkHealth(container)).toBe(0);
  container.process.kill('SIGTERM');
  const [code] = await once(container.process, 'exit');
  expect(code).toBe(0);
  expect(checkHealth(container)).toBe(1);
});

it('takes the options of the mock, and is healthy where they put it', async () => {
  const spec = await writeJson(tickets);
  const args = ['--spec', spec, '--tls', '--host', '::1', '--port', 'PORT'];
  const container = await startContainer({ args });
  expect(checkHealth(container)).toBe(0);
  const place = { host: '::1', port: container.port, path: '/__admin/version' };
  const request = getOverTls({ ...place, rejectUnauthorized: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  expect(await json(answer)).toMatchObject({ document: { title: 'Tickets' } });
});

it('is healthy with settings of its file and its environment, whatever name its certificate is for', async () => {
  const config = join(await assembleImage(), 'config.json');
  await writeFile(config, JSON.stringify({ host: '127.0.0.2', 'tls-key': forElsewhere.tlsKey }));
  const env = { TWIN_CONFIG: config, TWIN_HOST: '', TWIN_TLS_CERT: forElsewhere.tlsCert };
  expect(checkHealth(await startContainer({ env }))).toBe(0);
});

it('is served to the other services of the compose file by their names', async () => {
  const { environment } = compose.twin;
  const { port } = await startContainer({ env: environment ?? {} });
  for (const name of ['twin', 'balancer']) {
    const headers = { Host: `${name}:${port}`, ...bearer('demo-free') };
    const [answer] = (await once(get({ port, path: '/v1/pets/1', headers }), 'response')) as [
      IncomingMessage,
    ];
    expect(answer.statusCode).toBe(200);
  }
});

it('runs as another user than root, and copies what the ignore file lets through', async () => {
  const instructions = dockerfile
    .getInstructions()
    .map((one) => `${one.getKeyword()} ${one.getArgumentsContent()}`);
  expect(instructions.indexOf('USER node')).toBeGreaterThan(
    instructions.findLastIndex((one) => one.startsWith('COPY')),
  );
  const ignored = await readFile(projectFile('.dockerignore'), 'utf8');
  const copied = dockerfile.getCOPYs().flatMap((copy) =>
    copy
      .getArguments()
      .slice(0, -1)
      .map((argument) => argument.getValue()),
  );
  const letThrough = ignored.split('\n').filter((line) => line.startsWith('!'));
  expect(letThrough.map((line) => line.slice(1)).sort()).toEqual(copied.sort());
});

it.each(['@stoplight/prism-http', '@redis/client', 'node-forge'])(
  'brings the optional peer %s',
  async (name) => {
    const { packages } = JSON.parse(await readFile(projectFile('package-lock.json'), 'utf8'));
    const [run] = dockerfile.getInstructions().filter((one) => one.getKeyword() === 'RUN');
    expect(run?.getArgumentsContent()).toContain('npm ci --omit=dev');
    expect(packages[`node_modules/${name}`]).toMatchObject({ version: expect.any(String) });
    expect(packages[`node_modules/${name}`]).not.toHaveProperty('dev');
    expect(packages['tools/image'].dependencies).toHaveProperty([name]);
  },
);

it('brings each package that the code of the image imports', async () => {
  const { packages } = JSON.parse(await readFile(projectFile('package-lock.json'), 'utf8'));
  const files = globSync('{common,contracts,fixtures,mock,openapi,reference}/**/*.ts', {
    cwd: projectFile('.'),
  });
  const code = files.map((file) => readFileSync(projectFile(file), 'utf8')).join('\n');
  const imported = packagesIn(code.replace(/^import type [^;]*;$/gm, ''));
  const needed = imported.filter((name) => !Object.hasOwn(packageJson.peerDependencies, name));
  expect(needed).toContain('express');
  expect(needed.filter((name) => packages[`node_modules/${name}`].dev)).toEqual([]);
});

it('builds on an image that is pinned, with a Node that the project may run on', () => {
  const from = dockerfile.getFROMs().map((one) => one.getImage());
  expect(from).toEqual([expect.stringMatching(/^node:24\.\d+\.\d+-slim@sha256:[0-9a-f]{64}$/)]);
  const [, minor = ''] = /^node:24\.(\d+)/.exec(from[0] ?? '') ?? [];
  const [, min = ''] = /^>=24\.(\d+)$/.exec(packageJson.engines.node) ?? [];
  expect(Number(minor)).toBeGreaterThanOrEqual(Number(min));
});

it('runs in compose what the image runs, on the default port', () => {
  const [, , script = ''] = compose.twin.entrypoint ?? [];
  const words = wordsOf(dockerfile.getENTRYPOINTs()[0]).join(' ');
  expect(script.trim().split('\n').at(-1)).toBe(`exec ${words} "$$@"`);
  expect(
    dockerfile
      .getInstructions()
      .find((one) => one.getKeyword() === 'EXPOSE')
      ?.getArgumentsContent(),
  ).toBe(settings.port.default);
});
