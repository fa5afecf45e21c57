import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { checks as allChecks } from '../../../contracts/checks/index.ts';
import { toApplicable } from '../../../contracts/clauses/applicable.ts';
import { compile } from '../../../openapi/index.ts';
import { type VerifySettings, verify as verifyInProcess } from '../../../package/verify.ts';
import {
  freeKey,
  keys,
  otherFreeKey,
  proKey,
  readingOf,
  reportOf,
  startDeployment,
  useVerify,
} from '../../support/verify-command.ts';
import { parseOptions } from '../../support/verify-options.ts';
import { keptBy, resultOf } from '../../support/verify-writes.ts';

const verify = useVerify();

const { checks } = toApplicable(await compile(builtInDocument), allChecks);

it('holds only what --only names, and not what --skip names: operations, checks and sections', async () => {
  const run = async (...more: string[]) => {
    // A deployment each, as all of them together may use up what a key has for a minute.
    const { url } = await startDeployment();
    const { clauses, operations } = await reportOf(verify, [...readingOf(url), ...more]);
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
  expect(noOperation?.calls.getPet).toBe(0);
  expect(noOperation?.calls.listPets).toBeGreaterThan(20);
}, 120_000);

/** Returns what a run with --only sends to a deployment, and its report. */
async function sentFor(names: readonly string[], settings: VerifySettings = {}) {
  const sent: string[] = [];
  const deployment = await startDeployment({
    mutate: () => ({
      answer: ({ method, operation, path }, answer) => {
        sent.push(method === 'HEAD' || !operation ? `${method} ${path}` : operation);
        return answer;
      },
    }),
  });
  const report = await verifyInProcess({
    target: { url: deployment.url, keys: [freeKey, otherFreeKey, proKey].map(toKey) },
    twin: false,
    only: [...names],
    ...settings,
  });
  const calls = (operation: string) => sent.filter((one) => one === operation).length;
  return { report, sent: new Set(sent), calls };
}

const toKey = (key: string) => ({ key, plan: keys[key as keyof typeof keys] });

it('sends with --only listPets nothing but lists, and tries the limits with them', async () => {
  const { report, sent, calls } = await sentFor(['listPets']);
  expect([...sent]).toEqual(['listPets']);
  expect(calls('listPets')).toBeGreaterThan(60);
  expect(resultOf(report, 'operation-exists')?.reason).toBe(
    'no operation other than those on stored items was called',
  );
  expect(report.residue).toEqual([]);
  expect(keptBy(report)).toContain('rate-limit-refusal');
});

it('lists with --only getPet to prove keys and to find ids, and creates nothing', async () => {
  const { report, sent, calls } = await sentFor(['getPet']);
  expect([...sent].toSorted()).toEqual(['getPet', 'listPets']);
  // A proof of each key, and one list.
  expect(calls('listPets')).toBe(4);
  expect(calls('getPet')).toBeGreaterThan(60);
  expect(report.residue).toEqual([]);
  expect(keptBy(report)).toContain('rate-limit-refusal');
});

it('proves keys with another operation where --skip leaves the list out, and calls no list', async () => {
  const { sent } = await sentFor([], { skip: ['listPets'], readOnly: true });
  expect(sent).not.toContain('listPets');
  expect(sent).toContain('listOrders');
});

it('refuses a choice that creates items where none may be created, and sends nothing', async () => {
  const { url, calls } = await startDeployment();
  for (const [more, name] of [
    [['--no-mock'], 'target'],
    [[], 'twin'],
  ] as const) {
    const { code, out, err } = await verify([
      ...['--target', url, '--key', proKey, '--read-only', '--only', 'createPet', ...more],
    ]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      `petstore-twin verify: No check ran: all that was chosen may change something, and nothing may be changed on the ${name}. Leave out --read-only, or give --allow-writes beyond loopback.\n`,
    );
  }
  expect(calls()).toBe(0);
});

it('takes a key that ends in = for a key, and what stands before another = for its plan', () => {
  const keysOf = (...given: string[]) => {
    return parseOptions(given.flatMap((key) => ['--key', key])).key;
  };
  expect(keysOf('c2VjcmV0', 'c2VjcmU=', 'c2VjcA==', 'free=c2VjcA==', 'PRO=a=b')).toEqual([
    { secret: 'c2VjcmV0' },
    { secret: 'c2VjcmU=' },
    { secret: 'c2VjcA==' },
    { plan: 'free', secret: 'c2VjcA==' },
    { plan: 'pro', secret: 'a=b' },
  ]);
});
