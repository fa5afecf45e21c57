import { expect, it } from 'vitest';
import type { Case } from '../../../contracts/cases/case.ts';
import { allowOn405 } from '../../../contracts/checks/allow-on-405.ts';
import { headAsGet } from '../../../contracts/checks/head-as-get.ts';
import { schemeCase } from '../../../contracts/checks/scheme-case.ts';
import type { Check } from '../../../contracts/clauses/check.ts';
import { judge } from '../../../contracts/judging/judge.ts';
import { recordTranscript } from '../../support/recorded-transcript.ts';

const transcript = await recordTranscript();

type Answer = { status: number; headers: [name: string, value: string][] };

const isOf = (kind: string, member: string, value: string) => (purpose: Case['purpose']) =>
  purpose.kind === kind && (purpose as Record<string, unknown>)[member] === value;
const plain = (status: number): Answer => ({ status, headers: [] });

it.each<
  [check: Check, isMeant: (purpose: Case['purpose']) => boolean, right: Answer, wrong: Answer]
>([
  [
    allowOn405,
    ({ kind }) => kind === 'protocol',
    { status: 405, headers: [['Allow', 'GET']] },
    plain(405),
  ],
  [headAsGet, isOf('protocol', 'rule', 'head'), plain(200), plain(405)],
  [schemeCase, isOf('credential', 'form', 'lower-case-scheme'), plain(200), plain(401)],
])('finds what breaks $id', (check, isMeant, right, wrong) => {
  const verdictsOf = (answer: Answer) => {
    const exchanges = transcript.exchanges.map((one) =>
      one.response && isMeant(one.case.purpose)
        ? { ...one, response: { ...one.response, ...answer } }
        : one,
    );
    const { findings } = judge({ ...transcript, exchanges }, [check]);
    return [...new Set(findings.map(({ verdict }) => verdict))];
  };
  expect([verdictsOf(right), verdictsOf(wrong)]).toEqual([[], ['standard']]);
});
