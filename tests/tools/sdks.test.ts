import { marked } from 'marked';
import { expect, it } from 'vitest';
import { type GeneratedLab, generatedLabs } from '../../tools/sdks/generated/labs.ts';
import { generatedHeading, toCount, toGeneratedPart } from '../../tools/sdks/generated/run.ts';
import { check, equal, type Lab, need, refuses, runLab } from '../../tools/sdks/lab.ts';
import { toPage } from '../../tools/sdks/to-page.ts';

const bench = { origin: '', base: '', key: '', load: async () => undefined };

const lab: Omit<Lab, 'run'> = {
  name: 'shop',
  service: 'A shop',
  sdk: '@shop/sdk@1.2.3',
  document: {
    from: { path: 'shop.example/go', version: 'v4.5.6', sums: ['', ''] },
    file: 'api.json',
  },
  basePath: '',
  connect: 'new Shop()',
  reasons: { send: 'Nothing says `where`.' },
};

it('runs all steps of a lab, and says what is wrong with those that fail', async () => {
  const outcomes = await runLab(
    {
      async run({ step }) {
        await step('passes', async () => equal({ a: 1 }, { a: 1 }));
        await step('differs', async () => equal('open', 'closed', 'state'));
        await step('does not hold', async () => check(false, 'not listed'));
        await step('needs another', async () => need(undefined, 'differs'));
        await step('is not refused', () =>
          refuses(
            async () => ({ id: 7 }),
            () => {},
          ),
        );
        await step('is refused', () =>
          refuses(
            () => Promise.reject(new Error('no')),
            (error) => equal(error.message, 'no'),
          ),
        );
        await step('throws', async () => {
          throw Object.assign(new TypeError('went\n  wrong'), { status: 500 });
        });
        await step('hangs', () => new Promise(() => {}));
      },
    },
    bench,
    50,
  );
  expect(outcomes).toEqual([
    { step: 'passes' },
    { step: 'differs', problem: 'state: expected "closed", got "open"' },
    { step: 'does not hold', problem: 'not listed' },
    { step: 'needs another', problem: 'needs what "differs" makes' },
    { step: 'is not refused', problem: 'expected an error, got {"id":7}' },
    { step: 'is refused' },
    { step: 'throws', problem: 'TypeError 500 went wrong' },
    { step: 'hangs', problem: 'Error no answer in time' },
  ]);
});

it('writes a page with the figures, what works, and why the rest does not', () => {
  const twin = [
    { step: 'buy' },
    { step: 'pay', problem: 'a | "<b>"' },
    { step: 'send', problem: 'status: expected 204, got 404' },
  ];
  const overlaid = [...twin.slice(0, 2), { step: 'send' }];
  const prism = [{ step: 'buy' }, { step: 'pay', problem: 'no' }, { step: 'send', problem: 'no' }];
  const page = toPage(
    [
      { lab, twin, overlaid, prism },
      {
        lab: { ...lab, service: 'Other', sdk: 'other@1' },
        twin: [{ step: 'buy' }],
        prism: undefined,
      },
    ],
    { date: '2030-01-02', prism: '5.6.7' },
  );
  expect(page).toContain('Measured on 2030-01-02: **2 of 4 steps** pass, 3 with the overlays');
  expect(page).toContain('5.6.7, which keeps no state: 1.');
  expect(page).toContain('| [A shop](#a-shop) | `@shop/sdk` 1.2.3 | 3 | 1 | 2 | 1 |');
  expect(page).toContain(
    '| [Other](#other) | `other` 1 | 1 | 1 |  | does not start in 5 minutes |',
  );
  expect(page).toContain('with `api.json` of `shop.example/go` v4.5.6.');
  expect(page).toContain('**Works**: buy.');
  expect(page).toContain('| pay | a \\| "\\<b\\>" |');
  expect(page).toContain('| send | Nothing says `where`. |');
  expect(page).toContain('These work, too: send.');
  const html = marked.parse(page, { async: false });
  expect(html).toContain('<td>a | &quot;&lt;b&gt;&quot;</td>');
  expect(html).not.toContain('undefined');
});

it('reads how many tests of an SDK passed', () => {
  expect(toCount('..F.\n\n2 failed, 40 passed, 9 skipped, 1 error in 3.1s\n')).toEqual({
    passed: 40,
    failed: 3,
  });
  expect(toCount('')).toEqual({ passed: 0, failed: 0 });
});

it('lists the tests that generated SDKs come with', () => {
  const [lab] = generatedLabs as [GeneratedLab];
  const byMock = { twin: { passed: 40, failed: 2 }, Prism: undefined };
  const part = toGeneratedPart([{ lab, byMock }], '2026-01-02');
  expect(part.startsWith(generatedHeading)).toBe(true);
  expect(part).toContain('| 42 | 40 | does not start in 5 minutes |');
});
