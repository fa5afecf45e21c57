import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { expect, it, onTestFinished } from 'vitest';
import { openDeployment } from '../../tools/lab/deployment.ts';
import { makeFolder } from '../support/make-folder.ts';
import { projectFile } from '../support/twin.ts';
import { rowOf } from '../support/verify-deployment.ts';

type Job = { variables: Record<string, string>; script: string[] };
type Head = { spec: { inputs: Record<string, { default?: string }> } };

const [head, jobs] = loadAll(readFileSync(projectFile('templates/verify.yml'), 'utf8')) as [
  Head,
  Record<string, Job>,
];

/** Runs the job as a runner of GitLab would, with the checkout's code in place of the package. */
async function runJob(inputs: Record<string, string>, env: Record<string, string> = {}) {
  const folder = makeFolder();
  mkdirSync(join(folder, 'bin'));
  const npx = join(folder, 'bin/npx');
  writeFileSync(
    npx,
    `#!/bin/sh\nshift 2\nexec ${process.execPath} ${projectFile('package/bin.ts')} "$@"\n`,
  );
  chmodSync(npx, 0o755);
  const { variables, script } = jobs['petstore-twin'] as Job;
  const resolve = (text: string) =>
    text.replace(
      /\$\[\[ inputs\.([\w-]+) \]\]/g,
      (_, name) => inputs[name] ?? head.spec.inputs[name]?.default ?? '',
    );
  const resolved = Object.entries(variables).map(([name, text]) => [name, resolve(text)]);
  const child = spawn('sh', ['-ec', script.join('\n')], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...env, ...Object.fromEntries(resolved), PATH: `${folder}/bin:${process.env.PATH}` },
  });
  const [code] = await once(child, 'close');
  return { code, folder };
}

it('verifies a deployment, and leaves the reports', async () => {
  const { url, close } = await openDeployment(rowOf('list-limit-ignored'));
  onTestFinished(close);
  const inputs = { target: url, 'key-variable': 'KEY', args: '--only page-size --no-probe-limits' };
  const { code, folder } = await runJob(inputs, { KEY: 'pro=k-pro-1' });
  expect(code).toBe(1);
  expect(readFileSync(join(folder, 'petstore-twin.xml'), 'utf8')).toContain('page-size');
  expect(existsSync(join(folder, 'petstore-twin.html'))).toBe(true);
});

it('takes inputs for data, never for code', async () => {
  const { code, folder } = await runJob({
    target: '$(touch evil)";touch evil;',
    spec: '`touch evil`',
  });
  expect(code).toBe(2);
  expect(existsSync(join(folder, 'evil'))).toBe(false);
});
