import { globSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { projectFile } from '../support/twin.ts';

type Step = { uses?: string; run?: string; with?: Record<string, unknown> };
type Job = { permissions?: object; steps?: Step[]; 'runs-on'?: string; 'timeout-minutes'?: number };
type Workflow = { permissions?: object; jobs: Record<string, Job> };

const read = (path: string) => readFileSync(projectFile(path), 'utf8');
const workflows = globSync('.github/workflows/*.yml', { cwd: projectFile('.') });
const files = [...workflows, 'action.yml'];

/** The steps of a workflow or of the action. */
function stepsOf(path: string): Step[] {
  const { jobs = {}, runs } = load(read(path)) as Partial<Workflow> & { runs?: Job };
  return [...Object.values(jobs), ...(runs ? [runs] : [])].flatMap(({ steps = [] }) => steps);
}

it.each(files)('%s names each action by the hash of a commit, with its version', (path) => {
  const uses = read(path).matchAll(/^ *(?:- )?uses: (.+)$/gm);
  const foreign = Array.from(uses, ([, name = '']) => name).filter((name) => !/^\.\/?/.test(name));
  expect(foreign.length).toBeGreaterThan(0);
  for (const name of foreign)
    expect(name).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

it('uses one version of each action', () => {
  const names = files.flatMap((path) =>
    Array.from(read(path).matchAll(/uses: (.+@.+)$/gm), ([, use = '']) => use),
  );
  const actions = new Set(names.map((name) => name.split('@')[0]));
  expect(new Set(names).size).toBe(actions.size);
});

it.each(files)('%s gives no expression to a shell, and no credentials to a checkout', (path) => {
  for (const { run = '', uses = '', with: inputs } of stepsOf(path)) {
    expect(run).not.toContain('${{');
    if (uses.startsWith('actions/checkout@'))
      expect(inputs).toMatchObject({ 'persist-credentials': false });
  }
});

it.each(workflows)('%s allows nothing but what a job needs, and no job runs for hours', (path) => {
  const { permissions, jobs } = load(read(path)) as Workflow;
  expect(permissions).toEqual({});
  for (const { permissions: own, ...job } of Object.values(jobs)) {
    expect(own).toBeTypeOf('object');
    if (job['runs-on']) expect(job['timeout-minutes']).toBeLessThanOrEqual(90);
  }
});

it('gives an identity to no job that runs code of the repository or of its dependencies', () => {
  const jobs = workflows.flatMap((path) => Object.values((load(read(path)) as Workflow).jobs));
  const trusted = jobs.filter(({ permissions = {} }) => 'id-token' in permissions);
  expect(trusted.length).toBeGreaterThan(1);
  for (const { steps = [] } of trusted) {
    const uses = steps.map(({ uses: name = '' }) => name.split('@')[0]);
    expect(uses).not.toContain('actions/checkout');
    const commands = steps.flatMap(({ run = '' }) => (run === '' ? [] : run.trim().split('\n')));
    for (const command of commands)
      expect(command).toMatch(/^npm publish "\.\/[^" ]+\.tgz" --ignore-scripts /);
  }
});

it('runs scripts that exist', () => {
  const commands = files.flatMap((path) =>
    Array.from(read(path).matchAll(/npm run ([\w:-]+)/g), ([, name]) => name),
  );
  expect(commands.length).toBeGreaterThan(0);
  for (const name of commands) expect(packageJson.scripts).toHaveProperty([name as string]);
});

it.each(['bug', 'false-alarm', 'feature'])('asks in the form %s for what is needed', (name) => {
  const { body, ...form } = load(read(`.github/ISSUE_TEMPLATE/${name}.yml`)) as {
    body: { type: string; id: string; attributes: { label: string }; validations?: object }[];
  };
  expect(Object.keys(form)).toEqual(['name', 'description', 'labels']);
  expect(new Set(body.map(({ id }) => id)).size).toBe(body.length);
  expect(body.some(({ validations }) => validations)).toBe(true);
  for (const { type, attributes } of body) {
    expect(['textarea', 'input']).toContain(type);
    expect(attributes.label).not.toBe('');
  }
});

it('has updates proposed for each kind of dependency', () => {
  const { updates } = load(read('.github/dependabot.yml')) as {
    updates: { 'package-ecosystem': string }[];
  };
  expect(updates.map((update) => update['package-ecosystem'])).toEqual([
    'npm',
    'github-actions',
    'docker',
    'docker-compose',
  ]);
});
