import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { checks } from '../../../contracts/checks/index.ts';
import { parseOptions } from '../../../contracts/command/parse-options.ts';
import { projectFile } from '../../support/twin.ts';
import { proKey, quick, reportOf, startDeployment, verify } from '../../support/verify-command.ts';

it('holds only what --only names, and not what --skip names: operations, checks and sections', async () => {
  const run = async (...more: string[]) => {
    // A deployment each, as all of them together may use up what a key has for a minute.
    const { url } = await startDeployment();
    const { clauses, operations } = await reportOf([
      '--target',
      url,
      '--key',
      proKey,
      ...quick,
      ...more,
    ]);
    return {
      ids: clauses.map(({ id }) => id),
      calls: Object.fromEntries(operations.map(({ id, results }) => [id, results.target?.calls])),
    };
  };
  const [all, check, section, sections, operation, noCheck, noSection, noOperation] =
    await Promise.all([
      run(),
      run('--only', 'filter'),
      run('--only', '§8'),
      run('--only', '§4'),
      run('--only', 'getPet'),
      run('--skip', 'filter'),
      run('--skip', '§8'),
      run('--skip', 'getPet'),
    ]);
  const from = (source: RegExp) =>
    checks
      .filter(({ clause }) => clause.source.split(', ').some((one) => source.test(one)))
      .map(({ id }) => id);
  expect(all?.ids).toEqual(checks.map(({ id }) => id));
  expect(check?.ids).toEqual(['filter']);
  expect(section?.ids).toEqual(from(/^§8$/));
  expect(sections?.ids).toEqual(from(/^§4(\.|$)/));
  expect(noCheck?.ids).toEqual(all?.ids.filter((id) => id !== 'filter'));
  expect(noSection?.ids).toEqual(all?.ids.filter((id) => !from(/^§8$/).includes(id)));
  expect(operation?.calls.getPet).toBeGreaterThan(3);
  expect(operation?.calls.createPet).toBe(0);
  // Counting down a key calls each operation twice.
  expect(noOperation?.calls.getPet).toBeLessThan(3);
  expect(noOperation?.calls.listPets).toBeGreaterThan(20);
}, 120_000);

it('makes the same plan for the same seed, and another for another', async () => {
  const { url } = await startDeployment();
  const hash = async (seed: string) =>
    (
      await reportOf([
        '--target',
        url,
        '--key',
        proKey,
        ...quick,
        '--only',
        'getPet',
        '--seed',
        seed,
      ])
    ).plan.hash;
  const [one, same, other] = await Promise.all([hash('7'), hash('7'), hash('8')]);
  expect(one).toMatch(/^[0-9a-f]{12}$/);
  expect(same).toBe(one);
  expect(other).not.toBe(one);
}, 120_000);

it('says what could not be tried, and calls such a run incomplete', async () => {
  const { url } = await startDeployment();
  const { code, out } = await verify([
    '--target',
    url,
    '--key',
    proKey,
    ...quick,
    '--max-requests',
    '12',
  ]);
  expect(out).toMatch(
    /^INCOMPLETE {2}Not everything was tried, so this is no pass; no drift: the target keeps .+\n/,
  );
  expect(out).toMatch(/^ {2}target: \d+ cases were not made, as the run may make 12 requests$/m);
  expect(code).toBe(0);
});

it('takes a key that ends in = for a key, and what stands before another = for its plan', () => {
  const keysOf = (...given: string[]) => {
    const options = parseOptions(given.flatMap((key) => ['--key', key]));
    return options === 'help' ? [] : options.key;
  };
  expect(keysOf('c2VjcmV0', 'c2VjcmU=', 'c2VjcA==', 'free=c2VjcA==', 'PRO=a=b')).toEqual([
    { secret: 'c2VjcmV0' },
    { secret: 'c2VjcmU=' },
    { secret: 'c2VjcA==' },
    { plan: 'free', secret: 'c2VjcA==' },
    { plan: 'pro', secret: 'a=b' },
  ]);
});

it('takes it for no failure when nobody reads to the end', async () => {
  const child = spawn(process.execPath, [projectFile('contracts/main.ts'), '--list-clauses'], {
    env: { PATH: process.env.PATH ?? '' },
  });
  child.stdout.destroy();
  let err = '';
  child.stderr.on('data', (chunk) => (err += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect({ code, err }).toEqual({ code: 0, err: '' });
});
